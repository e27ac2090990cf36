/**
 * Looks for texts in a stream of bytes. Memory stays within the longest text, whatever comes, and a text is found also
 * where two chunks share it.
 *
 * @example
 * const search = new TextSearch(['ROLLBACK']);
 * search.write(Buffer.from('ROLL'));
 * search.write(Buffer.from('BACK'));
 * search.has('ROLLBACK'); // true
 */
export class TextSearch {
  readonly #wanted: Map<string, Buffer>;
  readonly #longest: number;
  readonly #found = new Set<string>();
  /** The end of what came, too short to hold a whole text that began before it. */
  #tail: Buffer = Buffer.alloc(0);

  constructor(texts: readonly string[]) {
    this.#wanted = new Map(texts.map((text) => [text, Buffer.from(text)]));
    this.#longest = Math.max(0, ...[...this.#wanted.values()].map(({ length }) => length));
  }

  /** The memory of the chunk may be used again when this returns. */
  write(chunk: Buffer): void {
    if (this.#wanted.size === 0) return;
    const joined = this.#tail.length === 0 ? chunk : Buffer.concat([this.#tail, chunk]);
    for (const [text, bytes] of this.#wanted) {
      if (!joined.includes(bytes)) continue;
      this.#found.add(text);
      this.#wanted.delete(text);
    }
    this.#tail = Buffer.from(joined.subarray(Math.max(0, joined.length - this.#longest + 1)));
  }

  has(text: string): boolean {
    return this.#found.has(text);
  }
}
