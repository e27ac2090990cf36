import type { Timers } from './ports.ts';

/** How a run is asked to end; the second may follow the first. */
export interface StopSignals {
  /** Nothing new is begun; what runs winds down. */
  readonly graceful: AbortSignal;
  /** Everything ends at once. */
  readonly immediate: AbortSignal;
}

/** Calls when the signal aborts, at once if it did already; the returned function ends the listening. */
export function onAbort(signal: AbortSignal, call: () => void): () => void {
  if (signal.aborted) call();
  else signal.addEventListener('abort', call, { once: true });
  return () => signal.removeEventListener('abort', call);
}

interface Grace {
  readonly signal: AbortSignal;
  readonly graceMs: number;
  readonly timers: Timers;
}

/** As the work ends, that or how it fails; once the signal is aborted it is waited for no longer than its grace. */
export function withinGrace<Result>(work: Promise<Result>, { signal, graceMs, timers }: Grace): Promise<Result | undefined> {
  return new Promise((resolve, reject) => {
    let cancel = (): void => undefined;
    const silence = onAbort(signal, () => {
      cancel = timers.after(graceMs, () => resolve(undefined));
    });
    const over = (): void => {
      silence();
      cancel();
    };
    void work.finally(over).then(resolve, reject);
  });
}
