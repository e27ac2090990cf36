import type { Span } from '../ast.ts';
import { tokenize } from './lexer.ts';
import { tokenKind, type TokenKind, type TokenList } from './token.ts';

const OPENERS: ReadonlySet<TokenKind> = new Set([
  tokenKind.openBrace,
  tokenKind.openBracket,
  tokenKind.openParen,
  tokenKind.openQuote,
  tokenKind.openHeredoc,
  tokenKind.openInterpolation,
  tokenKind.openDirective,
]);

const CLOSERS: ReadonlySet<TokenKind> = new Set([
  tokenKind.closeBrace,
  tokenKind.closeBracket,
  tokenKind.closeParen,
  tokenKind.closeQuote,
  tokenKind.closeHeredoc,
  tokenKind.closeSequence,
]);

/** A line outside all blocks that starts with a certain word. */
export interface TopLine extends Span {
  /** What follows the word; empty where nothing does. Comments at the end are left out. */
  readonly rest: Span;
  /** False where a quote is still open at the end of the line: nothing behind it can be told from text. */
  readonly closed: boolean;
}

/**
 * The lines outside all blocks that start with `word`, with whatever their brackets span. An argument of that name,
 * `word = value`, is none. To be looked for before the text is parsed, because they are no HCL.
 */
export function topLines(text: string, word: string): readonly TopLine[] {
  if (!text.includes(word)) return [];
  const tokens = tokenize(text, 'code');
  const lines: TopLine[] = [];
  for (let first = 0; tokens.kind(first) !== tokenKind.endOfFile; ) {
    const next = lineEnd(tokens, first);
    if (startsWith({ text, tokens, word }, first)) lines.push(topLine(tokens, first, next));
    if (tokens.kind(next) === tokenKind.quotedNewline) break;
    first = tokens.kind(next) === tokenKind.newline ? next + 1 : next;
  }
  return lines;
}

/** The token that ends the line: a newline outside all brackets or inside quotes, or the end of the file. */
function lineEnd(tokens: TokenList, first: number): number {
  let depth = 0;
  for (let index = first; ; index += 1) {
    const kind = tokens.kind(index);
    if (kind === tokenKind.endOfFile || kind === tokenKind.quotedNewline) return index;
    if (kind === tokenKind.newline && depth === 0) return index;
    if (OPENERS.has(kind)) depth += 1;
    if (CLOSERS.has(kind)) depth = Math.max(0, depth - 1);
  }
}

function startsWith({ text, tokens, word }: { text: string; tokens: TokenList; word: string }, first: number): boolean {
  if (tokens.kind(first) !== tokenKind.identifier) return false;
  return text.slice(tokens.start(first), tokens.end(first)) === word && tokens.kind(first + 1) !== tokenKind.equal;
}

function topLine(tokens: TokenList, first: number, next: number): TopLine {
  const last = next - 1;
  const start = tokens.end(first);
  const rest = last === first ? { start, end: start } : { start: tokens.start(first + 1), end: tokens.end(last) };
  return { start: tokens.start(first), end: rest.end, rest, closed: tokens.kind(next) !== tokenKind.quotedNewline };
}
