import { BracketStack, isCloser, isOpener } from './brackets.ts';
import { tokenKind, type Token, type TokenKind, type TokenList } from './token.ts';

/** Walks over a list of tokens. Inside brackets newlines are passed over, so what comes next depends on the mode. */
export class TokenReader {
  readonly #tokens: TokenList;
  readonly #newlineModes: boolean[] = [];
  #at = 0;
  #next = 0;

  constructor(tokens: TokenList) {
    this.#tokens = tokens;
  }

  /** The kind of the next token. */
  get kind(): TokenKind {
    return this.#tokens.kind(this.#next);
  }

  is(kind: TokenKind): boolean {
    return this.kind === kind;
  }

  peek(): Token {
    return this.#tokens.at(this.#next);
  }

  /** The next token, which is then behind the reader; the end of the file stays in front of it for ever. */
  take(): Token {
    const token = this.peek();
    if (token.kind !== tokenKind.endOfFile) this.#at = this.#next + 1;
    this.#settle();
    return token;
  }

  /** Where the last token that was taken ends. */
  get previousEnd(): number {
    return this.#at === 0 ? this.#tokens.start(0) : this.#tokens.end(this.#at - 1);
  }

  /** The `]` that ends what the next token stands in, brackets in between left out; else the end of the file. */
  findCloseBracket(): Token {
    let depth = 0;
    let at = this.#next + 1;
    for (; at < this.#tokens.length - 1; at += 1) {
      const kind = this.#tokens.kind(at);
      if (kind === tokenKind.closeBracket && depth === 0) break;
      if (kind === tokenKind.openBracket) depth += 1;
      if (kind === tokenKind.closeBracket) depth -= 1;
    }
    return this.#tokens.at(Math.min(at, this.#tokens.length - 1));
  }

  pushNewlines(mode: 'seen' | 'passed-over'): void {
    this.#newlineModes.push(mode === 'seen');
    this.#settle();
  }

  popNewlines(): void {
    this.#newlineModes.pop();
    this.#settle();
  }

  skipToEnd(): void {
    this.#at = this.#tokens.length - 1;
    this.#settle();
  }

  /** Passes the next token that closes with `closer`, or stops before one that closes a bracket of `enclosing`. */
  skipPast(closer: TokenKind, enclosing: BracketStack): void {
    const inner = new BracketStack();
    this.#skip((kind) => {
      if (kind === closer && !inner.has(closer) && !inner.isInTemplate) return 'pass';
      return this.#track(kind, { inner, enclosing });
    });
  }

  /** Passes the newline that ends a body item, or stops before what closes a bracket of `enclosing`. */
  skipItem(enclosing: BracketStack): void {
    const inner = new BracketStack();
    this.#skip((kind) => {
      if (kind === tokenKind.newline && inner.depth === 0) return 'pass';
      return this.#track(kind, { inner, enclosing });
    });
  }

  #skip(judge: (kind: TokenKind) => 'go-on' | 'pass' | 'stop'): void {
    for (;;) {
      const kind = this.#tokens.kind(this.#at);
      const verdict = kind === tokenKind.endOfFile ? 'stop' : judge(kind);
      if (verdict !== 'stop') this.#at += 1;
      if (verdict !== 'go-on') break;
    }
    this.#settle();
  }

  #track(kind: TokenKind, { inner, enclosing }: { inner: BracketStack; enclosing: BracketStack }): 'go-on' | 'stop' {
    if (isOpener(kind)) inner.push(kind);
    if (!isCloser(kind)) return 'go-on';
    if (!inner.has(kind)) return enclosing.has(kind) && !inner.isInTemplate ? 'stop' : 'go-on';
    inner.close(kind);
    return 'go-on';
  }

  #settle(): void {
    const newlinesSeen = this.#newlineModes[this.#newlineModes.length - 1] ?? true;
    this.#next = this.#at;
    if (newlinesSeen) return;
    while (this.#tokens.kind(this.#next) === tokenKind.newline) this.#next += 1;
  }
}
