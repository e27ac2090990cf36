import type { Span } from './spans.ts';

const BLOCK = 3;
const HASHES = 1 << 16;
const LONGEST_WINDOW = 64;

/**
 * Finds where many byte sequences may begin, all at once (Wu and Manber): the last three bytes of a window tell how far
 * the next needle can be at least, so that most bytes are never looked at.
 */
export class NeedleSet {
  /** Bytes of the longest needle; 0 when there is none. */
  readonly longest: number;
  /** How many of their first bytes are looked for. */
  readonly window: number;
  /** 1 for each byte that stands in such a beginning. */
  readonly heads = new Uint8Array(256);
  readonly #shift = new Uint8Array(HASHES);
  readonly #byBlock = new Map<number, Buffer[]>();
  readonly #byFirst = new Map<number, Buffer[]>();

  constructor(needles: readonly Buffer[]) {
    const lengths = needles.map(({ length }) => length);
    this.longest = Math.max(0, ...lengths);
    this.window = Math.min(LONGEST_WINDOW, ...lengths);
    this.#shift.fill(this.window - BLOCK + 1);
    for (const needle of needles) this.#add(needle);
  }

  /** Visits each place with each needle that may begin there; whether it does is for the visitor to find out. */
  candidates(bytes: Buffer, { from, to }: Span, visit: (needle: Buffer, at: number) => void): void {
    const shift = this.#shift;
    const before = this.window - 1;
    for (let at = from + before; at < to; ) {
      const block = ((bytes[at - 2] as number) << 8) ^ ((bytes[at - 1] as number) << 4) ^ (bytes[at] as number);
      const step = shift[block] as number;
      if (step === 0) for (const needle of this.#byBlock.get(block) ?? []) visit(needle, at - before);
      at += step || 1;
    }
  }

  /** Where the earliest needle begins of which the bytes end within the first window, or `to`. */
  cutOff(bytes: Buffer, { from, to }: Span): number {
    for (let at = Math.max(from, to - this.window + 1); at < to; at++) {
      if (this.#byFirst.get(bytes[at] as number)?.some((needle) => commonLength(needle, bytes, at) >= to - at)) return at;
    }
    return to;
  }

  #add(needle: Buffer): void {
    const last = this.window - 1;
    for (let at = 0; at <= last; at++) this.heads[needle[at] as number] = 1;
    for (let at = BLOCK - 1; at <= last; at++) {
      const block = ((needle[at - 2] as number) << 8) ^ ((needle[at - 1] as number) << 4) ^ (needle[at] as number);
      this.#shift[block] = Math.min(this.#shift[block] as number, last - at);
      if (at === last) append(this.#byBlock, block, needle);
    }
    append(this.#byFirst, needle[0] as number, needle);
  }
}

/** How many bytes of the needle stand in the bytes at this place. */
export function commonLength(needle: Buffer, bytes: Buffer, at: number): number {
  const most = Math.min(needle.length, bytes.length - at);
  let length = 0;
  while (length < most && needle[length] === bytes[at + length]) length++;
  return length;
}

function append(map: Map<number, Buffer[]>, key: number, needle: Buffer): void {
  const list = map.get(key);
  if (list === undefined) map.set(key, [needle]);
  else list.push(needle);
}
