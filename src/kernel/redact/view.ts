/**
 * A way in which text may be written that hides a value from a search: escapes in it. A view finds the escapes and
 * says what they stand for. Whether an escape stands somewhere depends on at most `longest` bytes from there on.
 */
export interface View {
  /** The byte that every escape begins with. */
  readonly lead: number;
  /** Bytes of the longest escape. */
  readonly longest: number;
  /** Bytes of the escape at `at`, where a lead stands; 0 when there is none, `CUT` when what follows decides. */
  readonly measure: (source: Source, at: number) => number;
  /** Adds what the escape of this length stands for. */
  readonly emit: (plain: Plain, source: Source, escape: Escape) => void;
}

export const CUT = -1;

/** A place in a source; the length is 0 where a byte stands for itself. */
export interface Escape {
  readonly at: number;
  readonly length: number;
}

export interface Source {
  readonly bytes: Buffer;
  /** How many characters of base64 stood right before the first byte. */
  readonly base64Before: number;
}

/** Bytes without escapes, and for each where it came from. Used again and again. */
export class Plain {
  bytes = Buffer.allocUnsafeSlow(0);
  length = 0;
  #origins = new Uint32Array(0);
  #ends = new Uint32Array(0);

  /** Undoes the escapes of one part of the source; none reaches over its end. */
  undo(view: View, source: Source, { from, to }: { readonly from: number; readonly to: number }): void {
    this.#reserve(to - from);
    this.length = 0;
    const { bytes } = source;
    for (let at = from; at < to; ) {
      const length = bytes[at] === view.lead ? view.measure(source, at) : 0;
      this.#take(view, source, { at, length });
      at += Math.max(1, length);
    }
    this.#origins[this.length] = to;
  }

  /** Undoes one escape, or takes one byte where the length is none. */
  undoOne(view: View, source: Source, escape: Escape): void {
    this.#reserve(view.longest);
    this.length = 0;
    this.#take(view, source, escape);
  }

  /** One byte that stands in the source from `from` to `to`. */
  add(byte: number, from: number, to: number): void {
    this.bytes[this.length] = byte;
    this.#origins[this.length] = from;
    this.#ends[this.length] = to;
    this.length++;
  }

  /** Where the byte begins in the source; for the end, where the source ended. */
  originOf(at: number): number {
    return this.#origins[at] as number;
  }

  /** Where the byte ends in the source. */
  endOf(at: number): number {
    return this.#ends[at] as number;
  }

  #take(view: View, source: Source, escape: Escape): void {
    if (escape.length > 0) view.emit(this, source, escape);
    else this.add(source.bytes[escape.at] as number, escape.at, escape.at + 1);
  }

  #reserve(size: number): void {
    if (this.bytes.length > size) return;
    this.bytes = Buffer.allocUnsafeSlow(size + 1);
    this.#origins = new Uint32Array(size + 1);
    this.#ends = new Uint32Array(size + 1);
  }
}
