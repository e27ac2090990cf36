import type { Expression, ObjectConstructor, ObjectItem } from '../ast.ts';
import { convert } from './convert.ts';
import { describe } from './describe.ts';
import type { Run } from './run.ts';
import type { Scope } from './scope.ts';
import { STRING } from './type.ts';
import { objectValue, UNKNOWN, type Value } from './value.ts';

export function evaluateObject(node: ObjectConstructor, scope: Scope, run: Run): Value {
  const entries = node.items.map((item) => {
    const key = keyText(item, scope, run);
    const value = run.value(item.value, scope);
    return key === undefined ? undefined : ([key, value] as const);
  });
  const known = entries.filter((entry) => entry !== undefined);
  return known.length === entries.length ? objectValue(known) : UNKNOWN;
}

function keyText({ key, literalKey }: ObjectItem, scope: Scope, run: Run): string | undefined {
  if (literalKey && key.kind === 'variable') return key.name;
  if (isReference(key)) {
    const detail = 'a key with a point or an index is either a reference, in parentheses, or a text, in quotes';
    run.fail(key, { summary: 'Ambiguous attribute key', detail });
    return undefined;
  }
  const value = run.value(key, scope);
  const string = convert(value, STRING);
  if (string.kind === 'string') return string.text;
  if (string.kind !== 'unknown') {
    const summary = value.kind === 'null' ? 'Null value as key' : 'Incorrect key type';
    run.fail(key, { summary, detail: `the key is ${describe(value)}; a string is expected` });
  }
  return undefined;
}

/** A name followed by attributes or by indices that are written out. */
function isReference(expression: Expression): boolean {
  if (expression.kind === 'get-attribute') return expression.target.kind === 'variable' || isReference(expression.target);
  if (expression.kind !== 'index') return false;
  const isWrittenOut = expression.key.kind === 'number' || expression.key.kind === 'template';
  return isWrittenOut && (expression.target.kind === 'variable' || isReference(expression.target));
}
