import type { Expression, Template } from '../ast.ts';
import { trimIndentation } from './heredoc.ts';
import type { Parser } from './parser.ts';
import { readPieces, type Piece, type TextPiece } from './template-pieces.ts';
import { buildParts } from './template-tree.ts';
import { tokenKind, type TokenKind } from './token.ts';

/** A quoted template or a heredoc. */
export function parseTemplateTerm(parser: Parser): Expression {
  const open = parser.reader.take();
  if (open.kind === tokenKind.openQuote) {
    return parseUntil(parser, { closer: tokenKind.closeQuote, form: 'quoted', start: open.start, indented: false });
  }
  const indented = parser.text.startsWith('<<-', open.start);
  return parseUntil(parser, { closer: tokenKind.closeHeredoc, form: 'heredoc', start: open.start, indented });
}

/** A text that is one template from its start to its end. */
export function parseBareTemplate(parser: Parser): Expression {
  return parseUntil(parser, { closer: tokenKind.endOfFile, form: 'bare', start: 0, indented: false });
}

interface Shape {
  readonly closer: TokenKind;
  readonly form: Template['form'];
  readonly start: number;
  readonly indented: boolean;
}

function parseUntil(parser: Parser, { closer, form, start, indented }: Shape): Expression {
  const read = readPieces(parser, { closer, quoted: form === 'quoted' });
  // Only a heredoc is read in more than one token per text, line by line.
  const pieces = form === 'heredoc' ? melded(indented ? trimIndentation(read.pieces) : read.pieces) : read.pieces;
  const end = form === 'bare' ? parser.text.length : parser.reader.previousEnd;
  const [only, ...others] = pieces;
  if (only?.kind === 'interpolation' && others.length === 0) {
    return { kind: 'template-wrap', wrapped: only.expression, start, end };
  }
  return { kind: 'template', form, parts: buildParts(parser, pieces, read.end), start, end };
}

/** Neighbouring texts as one: a heredoc is read line by line. */
function melded(pieces: readonly Piece[]): readonly Piece[] {
  const result: Piece[] = [];
  let run: TextPiece[] = [];
  for (const piece of pieces) {
    if (piece.kind === 'text') {
      run.push(piece);
      continue;
    }
    result.push(...meldedRun(run), piece);
    run = [];
  }
  return [...result, ...meldedRun(run)];
}

function meldedRun(run: readonly TextPiece[]): readonly TextPiece[] {
  const first = run[0];
  if (first === undefined) return [];
  const value = run.map((piece) => piece.value).join('');
  return [{ kind: 'text', value, start: first.start, end: run.at(-1)?.end ?? first.end }];
}
