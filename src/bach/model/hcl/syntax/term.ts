import type { Expression } from '../ast.ts';
import { parseCall } from './call.ts';
import { normalized } from './characters.ts';
import { parseObject, parseTuple } from './collections.ts';
import { parseNumber } from './number-literal.ts';
import type { Parser } from './parser.ts';
import { parseTemplateTerm } from './template.ts';
import { tokenKind } from './token.ts';

/** The smallest expressions, and those that brackets or quotes enclose. */
export function parseTerm(parser: Parser): Expression {
  switch (parser.reader.kind) {
    case tokenKind.number:
      return parseNumber(parser, parser.reader.take());
    case tokenKind.identifier:
      return parseWord(parser);
    case tokenKind.openQuote:
    case tokenKind.openHeredoc:
      return parseTemplateTerm(parser);
    case tokenKind.openParen:
      return parseParentheses(parser);
    case tokenKind.openBracket:
      return parseTuple(parser);
    case tokenKind.openBrace:
      return parseObject(parser);
    default:
      return missing(parser);
  }
}

function parseWord(parser: Parser): Expression {
  const word = parser.reader.take();
  const next = parser.reader.kind;
  if (next === tokenKind.openParen || next === tokenKind.doubleColon) return parseCall(parser, word);
  const { start, end } = word;
  const name = parser.text.slice(start, end);
  if (name === 'true' || name === 'false') return { kind: 'boolean', value: name === 'true', start, end };
  if (name === 'null') return { kind: 'null', start, end };
  return { kind: 'variable', name: normalized(name), start, end };
}

function parseParentheses(parser: Parser): Expression {
  const { reader } = parser;
  const open = reader.take();
  const inner = parser.bracketed(open, 'passed-over', () => {
    const expression = parser.expression();
    if (parser.recovering) return closedBadly(parser, expression);
    const close = reader.peek();
    if (close.kind !== tokenKind.closeParen) {
      parser.unexpected(close, 'Unbalanced parentheses', '")" is expected');
      return closedBadly(parser, expression);
    }
    reader.take();
    return expression;
  });
  if (inner === undefined) return { kind: 'invalid', start: open.start, end: open.end };
  return { kind: 'parentheses', inner, start: open.start, end: reader.previousEnd };
}

function closedBadly(parser: Parser, expression: Expression): Expression {
  parser.skipPast(tokenKind.closeParen);
  return expression;
}

function missing(parser: Parser): Expression {
  const token = parser.reader.peek();
  const summary = token.kind === tokenKind.endOfFile ? 'Missing expression' : 'Invalid expression';
  parser.unexpected(token, summary, 'an expression must start');
  return { kind: 'invalid', start: token.start, end: token.start };
}
