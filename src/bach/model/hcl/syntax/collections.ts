import type { Expression, ObjectItem, Span } from '../ast.ts';
import { parseFor, startsFor } from './for.ts';
import type { Parser } from './parser.ts';
import { tokenKind, type Token } from './token.ts';

/** `[a, b]` or `[for …]`. */
export function parseTuple(parser: Parser): Expression {
  const open = parser.reader.take();
  const tuple = parser.bracketed<Expression>(open, 'passed-over', () => {
    if (startsFor(parser)) return parseFor(parser, open);
    return { kind: 'tuple', items: parseItems(parser, open), ...upToHere(parser, open) };
  });
  return tuple ?? { kind: 'invalid', start: open.start, end: open.end };
}

/** `{ a = b }` or `{for …}`: newlines separate items in the former and mean nothing in the latter. */
export function parseObject(parser: Parser): Expression {
  const { reader } = parser;
  const open = reader.take();
  reader.pushNewlines('passed-over');
  const isFor = startsFor(parser);
  reader.popNewlines();
  const object = parser.bracketed<Expression>(open, isFor ? 'passed-over' : 'seen', () => {
    if (isFor) return parseFor(parser, open);
    return { kind: 'object', items: parsePairs(parser, open), ...upToHere(parser, open) };
  });
  return object ?? { kind: 'invalid', start: open.start, end: open.end };
}

function upToHere(parser: Parser, open: Token): Span {
  return { start: open.start, end: parser.reader.previousEnd };
}

function parseItems(parser: Parser, open: Token): readonly Expression[] {
  const { reader } = parser;
  const items: Expression[] = [];
  while (!reader.is(tokenKind.closeBracket)) {
    items.push(parser.expression());
    if (!parser.recovering && !reader.is(tokenKind.comma) && !reader.is(tokenKind.closeBracket)) {
      failItemSeparator(parser, open);
    }
    if (parser.recovering) {
      parser.skipPast(tokenKind.closeBracket);
      return items;
    }
    if (reader.is(tokenKind.comma)) reader.take();
  }
  reader.take();
  return items;
}

function failItemSeparator(parser: Parser, open: Token): void {
  const met = parser.reader.peek();
  if (met.kind === tokenKind.endOfFile) {
    const detail = 'The text ends before the "]" of this tuple.';
    parser.fail('Unterminated tuple constructor expression', detail, open);
    return;
  }
  parser.unexpected(met, 'Missing item separator', '"," or "]" is expected');
}

function parsePairs(parser: Parser, open: Token): readonly ObjectItem[] {
  const { reader } = parser;
  const items: ObjectItem[] = [];
  for (;;) {
    while (reader.is(tokenKind.newline)) reader.take();
    if (reader.is(tokenKind.closeBrace)) break;
    const item = parsePair(parser, open);
    if (item === undefined) {
      parser.skipPast(tokenKind.closeBrace);
      return items;
    }
    items.push(item);
    if (reader.is(tokenKind.comma)) reader.take();
  }
  reader.take();
  return items;
}

function parsePair(parser: Parser, open: Token): ObjectItem | undefined {
  const { reader } = parser;
  const forced = reader.is(tokenKind.openParen);
  const key = parser.expression();
  if (parser.recovering) return undefined;
  if (!reader.is(tokenKind.equal) && !reader.is(tokenKind.colon)) {
    failKeySeparator(parser, open);
    return undefined;
  }
  reader.take();
  const value = parser.expression();
  if (!parser.recovering && !endsPair(parser)) failPairSeparator(parser, open);
  if (parser.recovering) return undefined;
  const word = forced ? undefined : bareWord(parser, key);
  return { key: word ?? key, literalKey: word !== undefined, value };
}

/** `true`, `false` and `null` are words like any other where a key stands. */
function bareWord(parser: Parser, key: Expression): Expression | undefined {
  if (key.kind === 'variable') return key;
  if (key.kind !== 'boolean' && key.kind !== 'null') return undefined;
  const { start, end } = key;
  return { kind: 'variable', name: parser.text.slice(start, end), start, end };
}

function endsPair({ reader }: Parser): boolean {
  return reader.is(tokenKind.comma) || reader.is(tokenKind.newline) || reader.is(tokenKind.closeBrace);
}

function failKeySeparator(parser: Parser, open: Token): void {
  const met = parser.reader.peek();
  if (met.kind === tokenKind.endOfFile) return failEnd(parser, open);
  const valueLess = met.kind === tokenKind.newline || met.kind === tokenKind.comma;
  const summary = valueLess ? 'Missing attribute value' : 'Missing key/value separator';
  parser.unexpected(met, summary, '"=" and a value must follow the key');
}

function failPairSeparator(parser: Parser, open: Token): void {
  const met = parser.reader.peek();
  if (met.kind === tokenKind.endOfFile) return failEnd(parser, open);
  parser.unexpected(met, 'Missing attribute separator', 'a newline, "," or "}" is expected');
}

function failEnd(parser: Parser, open: Token): void {
  const detail = 'The text ends before the "}" of this object.';
  parser.fail('Unterminated object constructor expression', detail, open);
}
