import type { Writable } from 'node:stream';
import type { Sink } from './sink.ts';

type Target = Writable & { readonly columns?: number };

interface Waiter {
  readonly limit: number;
  readonly resolve: () => void;
}

/** What a write answers when nobody reads any more: a closed pipe, a reset socket, a terminal that hung up. */
const READER_GONE = new Set(['EPIPE', 'ECONNRESET', 'EIO', 'ERR_STREAM_DESTROYED', 'ERR_STREAM_WRITE_AFTER_END']);

/**
 * A pipe, a socket or a terminal. The stream is opened at the first write, since opening one costs milliseconds
 * that a command with nothing to say on it should not pay.
 */
export class StreamSink implements Sink {
  readonly terminal: boolean;
  readonly #openStream: () => Target;
  #stream: Target | undefined;
  #waiting = 0;
  #waiters: Waiter[] = [];
  #readerGone = false;
  #released = false;
  #failure: Error | undefined;

  constructor(openStream: () => Target, { terminal }: { readonly terminal: boolean }) {
    this.terminal = terminal;
    this.#openStream = openStream;
  }

  columns(): number | undefined {
    return this.terminal ? this.#opened().columns : undefined;
  }

  write(chunk: string | Uint8Array): void {
    if (this.#readerGone || this.#failure !== undefined || chunk.length === 0) return;
    this.#waiting += chunk.length;
    this.#opened().write(chunk, (error) => {
      this.#waiting -= chunk.length;
      if (error) this.#note(error);
      this.#wake();
    });
  }

  waiting(): number {
    return this.#readerGone || this.#failure !== undefined ? 0 : this.#waiting;
  }

  drained(limit: number): Promise<void> {
    if (this.#released || this.waiting() <= limit) return Promise.resolve();
    return new Promise((resolve) => this.#waiters.push({ limit, resolve }));
  }

  release(): void {
    this.#released = true;
    this.#wake();
  }

  failure(): Error | undefined {
    return this.#failure;
  }

  #opened(): Target {
    if (this.#stream !== undefined) return this.#stream;
    this.#stream = this.#openStream();
    this.#stream.on('error', (error) => {
      this.#note(error);
      this.#wake();
    });
    return this.#stream;
  }

  #note(error: NodeJS.ErrnoException): void {
    if (READER_GONE.has(error.code ?? '')) this.#readerGone = true;
    else this.#failure ??= error;
  }

  #wake(): void {
    const ready = this.#waiters.filter(({ limit }) => this.#released || this.waiting() <= limit);
    if (ready.length === 0) return;
    this.#waiters = this.#waiters.filter((waiter) => !ready.includes(waiter));
    for (const { resolve } of ready) resolve();
  }
}
