import { SIGNAL_EXITS, type VerbContext, type VerbResult } from '../../kernel/terminal/index.ts';

/** The answer of a verb that only looks; once a stop was asked for, what it found is not whole and is not shown. */
export async function unlessStopped({ stop }: VerbContext, work: () => Promise<VerbResult>): Promise<VerbResult> {
  try {
    const result = await work();
    if (!stop.graceful.aborted) return result;
  } catch (error) {
    // What fails after the stop fails because of it.
    if (!stop.graceful.aborted) throw error;
  }
  const signal = stop.signal() ?? 'SIGINT';
  return { exit: SIGNAL_EXITS[signal], errors: [`stopped by ${signal}; nothing was changed`] };
}
