import type { VerbContext } from '../../kernel/terminal/index.ts';

/** What is stored and told of a run that a signal ended: `stopped by SIGINT`. */
export function stoppedBy({ stop }: Pick<VerbContext, 'stop'>): string {
  return `stopped by ${stop.signal() ?? 'request'}`;
}

/** While it waits for files or other processes, a stop comes as the reason of its signal. */
export function isStop(error: unknown, { stop }: Pick<VerbContext, 'stop'>): boolean {
  return [stop.graceful, stop.immediate].some((signal) => signal.aborted && error === signal.reason);
}
