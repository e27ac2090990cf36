import type { Label } from '../ast.ts';
import { normalized } from './characters.ts';
import type { Parser } from './parser.ts';
import { decodeQuoted } from './text-literal.ts';
import { tokenKind, type Token } from './token.ts';

const ARGUMENT_HEADER = 'a block needs "{"; an argument has one name and no labels';
const BLOCK_HEADER = 'a label is expected, or "{" on the line where the block starts';

/** The labels of a block, in quotes or as words, up to its opening brace. */
export function parseLabels(parser: Parser): readonly Label[] {
  const { reader } = parser;
  const labels: Label[] = [];
  while (!parser.recovering && !reader.is(tokenKind.openBrace)) {
    if (reader.is(tokenKind.openQuote)) labels.push(parseQuoted(parser));
    else if (reader.is(tokenKind.identifier)) labels.push(parseWord(parser));
    else failHeader(parser);
  }
  return labels;
}

function parseWord(parser: Parser): Label {
  const { start, end } = parser.reader.take();
  return { value: normalized(parser.text.slice(start, end)), quoted: false, start, end };
}

/** Text and escapes only: a label is known before anything is evaluated. */
function parseQuoted(parser: Parser): Label {
  const { reader } = parser;
  const { start } = reader.take();
  const pieces: string[] = [];
  while (reader.is(tokenKind.text)) pieces.push(decodeQuoted(parser, reader.take()));
  if (reader.is(tokenKind.closeQuote)) reader.take();
  else failLabel(parser, reader.peek());
  return { value: normalized(pieces.join('')), quoted: true, start, end: reader.previousEnd };
}

function failLabel(parser: Parser, met: Token): void {
  if (met.kind === tokenKind.endOfFile) {
    parser.fail('Unterminated string literal', 'The text ends before the closing quote of this label.', met);
    return;
  }
  const expected = 'a label holds nothing but text; "$${" and "%%{" stand for "${" and "%{"';
  parser.unexpected(met, 'Invalid string literal', expected);
  parser.skipPast(tokenKind.closeQuote);
}

function failHeader(parser: Parser): void {
  const met = parser.reader.peek();
  const isArgument = met.kind === tokenKind.equal;
  parser.unexpected(met, 'Invalid block definition', isArgument ? ARGUMENT_HEADER : BLOCK_HEADER);
}
