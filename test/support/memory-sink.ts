import type { Sink } from '../../src/kernel/terminal/index.ts';

interface MemorySinkOptions {
  readonly terminal?: boolean;
  readonly columns?: number;
  /** What writing fails with from the first byte on. */
  readonly failure?: Error;
  /** The reader takes nothing until `take` is called. */
  readonly slow?: boolean;
}

/** A standard stream that keeps what was written, write by write. */
export class MemorySink implements Sink {
  readonly terminal: boolean;
  readonly writes: string[] = [];
  readonly #options: MemorySinkOptions;
  #waiting = 0;
  #released = false;
  #wake: (() => void)[] = [];

  constructor(options: MemorySinkOptions = {}) {
    this.terminal = options.terminal ?? false;
    this.#options = options;
  }

  get text(): string {
    return this.writes.join('');
  }

  columns(): number | undefined {
    return this.#options.columns;
  }

  write(chunk: string | Uint8Array): void {
    if (this.#options.failure !== undefined) return;
    this.writes.push(typeof chunk === 'string' ? chunk : Buffer.from(chunk).toString());
    if (this.#options.slow) this.#waiting += chunk.length;
  }

  waiting(): number {
    return this.#waiting;
  }

  take(): void {
    this.#waiting = 0;
    for (const wake of this.#wake.splice(0)) wake();
  }

  drained(limit: number): Promise<void> {
    if (this.#released || this.#waiting <= limit) return Promise.resolve();
    return new Promise((resolve) => this.#wake.push(resolve));
  }

  release(): void {
    this.#released = true;
    for (const wake of this.#wake.splice(0)) wake();
  }

  failure(): Error | undefined {
    return this.#options.failure;
  }
}
