import { writeSync } from 'node:fs';
import type { Sink } from './sink.ts';

/**
 * A regular file or a device. Node's own stream ignores a short write, which is how a disk that fills up loses
 * the last lines without a word; here the rest is written again, so that the error comes out.
 */
export class FileSink implements Sink {
  readonly terminal = false;
  readonly #descriptor: number;
  #failure: Error | undefined;

  constructor(descriptor: number) {
    this.#descriptor = descriptor;
  }

  columns(): undefined {
    return undefined;
  }

  write(chunk: string | Uint8Array): void {
    if (this.#failure !== undefined) return;
    const bytes = typeof chunk === 'string' ? Buffer.from(chunk) : chunk;
    try {
      writeWhole(this.#descriptor, bytes);
    } catch (error) {
      // Kept for the end of the command, which reports it once.
      this.#failure = error as Error;
    }
  }

  waiting(): number {
    return 0;
  }

  drained(): Promise<void> {
    return Promise.resolve();
  }

  release(): void {}

  failure(): Error | undefined {
    return this.#failure;
  }
}

function writeWhole(descriptor: number, bytes: Uint8Array): void {
  for (let offset = 0; offset < bytes.length; ) {
    offset += writeSync(descriptor, bytes, offset);
  }
}
