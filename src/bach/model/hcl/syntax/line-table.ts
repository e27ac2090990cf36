const NON_ASCII = /[^\0-\x7f]/;
const PIECE = 256;
const NEWLINE = 0x0a;

/** Nobody counts columns in a longer line, and to find its clusters takes seconds. */
const LONGEST_COUNTED = 1_000_000;

/** Where the lines of a text start, in UTF-16 units and in bytes. A line ends with `\n`; a lone `\r` ends none. */
export class LineTable {
  readonly #text: string;
  readonly #starts: Uint32Array;
  /** Undefined where the text is ASCII and each unit is a byte. */
  readonly #bytes: Uint32Array | undefined;

  constructor(text: string) {
    this.#text = text;
    this.#starts = lineStarts(text);
    this.#bytes = NON_ASCII.test(text) ? lineBytes(text, this.#starts) : undefined;
  }

  lineAt(offset: number): number {
    return lastAtMost(this.#starts, offset);
  }

  start(line: number): number {
    return this.#starts[line] ?? 0;
  }

  byte(line: number, offset: number): number {
    if (this.#bytes === undefined) return offset;
    return (this.#bytes[line] ?? 0) + utf8Length(this.#text, this.start(line), offset);
  }

  /** The line with its newline. */
  lineText(line: number): string {
    return this.#text.slice(this.start(line), this.#starts[line + 1] ?? this.#text.length);
  }
}

/** Counted first: a text may be nothing but newlines, and a growing list of these takes far more time and room. */
function lineStarts(text: string): Uint32Array {
  let count = 1;
  for (let at = 0; at < text.length; at += 1) if (text.charCodeAt(at) === NEWLINE) count += 1;
  const starts = new Uint32Array(count);
  for (let at = 0, line = 1; line < count; at += 1) if (text.charCodeAt(at) === NEWLINE) starts[line++] = at + 1;
  return starts;
}

function lineBytes(text: string, starts: Uint32Array): Uint32Array {
  const bytes = new Uint32Array(starts.length);
  for (let line = 1; line < starts.length; line += 1) {
    bytes[line] = (bytes[line - 1] ?? 0) + utf8Length(text, starts[line - 1] ?? 0, starts[line] ?? 0);
  }
  return bytes;
}

/** Bytes that a part of a text takes in UTF-8; the first half of a pair counts for both. */
function utf8Length(text: string, start: number, end: number): number {
  let bytes = 0;
  for (let at = start; at < end; at += 1) {
    const unit = text.charCodeAt(at);
    if (unit < 0x80) bytes += 1;
    else if (unit < 0x800) bytes += 2;
    else if (isPair(text, at)) {
      bytes += 4;
      at += 1;
    } else bytes += 3;
  }
  return bytes;
}

function isPair(text: string, at: number): boolean {
  return (text.codePointAt(at) ?? 0) > 0xffff;
}

/** Where the grapheme clusters of a line start, with its end last; undefined where each unit is one. */
export function clusterStarts(line: string): Uint32Array | undefined {
  if (line.length > LONGEST_COUNTED || !NON_ASCII.test(line)) return undefined;
  // The language is fixed so that a column does not depend on the machine that counts it.
  const segmenter = new Intl.Segmenter('und', { granularity: 'grapheme' });
  const starts: number[] = [];
  // In pieces, because the time for one segment grows with the length of the whole string.
  for (let at = 0, size = PIECE; at < line.length; ) {
    const piece = Array.from(segmenter.segment(line.slice(at, at + size)), ({ index }) => at + index);
    const isLast = at + size >= line.length;
    // The last cluster may go on behind the piece, so the next piece starts with it.
    const next = isLast ? line.length : (piece.pop() ?? at);
    starts.push(...piece);
    size = next === at ? size * 2 : PIECE;
    at = next;
  }
  starts.push(line.length);
  return Uint32Array.from(starts);
}

/** The index of the last element that is not above `value`; the first element never is. */
export function lastAtMost(sorted: Uint32Array, value: number): number {
  let low = 0;
  let high = sorted.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((sorted[middle] ?? 0) <= value) low = middle;
    else high = middle - 1;
  }
  return low;
}
