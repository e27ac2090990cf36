import type { VerbContext } from '../../kernel/terminal/index.ts';

/** What is stored and told of a run that a signal ended: `stopped by SIGINT`. */
export function stoppedBy({ stop }: Pick<VerbContext, 'stop'>): string {
  return `stopped by ${stop.signal() ?? 'request'}`;
}
