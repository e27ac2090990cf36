import { setTimeout as sleep } from 'node:timers/promises';

/** The calls of a store that have not ended yet. */
export class UnderWay {
  readonly #calls = new Set<Promise<unknown>>();

  /** Starts a call, and forgets it when it ends. */
  start<Result>(call: () => Promise<Result>): Promise<Result> {
    const pending = call();
    this.#calls.add(pending);
    const forget = (): void => void this.#calls.delete(pending);
    pending.then(forget, forget);
    return pending;
  }

  /** Resolves when all have ended, or after so many milliseconds. */
  async ended(withinMs: number): Promise<void> {
    if (this.#calls.size === 0) return;
    const over = new AbortController();
    const limit = sleep(withinMs, undefined, { signal: over.signal }).catch(() => undefined);
    await Promise.race([Promise.allSettled(this.#calls), limit]);
    over.abort();
  }
}
