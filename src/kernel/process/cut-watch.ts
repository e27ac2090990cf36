import { readSync } from 'node:fs';

/** Of either end of what was read. */
const SAMPLE = 4 * 1024;
/** What a scrubber puts in place of a byte. */
const MASK = 0x2a;
/** For all of them: what is read into it is looked at before anything else can be. */
const SEEN = /* @__PURE__ */ Buffer.alloc(SAMPLE);

/**
 * Tells that a log was cut and written anew, also when it has grown past its old size since. A child that opens its own
 * output by name (`echo x > /dev/stderr`) empties the file, and no attribute of the file tells so afterwards.
 * What stood before the child is compared too: where that is unique, no first cut stays unseen. Elsewhere one does when
 * as much was printed again with the same 4 KiB at both ends.
 */
export class CutWatch {
  readonly #descriptor: number;
  #head: Buffer;
  #tail = Buffer.alloc(0);

  constructor(descriptor: number, start: number) {
    this.#descriptor = descriptor;
    this.#head = Buffer.from(this.#at(0, Math.min(start, SAMPLE)));
  }

  /** Whether the log, now of `size` bytes, is no longer the one that was read up to `offset`. */
  isCut(size: number, offset: number): boolean {
    return size < offset || !this.#stands(this.#head, 0) || !this.#stands(this.#tail, offset - this.#tail.length);
  }

  /** Remembers what was just read at `offset`. */
  read(chunk: Buffer, offset: number): void {
    if (offset === this.#head.length) this.#head = Buffer.concat([this.#head, chunk.subarray(0, SAMPLE - offset)]);
    this.#tail = Buffer.from(chunk.subarray(-SAMPLE));
  }

  /** What ends at the new offset was not read. */
  passedOver(): void {
    this.#tail = Buffer.alloc(0);
  }

  /** The log begins anew. */
  restart(): void {
    this.#head = Buffer.alloc(0);
    this.#tail = Buffer.alloc(0);
  }

  #stands(expected: Buffer, offset: number): boolean {
    const seen = this.#at(offset, expected.length);
    if (seen.equals(expected)) return true;
    return seen.length === expected.length && seen.every((byte, index) => byte === expected[index] || byte === MASK);
  }

  #at(offset: number, length: number): Buffer {
    return SEEN.subarray(0, length === 0 ? 0 : readSync(this.#descriptor, SEEN, 0, length, offset));
  }
}
