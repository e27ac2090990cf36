import { databaseBusy } from './errors.ts';

export interface PlacesOptions {
  readonly size: number;
  /** For the error, which says what is busy. */
  readonly name: string;
  readonly busyTimeoutMs: number;
}

/** So many may be inside at a time; the others wait in the order in which they came. */
export class Places {
  readonly #options: PlacesOptions;
  readonly #queue: (() => void)[] = [];
  #taken = 0;

  constructor(options: PlacesOptions) {
    this.#options = options;
  }

  /** Rejects with `database-busy` after the time, or with the signal's reason; then no place was taken. */
  async take(signal: AbortSignal | undefined): Promise<void> {
    signal?.throwIfAborted();
    if (this.#taken < this.#options.size) this.#taken += 1;
    else await this.#turn(signal);
  }

  /** Hands the place on to who waited longest. */
  leave(): void {
    const next = this.#queue.shift();
    if (next === undefined) this.#taken -= 1;
    else next();
  }

  #turn(signal: AbortSignal | undefined): Promise<void> {
    return new Promise((resolve, reject) => {
      const give = (error?: unknown): void => {
        clearTimeout(timer);
        signal?.removeEventListener('abort', abort);
        const place = this.#queue.indexOf(enter);
        if (place >= 0) this.#queue.splice(place, 1);
        if (error === undefined) resolve();
        else reject(error);
      };
      const enter = (): void => give();
      const abort = (): void => give(signal?.reason);
      const timer = setTimeout(() => give(databaseBusy({ path: this.#options.name })), this.#options.busyTimeoutMs);
      signal?.addEventListener('abort', abort, { once: true });
      this.#queue.push(enter);
    });
  }
}
