import { MAX_LINE_BYTES } from './line.ts';

const NEWLINE = 0x0a;

export interface CutLine {
  /** Without its newline; `undefined` when it is longer than a line may be. */
  readonly bytes: Buffer | undefined;
  /** Bytes of the file before it. */
  readonly offset: number;
  readonly length: number;
}

/** Cuts the bytes of a file, given in order, into lines; holds at most one line of the greatest length. */
export class LineBytesCutter {
  readonly #visit: (line: CutLine) => void;
  #parts: Buffer[] = [];
  #held = 0;
  #offset = 0;

  constructor(visit: (line: CutLine) => void) {
    this.#visit = visit;
  }

  /** The chunk may be used again after the call. */
  write(chunk: Buffer): void {
    let from = 0;
    for (let to = chunk.indexOf(NEWLINE); to !== -1; to = chunk.indexOf(NEWLINE, from)) {
      this.#finish(chunk.subarray(from, to));
      from = to + 1;
    }
    if (from < chunk.length) this.#hold(chunk.subarray(from));
  }

  /** What is left without a newline, or `undefined`. */
  rest(): CutLine | undefined {
    if (this.#held === 0) return undefined;
    const bytes = this.#held > MAX_LINE_BYTES ? undefined : Buffer.concat(this.#parts);
    return { bytes, offset: this.#offset, length: this.#held };
  }

  #finish(end: Buffer): void {
    const length = this.#held + end.length;
    this.#visit({ bytes: length > MAX_LINE_BYTES ? undefined : this.#joined(end), offset: this.#offset, length });
    this.#offset += length + 1;
    this.#held = 0;
    this.#parts = [];
  }

  #joined(end: Buffer): Buffer {
    return this.#held === 0 ? end : Buffer.concat([...this.#parts, end]);
  }

  #hold(part: Buffer): void {
    this.#held += part.length;
    if (this.#held > MAX_LINE_BYTES) this.#parts = [];
    else this.#parts.push(Buffer.from(part));
  }
}
