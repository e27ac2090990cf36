import type { BinaryOperator, Expression } from '../ast.ts';
import type { Parser } from './parser.ts';
import { parseTerm } from './term.ts';
import { tokenKind, type Token, type TokenKind } from './token.ts';
import { parseTraversals } from './traversal.ts';

interface Operator {
  readonly operator: BinaryOperator;
  readonly precedence: number;
}

const BINARY: ReadonlyMap<TokenKind, Operator> = new Map<TokenKind, Operator>([
  [tokenKind.or, { operator: '||', precedence: 1 }],
  [tokenKind.and, { operator: '&&', precedence: 2 }],
  [tokenKind.doubleEqual, { operator: '==', precedence: 3 }],
  [tokenKind.notEqual, { operator: '!=', precedence: 3 }],
  [tokenKind.less, { operator: '<', precedence: 4 }],
  [tokenKind.lessOrEqual, { operator: '<=', precedence: 4 }],
  [tokenKind.greater, { operator: '>', precedence: 4 }],
  [tokenKind.greaterOrEqual, { operator: '>=', precedence: 4 }],
  [tokenKind.plus, { operator: '+', precedence: 5 }],
  [tokenKind.minus, { operator: '-', precedence: 5 }],
  [tokenKind.star, { operator: '*', precedence: 6 }],
  [tokenKind.slash, { operator: '/', precedence: 6 }],
  [tokenKind.percent, { operator: '%', precedence: 6 }],
]);

interface Branch {
  readonly condition: Expression;
  readonly whenTrue: Expression;
}

/** Any expression. What stands to the right of a colon continues the chain instead of nesting, as in `else if`. */
export function parseExpression(parser: Parser): Expression {
  const branches: Branch[] = [];
  for (;;) {
    const expression = parseBinary(parser, 1);
    if (parser.recovering || !parser.reader.is(tokenKind.question)) return chained(branches, expression);
    const whenTrue = parseWhenTrue(parser, expression);
    if (whenTrue === undefined) return chained(branches, expression);
    parser.link();
    branches.push({ condition: expression, whenTrue });
  }
}

/** From `?` to behind `:`, which enclose an expression as brackets do. */
function parseWhenTrue(parser: Parser, condition: Expression): Expression | undefined {
  const whenTrue = parser.nested(parser.reader.take(), () => parser.expression());
  if (parser.recovering) return undefined;
  const colon = parser.reader.peek();
  if (colon.kind === tokenKind.colon) {
    parser.reader.take();
    return whenTrue;
  }
  const expected = 'a colon and the value for a false condition must follow';
  parser.unexpected(colon, 'Missing false expression in conditional', expected);
  return { kind: 'invalid', start: condition.start, end: condition.end };
}

function chained(branches: readonly Branch[], last: Expression): Expression {
  return branches.reduceRight<Expression>(
    (whenFalse, { condition, whenTrue }) => ({
      kind: 'conditional',
      condition,
      whenTrue,
      whenFalse,
      start: condition.start,
      end: whenFalse.end,
    }),
    last,
  );
}

/** A chain of operators that bind at least as tightly as `precedence`; equal ones group to the left. */
function parseBinary(parser: Parser, precedence: number): Expression {
  let left = parseUnary(parser);
  while (!parser.recovering) {
    const operator = BINARY.get(parser.reader.kind);
    if (operator === undefined || operator.precedence < precedence) break;
    parser.reader.take();
    parser.link();
    const right = parseBinary(parser, operator.precedence + 1);
    left = { kind: 'binary', operator: operator.operator, left, right, start: left.start, end: right.end };
  }
  return left;
}

/** Signs bind tighter than any operator and looser than a traversal: `-a.b + c` is `(-(a.b)) + c`. */
function parseUnary(parser: Parser): Expression {
  const signs: Token[] = [];
  while (parser.reader.is(tokenKind.minus) || parser.reader.is(tokenKind.not)) {
    parser.link();
    signs.push(parser.reader.take());
  }
  const operand = parseTraversals(parser, parseTerm(parser));
  return signs.reduceRight(signed, operand);
}

function signed(operand: Expression, sign: Token): Expression {
  const operator = sign.kind === tokenKind.minus ? '-' : '!';
  return { kind: 'unary', operator, operand, start: sign.start, end: operand.end };
}
