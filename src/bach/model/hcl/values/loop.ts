import type { Expression } from '../ast.ts';
import { describe } from './describe.ts';
import type { Run } from './run.ts';
import { childScope, type Scope } from './scope.ts';
import { entriesOf, integerValue, itemsOf, stringValue, type Value } from './value.ts';

/** What `for` has in common as an expression and as a directive of templates. */
interface Loop {
  readonly keyName: string | undefined;
  readonly valueName: string;
  readonly collection: Expression;
}

/** One scope for each element, objects and maps in the order of their keys; `undefined` after an error. */
export function loopScopes(loop: Loop, scope: Scope, run: Run): readonly Scope[] | undefined {
  const collection = run.value(loop.collection, scope);
  if (collection.kind === 'unknown') return undefined;
  const pairs = pairsOf(collection);
  if (pairs !== undefined) return pairs.map(([key, value]) => loopScope(loop, scope, { key, value }));
  const summary = `Iteration over ${collection.kind === 'null' ? 'null' : 'non-iterable'} value`;
  const detail = `the collection of 'for' is ${describe(collection)}; a tuple or an object is expected`;
  run.fail(loop.collection, { summary, detail });
  return undefined;
}

/** The scope of the loop's body with these values under the loop's names. */
export function loopScope(loop: Loop, scope: Scope, { key, value }: { key: Value; value: Value }): Scope {
  const keyed: readonly [string, Value][] = loop.keyName === undefined ? [] : [[loop.keyName, key]];
  return childScope(scope, new Map([...keyed, [loop.valueName, value]]));
}

function pairsOf(collection: Value): readonly (readonly [Value, Value])[] | undefined {
  const items = itemsOf(collection);
  if (items !== undefined) return items.map((item, index) => [integerValue(index), item] as const);
  const entries = entriesOf(collection);
  return entries && [...entries].map(([key, value]) => [stringValue(key), value] as const);
}
