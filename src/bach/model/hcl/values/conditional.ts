import type { Conditional, Expression } from '../ast.ts';
import { convert } from './convert.ts';
import { describe } from './describe.ts';
import type { Run } from './run.ts';
import type { Scope } from './scope.ts';
import { BOOL, typeText, type Type } from './type.ts';
import { unify } from './unify.ts';
import { typeOf, UNKNOWN, type Value } from './value.ts';

/** Both results are evaluated, since their types decide the result's; only the chosen one may report errors. */
export function evaluateConditional(node: Conditional, scope: Scope, run: Run): Value {
  const truth = evaluateCondition(node.condition, scope, run);
  if (truth === undefined) return UNKNOWN;
  const [chosen, other] = truth ? [node.whenTrue, node.whenFalse] : [node.whenFalse, node.whenTrue];
  const value = run.value(chosen, scope);
  const unused = run.silently(other, scope);
  const type = unify([typeOf(value), typeOf(unused)]);
  const converted = type === undefined ? undefined : convert(value, type);
  if (converted !== undefined && converted.kind !== 'failure') return converted;
  const [whenTrue, whenFalse] = truth ? [value, unused] : [unused, value];
  return run.fail(spanOfResults(node), {
    summary: 'Inconsistent conditional result types',
    detail: `the true result is ${cut(typeOf(whenTrue))} and the false result ${cut(typeOf(whenFalse))}; they need one type`,
  });
}

/** The truth of a condition, `undefined` after an error. */
export function evaluateCondition(condition: Expression, scope: Scope, run: Run): boolean | undefined {
  const value = run.value(condition, scope);
  if (value.kind === 'null') {
    run.fail(condition, { summary: 'Null condition', detail: 'the condition is null; true or false is expected' });
    return undefined;
  }
  const bool = convert(value, BOOL);
  if (bool.kind === 'bool') return bool.truth;
  if (bool.kind === 'failure') {
    const detail = `the condition is ${describe(value)}; a bool is expected`;
    run.fail(condition, { summary: 'Incorrect condition type', detail });
  }
  return undefined;
}

function spanOfResults({ whenTrue, whenFalse }: Conditional) {
  return { start: whenTrue.start, end: whenFalse.end };
}

function cut(type: Type): string {
  const text = typeText(type);
  return text.length <= 80 ? text : `${text.slice(0, 80)}…`;
}
