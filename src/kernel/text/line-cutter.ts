/** A line longer than this many UTF-16 units is given in pieces. */
const LONGEST_LINE = 64 * 1024;

/**
 * Cuts a stream of UTF-8 bytes into lines without their ends; memory stays within one piece whatever comes.
 * Bytes that are no UTF-8 become U+FFFD.
 *
 * @example
 * const cutter = new LineCutter((line) => out.line(label, line));
 * cutter.write(chunk);
 * cutter.end();
 */
export class LineCutter {
  /** Made for the first bytes: it costs a third of a millisecond, and many commands print nothing. */
  #decoder: TextDecoder | undefined;
  readonly #emit: (line: string) => void;
  #rest = '';

  constructor(emit: (line: string) => void) {
    this.#emit = emit;
  }

  write(chunk: Uint8Array): void {
    if (chunk.length === 0) return;
    this.#decoder ??= new TextDecoder('utf-8', { ignoreBOM: true });
    this.#take(this.#decoder.decode(chunk, { stream: true }));
  }

  /** Emits what is left without a newline. */
  end(): void {
    if (this.#decoder !== undefined) this.#take(this.#decoder.decode());
    if (this.#rest !== '') this.#emit(this.#rest);
    this.#rest = '';
  }

  #take(text: string): void {
    const lines = text.split('\n');
    const last = lines.pop() ?? '';
    for (const line of lines) this.#finishLine(line);
    this.#rest = this.#withinLimit(this.#rest + last);
  }

  #finishLine(text: string): void {
    const line = this.#withinLimit(this.#rest + text);
    this.#rest = '';
    this.#emit(line.endsWith('\r') ? line.slice(0, -1) : line);
  }

  /** Emits whole pieces of a long line and gives back what is left of it. */
  #withinLimit(line: string): string {
    let rest = line;
    while (rest.length > LONGEST_LINE) {
      const end = pieceEnd(rest);
      this.#emit(rest.slice(0, end));
      rest = rest.slice(end);
    }
    return rest;
  }
}

/** Never between the two halves of one character. */
function pieceEnd(text: string): number {
  const last = text.charCodeAt(LONGEST_LINE - 1);
  const isHighSurrogate = last >= 0xd800 && last <= 0xdbff;
  return isHighSurrogate ? LONGEST_LINE - 1 : LONGEST_LINE;
}
