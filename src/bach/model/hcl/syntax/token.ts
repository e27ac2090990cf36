/** What a token is. Numbers, because a large file has millions of tokens and they live in typed arrays. */
export const tokenKind = {
  endOfFile: 0,
  newline: 1,
  identifier: 2,
  number: 3,
  openBrace: 4,
  closeBrace: 5,
  openBracket: 6,
  closeBracket: 7,
  openParen: 8,
  closeParen: 9,
  openQuote: 10,
  closeQuote: 11,
  openHeredoc: 12,
  closeHeredoc: 13,
  openInterpolation: 14,
  openDirective: 15,
  closeSequence: 16,
  text: 17,
  quotedNewline: 18,
  dot: 19,
  ellipsis: 20,
  comma: 21,
  colon: 22,
  doubleColon: 23,
  question: 24,
  equal: 25,
  fatArrow: 26,
  doubleEqual: 27,
  notEqual: 28,
  less: 29,
  lessOrEqual: 30,
  greater: 31,
  greaterOrEqual: 32,
  and: 33,
  or: 34,
  not: 35,
  plus: 36,
  minus: 37,
  star: 38,
  slash: 39,
  percent: 40,
  bitwise: 41,
  backtick: 42,
  apostrophe: 43,
  semicolon: 44,
  invalid: 45,
} as const;

export type TokenKind = (typeof tokenKind)[keyof typeof tokenKind];

/** One token by value; the reader makes these on demand. */
export interface Token {
  readonly kind: TokenKind;
  readonly start: number;
  readonly end: number;
}

const FIRST_CAPACITY = 1024;

/** A growing list of tokens without one object per token. */
export class TokenList {
  /** Where the text goes on behind the last token, when there are too many. */
  cutAt: number | undefined;
  #kinds = new Uint8Array(FIRST_CAPACITY);
  #starts = new Uint32Array(FIRST_CAPACITY);
  #ends = new Uint32Array(FIRST_CAPACITY);
  #length = 0;

  get length(): number {
    return this.#length;
  }

  add(kind: TokenKind, start: number, end: number): void {
    if (this.#length === this.#kinds.length) this.#grow();
    this.#kinds[this.#length] = kind;
    this.#starts[this.#length] = start;
    this.#ends[this.#length] = end;
    this.#length += 1;
  }

  kind(index: number): TokenKind {
    return this.#kinds[index] as TokenKind;
  }

  start(index: number): number {
    return this.#starts[index] ?? 0;
  }

  end(index: number): number {
    return this.#ends[index] ?? 0;
  }

  at(index: number): Token {
    return { kind: this.kind(index), start: this.start(index), end: this.end(index) };
  }

  #grow(): void {
    const capacity = this.#kinds.length * 2;
    const kinds = new Uint8Array(capacity);
    kinds.set(this.#kinds);
    this.#kinds = kinds;
    this.#starts = grown(this.#starts, capacity);
    this.#ends = grown(this.#ends, capacity);
  }
}

function grown(array: Uint32Array<ArrayBuffer>, capacity: number): Uint32Array<ArrayBuffer> {
  const larger = new Uint32Array(capacity);
  larger.set(array);
  return larger;
}
