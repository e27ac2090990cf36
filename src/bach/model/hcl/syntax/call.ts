import type { Expression } from '../ast.ts';
import { normalized } from './characters.ts';
import type { Parser } from './parser.ts';
import { tokenKind, type Token } from './token.ts';

/** A call, from behind the first word of its name; `a::b::c(…)` is a call of one function with that name. */
export function parseCall(parser: Parser, first: Token): Expression {
  const name = parseName(parser, first);
  if (name === undefined) return { kind: 'invalid', start: first.start, end: first.end };
  const open = parser.reader.take();
  const items = parser.bracketed(open, 'passed-over', () => parseArguments(parser, { first, open }));
  return {
    kind: 'call',
    name: name.text,
    nameSpan: { start: first.start, end: name.end },
    arguments: items?.list ?? [],
    expandLast: items?.expandLast ?? false,
    start: first.start,
    end: parser.reader.previousEnd,
  };
}

function parseName(parser: Parser, first: Token): { readonly text: string; readonly end: number } | undefined {
  const { reader } = parser;
  const words = [first];
  while (reader.is(tokenKind.doubleColon)) {
    reader.take();
    const word = reader.peek();
    if (word.kind !== tokenKind.identifier) {
      parser.unexpected(word, 'Missing function name', '"::" must be followed by a name');
      return undefined;
    }
    words.push(reader.take());
  }
  const open = reader.peek();
  if (open.kind !== tokenKind.openParen) {
    parser.unexpected(open, 'Missing open parenthesis', `"(" must follow the function's name`);
    return undefined;
  }
  const text = words.map(({ start, end }) => normalized(parser.text.slice(start, end))).join('::');
  return { text, end: reader.previousEnd };
}

interface Arguments {
  readonly list: readonly Expression[];
  readonly expandLast: boolean;
}

interface Opening {
  readonly first: Token;
  readonly open: Token;
}

function parseArguments(parser: Parser, opening: Opening): Arguments {
  const { reader } = parser;
  const list: Expression[] = [];
  while (!reader.is(tokenKind.closeParen)) {
    list.push(parser.expression());
    if (parser.recovering) return closedBadly(parser, list);
    if (reader.is(tokenKind.closeParen)) break;
    if (reader.is(tokenKind.ellipsis)) return parseExpansion(parser, list);
    if (!reader.is(tokenKind.comma)) {
      failSeparator(parser, opening);
      return closedBadly(parser, list);
    }
    reader.take();
  }
  reader.take();
  return { list, expandLast: false };
}

function parseExpansion(parser: Parser, list: readonly Expression[]): Arguments {
  const dots = parser.reader.take();
  if (parser.reader.is(tokenKind.closeParen)) {
    parser.reader.take();
    return { list, expandLast: true };
  }
  const detail = 'An argument that "..." expands is the last one, so ")" must follow.';
  parser.fail('Missing closing parenthesis', detail, dots);
  return { ...closedBadly(parser, list), expandLast: true };
}

function failSeparator(parser: Parser, { first, open }: Opening): void {
  const met = parser.reader.peek();
  if (met.kind === tokenKind.endOfFile) {
    const place = { start: first.start, end: open.end };
    parser.fail('Unterminated function call', 'The text ends before the ")" of this call.', place);
    return;
  }
  parser.unexpected(met, 'Missing argument separator', '"," or ")" is expected');
}

function closedBadly(parser: Parser, list: readonly Expression[]): Arguments {
  parser.skipPast(tokenKind.closeParen);
  return { list, expandLast: false };
}
