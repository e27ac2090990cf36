import type { Binary, BinaryOperator, Expression, Unary } from '../ast.ts';
import { convert } from './convert.ts';
import { describe } from './describe.ts';
import { equalValues } from './equality.ts';
import { add, compareFloats, divide, multiply, negate, remainder, subtract, type Float } from './float.ts';
import type { Run } from './run.ts';
import type { Scope } from './scope.ts';
import { BOOL, NUMBER } from './type.ts';
import { boolValue, isKnown, numberValue, UNKNOWN, type Value } from './value.ts';

type Arithmetic = (left: Float, right: Float) => Float | undefined;

const ARITHMETIC: ReadonlyMap<BinaryOperator, Arithmetic> = new Map([
  ['+', add],
  ['-', subtract],
  ['*', multiply],
  ['/', divide],
  ['%', remainder],
]);

const ORDER: ReadonlyMap<BinaryOperator, (order: number) => boolean> = new Map([
  ['<', (order) => order < 0],
  ['<=', (order) => order <= 0],
  ['>', (order) => order > 0],
  ['>=', (order) => order >= 0],
]);

export function evaluateBinary(node: Binary, scope: Scope, run: Run): Value {
  const { operator } = node;
  if (operator === '&&' || operator === '||') return evaluateLogic(node, scope, run);
  if (operator === '==' || operator === '!=') return evaluateEquality(node, scope, run);
  const left = numberOperand(node.left, { name: `left operand of ${operator}`, scope }, run);
  const right = numberOperand(node.right, { name: `right operand of ${operator}`, scope }, run);
  if (left === undefined || right === undefined) return UNKNOWN;
  const holds = ORDER.get(operator);
  if (holds !== undefined) return boolValue(holds(compareFloats(left, right)));
  const result = ARITHMETIC.get(operator)?.(left, right);
  return result === undefined ? run.fail(node, arithmeticFailure(operator, right)) : numberValue(result);
}

export function evaluateUnary(node: Unary, scope: Scope, run: Run): Value {
  const operand = { name: `operand of ${node.operator}`, scope };
  if (node.operator === '!') {
    const truth = boolOperand(node.operand, operand, run);
    return truth === undefined ? UNKNOWN : boolValue(!truth);
  }
  const float = numberOperand(node.operand, operand, run);
  return float === undefined ? UNKNOWN : numberValue(negate(float));
}

/** The left side alone decides where it can; the right one is not evaluated then. */
function evaluateLogic(node: Binary, scope: Scope, run: Run): Value {
  const left = boolOperand(node.left, { name: `left operand of ${node.operator}`, scope }, run);
  const decisive = node.operator === '||';
  if (left === decisive) return boolValue(decisive);
  const right = boolOperand(node.right, { name: `right operand of ${node.operator}`, scope }, run);
  return left === undefined || right === undefined ? UNKNOWN : boolValue(right);
}

function evaluateEquality(node: Binary, scope: Scope, run: Run): Value {
  const left = run.value(node.left, scope);
  const right = run.value(node.right, scope);
  if (!isKnown(left) || !isKnown(right)) return UNKNOWN;
  return boolValue(equalValues(left, right) === (node.operator === '=='));
}

interface Operand {
  /** For messages: `left operand of +`. */
  readonly name: string;
  readonly scope: Scope;
}

function numberOperand(expression: Expression, operand: Operand, run: Run): Float | undefined {
  const value = run.value(expression, operand.scope);
  const number = convert(value, NUMBER);
  if (number.kind === 'number') return number.float;
  if (number.kind !== 'unknown') run.fail(expression, unsuitable(operand, value, 'number'));
  return undefined;
}

function boolOperand(expression: Expression, operand: Operand, run: Run): boolean | undefined {
  const value = run.value(expression, operand.scope);
  const bool = convert(value, BOOL);
  if (bool.kind === 'bool') return bool.truth;
  if (bool.kind !== 'unknown') run.fail(expression, unsuitable(operand, value, 'bool'));
  return undefined;
}

function unsuitable({ name }: Operand, value: Value, wanted: string) {
  return { summary: 'Invalid operand', detail: `the ${name} is ${describe(value)}; a ${wanted} is expected` };
}

function arithmeticFailure(operator: BinaryOperator, right: Float) {
  const isByZero = right.mantissa === 0n && (operator === '/' || operator === '%');
  const detail = isByZero
    ? `division by zero: the right operand of ${operator} is 0`
    : `the result of ${operator} is a number too large or too small to be held`;
  return { summary: 'Operation failed', detail };
}
