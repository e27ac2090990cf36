import { code, identifierEnd, identifierStartLength, isDigit, unitsAt } from './characters.ts';
import { operatorAt } from './operators.ts';
import {
  bareTextEnd,
  heredocLineSplit,
  heredocOpening,
  heredocTextEnd,
  isClosingLine,
  lineCommentEnd,
  newlineLength,
  numberEnd,
  quotedTextEnd,
  sequenceOpeningLength,
} from './scan.ts';
import { tokenKind, TokenList, type TokenKind } from './token.ts';

const BYTE_ORDER_MARK = 0xfeff;

/** Ten times what a project of 10,000 targets has; each takes time and, in a tree, memory. */
export const MAX_TOKENS = 4_000_000;

/** What the text at the current offset belongs to. */
interface Frame {
  readonly mode: 'code' | 'quoted' | 'heredoc' | 'bare';
  /** Only in a heredoc. */
  readonly marker: string;
  atLineStart: boolean;
}

/**
 * Cuts a whole text into tokens. Comments leave nothing behind but the newline that a one-line comment ends with.
 * Whatever the text holds, the last token is the end of the file. A text with more than `MAX_TOKENS` is cut off there.
 */
export function tokenize(text: string, mode: 'code' | 'bare'): TokenList {
  return new Lexer(text, mode).run();
}

class Lexer {
  readonly #text: string;
  readonly #tokens = new TokenList();
  readonly #frames: Frame[];
  /** For each open `${` or `%{`: the brace count at which its `}` closes it. */
  readonly #sequenceBraces: number[] = [];
  #braces = 0;
  #at: number;
  #commentMayEnd = true;

  constructor(text: string, mode: 'code' | 'bare') {
    this.#text = text;
    this.#frames = [frame(mode)];
    this.#at = text.charCodeAt(0) === BYTE_ORDER_MARK ? 1 : 0;
  }

  run(): TokenList {
    while (this.#at < this.#text.length && this.#tokens.length < MAX_TOKENS) this.#step();
    if (this.#at < this.#text.length) this.#tokens.cutAt = this.#at;
    this.#tokens.add(tokenKind.endOfFile, this.#text.length, this.#text.length);
    return this.#tokens;
  }

  #step(): void {
    const current = this.#frames[this.#frames.length - 1] ?? frame('code');
    if (current.mode === 'code') this.#code();
    else if (current.mode === 'quoted') this.#quoted();
    else if (current.mode === 'heredoc') this.#heredoc(current);
    else this.#bare();
  }

  #emit(kind: TokenKind, end: number): void {
    this.#tokens.add(kind, this.#at, end);
    this.#at = end;
  }

  #code(): void {
    const text = this.#text;
    const unit = text.charCodeAt(this.#at);
    if (unit === code.space || unit === code.tab) {
      this.#at += 1;
      return;
    }
    const name = identifierStartLength(text, this.#at);
    if (name > 0) return this.#emit(tokenKind.identifier, identifierEnd(text, this.#at + name));
    if (isDigit(unit)) return this.#emit(tokenKind.number, numberEnd(text, this.#at));
    const newline = newlineLength(text, this.#at);
    if (newline > 0) return this.#emit(tokenKind.newline, this.#at + newline);
    this.#mark(unit);
  }

  #mark(unit: number): void {
    if (unit === code.openBrace) return this.#openBrace();
    if (unit === code.closeBrace) return this.#closeBrace(1);
    if (unit === code.quote) return this.#openQuote();
    if (unit === code.tilde && this.#text.charCodeAt(this.#at + 1) === code.closeBrace) return this.#closeBrace(2);
    if (unit === code.hash || unit === code.slash) return this.#commentOrSlash(unit);
    if (unit === code.less && this.#openHeredoc()) return;
    const operator = operatorAt(this.#text, this.#at);
    if (operator !== undefined) return this.#emit(operator.kind, this.#at + operator.text.length);
    this.#emit(tokenKind.invalid, this.#at + unitsAt(this.#text, this.#at));
  }

  #openBrace(): void {
    this.#braces += 1;
    this.#emit(tokenKind.openBrace, this.#at + 1);
  }

  /** `}` and `~}`; the latter is the end of a sequence even where none is open, and the parser says so. */
  #closeBrace(length: number): void {
    const closesSequence = this.#sequenceBraces[this.#sequenceBraces.length - 1] === this.#braces;
    const kind = closesSequence || length === 2 ? tokenKind.closeSequence : tokenKind.closeBrace;
    this.#emit(kind, this.#at + length);
    this.#braces -= 1;
    if (!closesSequence) return;
    this.#sequenceBraces.pop();
    this.#frames.pop();
  }

  #openQuote(): void {
    this.#emit(tokenKind.openQuote, this.#at + 1);
    this.#frames.push(frame('quoted'));
  }

  #commentOrSlash(unit: number): void {
    const next = this.#text.charCodeAt(this.#at + 1);
    if (unit === code.hash || next === code.slash) return this.#lineComment();
    if (next === code.star && this.#commentMayEnd) {
      const end = this.#text.indexOf('*/', this.#at + 2);
      if (end !== -1) {
        this.#at = end + 2;
        return;
      }
      // Searched once only: a text full of unfinished comments would be read again for each of them.
      this.#commentMayEnd = false;
    }
    this.#emit(tokenKind.slash, this.#at + 1);
  }

  #lineComment(): void {
    const end = lineCommentEnd(this.#text, this.#at);
    if (this.#text.charCodeAt(end - 1) === code.newline) this.#emit(tokenKind.newline, end);
    else this.#at = end;
  }

  #openHeredoc(): boolean {
    if (this.#text.charCodeAt(this.#at + 1) !== code.less) return false;
    const opening = heredocOpening(this.#text, this.#at);
    if (opening === undefined) return false;
    this.#emit(tokenKind.openHeredoc, opening.end);
    this.#frames.push({ mode: 'heredoc', marker: opening.marker, atLineStart: true });
    return true;
  }

  #quoted(): void {
    const end = quotedTextEnd(this.#text, this.#at);
    if (end > this.#at) return this.#emit(tokenKind.text, end);
    const unit = this.#text.charCodeAt(this.#at);
    if (unit === code.quote) {
      this.#emit(tokenKind.closeQuote, this.#at + 1);
      this.#frames.pop();
      return;
    }
    if (this.#openSequence()) return;
    if (unit === code.newline || unit === code.carriageReturn) {
      return this.#emit(tokenKind.quotedNewline, newlinesEnd(this.#text, this.#at));
    }
    this.#emit(tokenKind.invalid, this.#at + unitsAt(this.#text, this.#at));
  }

  #heredoc(current: Frame): void {
    const end = heredocTextEnd(this.#text, this.#at);
    const newline = newlineLength(this.#text, end);
    if (newline > 0) return this.#heredocLine(current, { end, newline });
    current.atLineStart = false;
    if (end > this.#at) return this.#emit(tokenKind.text, end);
    if (this.#openSequence()) return;
    // A lone carriage return, or `$` before the end of the text: nothing behind it can be told from text.
    this.#emit(tokenKind.invalid, this.#text.length);
  }

  #heredocLine(current: Frame, line: { readonly end: number; readonly newline: number }): void {
    const closes = current.atLineStart && isClosingLine(this.#text.slice(this.#at, line.end), current.marker);
    current.atLineStart = true;
    if (!closes) return this.#heredocText(line.end + line.newline);
    this.#emit(tokenKind.closeHeredoc, line.end);
    this.#emit(tokenKind.newline, line.end + line.newline);
    this.#frames.pop();
  }

  /** A strip marker takes the last token only, so it matters that some lines are two. */
  #heredocText(end: number): void {
    const split = heredocLineSplit(this.#text, this.#at, end);
    if (split !== undefined) this.#emit(tokenKind.text, split);
    this.#emit(tokenKind.text, end);
  }

  #bare(): void {
    const end = bareTextEnd(this.#text, this.#at);
    if (end > this.#at) return this.#emit(tokenKind.text, end);
    this.#openSequence();
  }

  #openSequence(): boolean {
    const length = sequenceOpeningLength(this.#text, this.#at);
    if (length === 0) return false;
    const directive = this.#text.charCodeAt(this.#at) === code.percent;
    this.#emit(directive ? tokenKind.openDirective : tokenKind.openInterpolation, this.#at + length);
    this.#braces += 1;
    this.#sequenceBraces.push(this.#braces);
    this.#frames.push(frame('code'));
    return true;
  }
}

function frame(mode: Frame['mode']): Frame {
  return { mode, marker: '', atLineStart: false };
}

function newlinesEnd(text: string, at: number): number {
  let end = at;
  while (text.charCodeAt(end) === code.newline || text.charCodeAt(end) === code.carriageReturn) end += 1;
  return end;
}
