import type { Expression, For, Span } from '../ast.ts';
import { normalized } from './characters.ts';
import type { Parser } from './parser.ts';
import { tokenKind, type Token } from './token.ts';

export function startsFor(parser: Parser): boolean {
  return isWord(parser, 'for');
}

function isWord({ reader, text }: Parser, word: string): boolean {
  if (!reader.is(tokenKind.identifier)) return false;
  const { start, end } = reader.peek();
  return end - start === word.length && text.startsWith(word, start);
}

/** A `for` expression from its keyword to behind the closing bracket; the caller has entered the bracket. */
export function parseFor(parser: Parser, open: Token): Expression {
  parser.reader.take();
  const header = parseForHeader(parser, 'expression');
  const result = header === undefined ? undefined : parseResult(parser);
  const closer = open.kind === tokenKind.openBrace ? tokenKind.closeBrace : tokenKind.closeBracket;
  if (!parser.recovering && !parser.reader.is(closer)) failClose(parser, open);
  if (parser.recovering) parser.skipPast(closer);
  else parser.reader.take();
  const span = { start: open.start, end: parser.reader.previousEnd };
  if (header === undefined || result === undefined) return { kind: 'invalid', ...span };
  const form = open.kind === tokenKind.openBrace ? 'object' : 'tuple';
  checkForm(parser, form, result);
  const { key, value, condition } = result;
  return { kind: 'for', form, ...header, key, value, condition, grouped: result.ellipsis !== undefined, ...span };
}

export type ForHeader = Pick<For, 'keyName' | 'valueName' | 'collection'>;

/** `value in collection` or `key, value in collection`, also behind `%{for`. */
export function parseForHeader(parser: Parser, what: 'expression' | 'directive'): ForHeader | undefined {
  const first = parseName(parser, what, 'a name must follow "for"');
  if (first === undefined) return undefined;
  const second = parser.reader.is(tokenKind.comma) ? parseSecondName(parser, what) : '';
  if (second === undefined) return undefined;
  if (!isWord(parser, 'in')) {
    failFor(parser, what, 'the word "in" is expected');
    return undefined;
  }
  parser.reader.take();
  const collection = parser.expression();
  return second === ''
    ? { keyName: undefined, valueName: first, collection }
    : { keyName: first, valueName: second, collection };
}

function parseSecondName(parser: Parser, what: 'expression' | 'directive'): string | undefined {
  parser.reader.take();
  return parseName(parser, what, 'the name for the value must follow the comma');
}

function parseName(parser: Parser, what: 'expression' | 'directive', expected: string): string | undefined {
  if (!parser.reader.is(tokenKind.identifier)) {
    failFor(parser, what, expected);
    return undefined;
  }
  const { start, end } = parser.reader.take();
  return normalized(parser.text.slice(start, end));
}

function failFor(parser: Parser, what: 'expression' | 'directive', expected: string): void {
  const met = parser.reader.peek();
  parser.unexpected(met, `Invalid 'for' ${what}`, `${expected}`);
}

interface ForResult {
  readonly key: Expression | undefined;
  readonly value: Expression;
  readonly condition: Expression | undefined;
  readonly ellipsis: Token | undefined;
}

/** From the colon to the end of the condition. */
function parseResult(parser: Parser): ForResult | undefined {
  const { reader } = parser;
  if (parser.recovering) return undefined;
  if (!reader.is(tokenKind.colon)) {
    failFor(parser, 'expression', 'a colon must follow the collection');
    return undefined;
  }
  reader.take();
  const first = parser.expression();
  const arrow = !parser.recovering && reader.is(tokenKind.fatArrow);
  if (arrow) reader.take();
  const value = arrow ? parser.expression() : first;
  const ellipsis = !parser.recovering && reader.is(tokenKind.ellipsis) ? reader.take() : undefined;
  const condition = parseCondition(parser);
  return parser.recovering ? undefined : { key: arrow ? first : undefined, value, condition, ellipsis };
}

function parseCondition(parser: Parser): Expression | undefined {
  if (parser.recovering || !isWord(parser, 'if')) return undefined;
  parser.reader.take();
  return parser.expression();
}

function failClose(parser: Parser, open: Token): void {
  failFor(parser, 'expression', `${open.kind === tokenKind.openBrace ? '"}"' : '"]"'} is expected`);
}

function checkForm(parser: Parser, form: For['form'], { key, value, ellipsis }: ForResult): void {
  const complain = (detail: string, place: Span): void => parser.note("Invalid 'for' expression", detail, place);
  if (form === 'object') {
    if (key === undefined) complain('An object is built from "key => value"; the key is missing.', value);
    return;
  }
  if (key !== undefined) complain('A tuple is built from values alone; a key with "=>" belongs to an object.', key);
  if (ellipsis !== undefined) complain('"..." groups values under one key, so it belongs to an object.', ellipsis);
}
