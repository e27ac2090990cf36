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
