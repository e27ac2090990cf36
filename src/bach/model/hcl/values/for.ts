import type { Expression, For } from '../ast.ts';
import { convert } from './convert.ts';
import { describe } from './describe.ts';
import { loopScope, loopScopes } from './loop.ts';
import type { Run } from './run.ts';
import type { Scope } from './scope.ts';
import { BOOL, STRING } from './type.ts';
import { objectValue, tupleValue, UNKNOWN, type Value } from './value.ts';

export function evaluateFor(node: For, scope: Scope, run: Run): Value {
  const scopes = loopScopes(node, scope, run);
  if (scopes === undefined) return UNKNOWN;
  // A condition that can never be a bool is an error also where there is no element to try it on.
  if (scopes.length === 0) isIncluded(node, loopScope(node, scope, { key: UNKNOWN, value: UNKNOWN }), run);
  const included = scopes.map((each) => isIncluded(node, each, run));
  if (included.includes(undefined)) return UNKNOWN;
  const kept = scopes.filter((_, index) => included[index]);
  if (node.key === undefined) return tupleValue(kept.map((each) => run.value(node.value, each)));
  return loopObject({ node, key: node.key, scopes: kept }, run);
}

function isIncluded({ condition }: For, scope: Scope, run: Run): boolean | undefined {
  if (condition === undefined) return true;
  const value = run.value(condition, scope);
  const bool = convert(value, BOOL);
  if (bool.kind === 'bool') return bool.truth;
  if (bool.kind === 'unknown') return undefined;
  const summary = value.kind === 'null' ? 'Condition is null' : "Invalid 'for' condition";
  run.fail(condition, { summary, detail: `the 'if' clause is ${describe(value)}; a bool is expected` });
  return undefined;
}

interface ObjectLoop {
  readonly node: For;
  readonly key: Expression;
  readonly scopes: readonly Scope[];
}

/** Every key and value is evaluated, whatever fails before it. */
function loopObject({ node, key, scopes }: ObjectLoop, run: Run): Value {
  const entries = scopes.map((scope) => ({ name: keyText(key, scope, run), value: run.value(node.value, scope) }));
  const groups = new Map<string, Value[]>();
  for (const { name, value } of entries) {
    if (name !== undefined) groupFor(groups, name).push(value);
  }
  const repeated = node.grouped ? undefined : [...groups].find(([, values]) => values.length > 1);
  if (repeated !== undefined) return run.fail(key, duplicateKey(repeated[0]));
  if (entries.some(({ name }) => name === undefined)) return UNKNOWN;
  return objectValue([...groups].map(([name, group]) => [name, node.grouped ? tupleValue(group) : firstOf(group)]));
}

function groupFor(groups: Map<string, Value[]>, name: string): Value[] {
  const group = groups.get(name) ?? [];
  groups.set(name, group);
  return group;
}

function firstOf(group: readonly Value[]): Value {
  return group[0] ?? UNKNOWN;
}

function keyText(key: Expression, scope: Scope, run: Run): string | undefined {
  const value = run.value(key, scope);
  const string = convert(value, STRING);
  if (string.kind === 'string') return string.text;
  if (string.kind !== 'unknown') {
    const detail = `the key is ${describe(value)}; a string is expected`;
    run.fail(key, { summary: 'Invalid object key', detail });
  }
  return undefined;
}

function duplicateKey(name: string) {
  const detail = `two elements give the key ${JSON.stringify(name)}; write ... after the value to group them`;
  return { summary: 'Duplicate object key', detail };
}
