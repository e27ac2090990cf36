import { tokenKind, type TokenKind } from './token.ts';

const OPENER_OF: ReadonlyMap<TokenKind, readonly TokenKind[]> = new Map<TokenKind, readonly TokenKind[]>([
  [tokenKind.closeBrace, [tokenKind.openBrace]],
  [tokenKind.closeBracket, [tokenKind.openBracket]],
  [tokenKind.closeParen, [tokenKind.openParen]],
  [tokenKind.closeQuote, [tokenKind.openQuote]],
  [tokenKind.closeHeredoc, [tokenKind.openHeredoc]],
  [tokenKind.closeSequence, [tokenKind.openInterpolation, tokenKind.openDirective]],
]);

const OPENERS: ReadonlySet<TokenKind> = new Set([...OPENER_OF.values()].flat());

export function isOpener(kind: TokenKind): boolean {
  return OPENERS.has(kind);
}

export function isCloser(kind: TokenKind): boolean {
  return OPENER_OF.has(kind);
}

/** The brackets that are open at one place. Counts per kind keep every question off the depth of the stack. */
export class BracketStack {
  readonly #stack: TokenKind[] = [];
  readonly #counts = new Map<TokenKind, number>();

  get depth(): number {
    return this.#stack.length;
  }

  /** Whether a quote or heredoc is open: a bracket in there cannot close one outside. */
  get isInTemplate(): boolean {
    return this.#count(tokenKind.openQuote) + this.#count(tokenKind.openHeredoc) > 0;
  }

  push(kind: TokenKind): void {
    this.#stack.push(kind);
    this.#counts.set(kind, this.#count(kind) + 1);
  }

  pop(): void {
    const kind = this.#stack.pop();
    if (kind !== undefined) this.#counts.set(kind, this.#count(kind) - 1);
  }

  /** Whether a bracket that `closer` could close is open. */
  has(closer: TokenKind): boolean {
    return OPENER_OF.get(closer)?.some((opener) => this.#count(opener) > 0) ?? false;
  }

  /** Closes the innermost bracket that `closer` fits, and with it whatever was left open inside. */
  close(closer: TokenKind): void {
    const openers = OPENER_OF.get(closer) ?? [];
    while (this.#stack.length > 0 && !openers.some((opener) => opener === this.#stack.at(-1))) this.pop();
    this.pop();
  }

  #count(kind: TokenKind): number {
    return this.#counts.get(kind) ?? 0;
  }
}
