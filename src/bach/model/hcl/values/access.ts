import { nearest } from '../../../../kernel/text/index.ts';
import type { GetAttribute, Index, Span } from '../ast.ts';
import { convert } from './convert.ts';
import { describe, typeName } from './describe.ts';
import { isWhole, toInteger, type Float } from './float.ts';
import type { Run } from './run.ts';
import type { Scope } from './scope.ts';
import { NUMBER, STRING } from './type.ts';
import { entriesOf, itemsOf, UNKNOWN, type Value } from './value.ts';

const MOST_NAMES = 10;

export function evaluateGetAttribute(node: GetAttribute, scope: Scope, run: Run): Value {
  return attributeOf({ target: run.value(node.target, scope), name: node.name, span: node.nameSpan }, run);
}

export function evaluateIndex(node: Index, scope: Scope, run: Run): Value {
  const target = run.value(node.target, scope);
  return elementOf({ target, key: run.value(node.key, scope), span: node.key }, run);
}

/** `target.name`; `span` is where a failure points. */
export function attributeOf({ target, name, span }: { target: Value; name: string; span: Span }, run: Run): Value {
  if (target.kind === 'unknown') return UNKNOWN;
  const quoted = JSON.stringify(name);
  if (target.kind === 'null') {
    const detail = `a null value has no attributes, so none named ${quoted}`;
    return run.fail(span, { summary: 'Attempt to get attribute from null value', detail });
  }
  const entries = entriesOf(target);
  if (entries === undefined) {
    const detail = `${describe(target)} has no attributes, so none named ${quoted}${hintForItems(target)}`;
    return run.fail(span, { summary: 'Unsupported attribute', detail });
  }
  const found = entries.get(name);
  if (found !== undefined) return found;
  const summary = target.kind === 'map' ? 'Missing map element' : 'Unsupported attribute';
  return run.fail(span, { summary, detail: missing(target, name, entries) });
}

/** `target[key]`; `span` is where a failure points. */
export function elementOf({ target, key, span }: { target: Value; key: Value; span: Span }, run: Run): Value {
  if (target.kind === 'unknown' || key.kind === 'unknown') return UNKNOWN;
  if (target.kind === 'null') {
    const detail = `a null value has no elements, so none at ${describe(key)}`;
    return run.fail(span, { summary: 'Attempt to index null value', detail });
  }
  const found = lookUp(target, key);
  return typeof found === 'string' ? run.fail(span, { summary: 'Invalid index', detail: found }) : found;
}

/** The element, or a sentence that says why there is none. */
function lookUp(target: Value, key: Value): Value | string {
  if (key.kind === 'null') return 'the key is null; a string or a whole number is expected';
  const items = itemsOf(target);
  if (items !== undefined) return itemAt(items, key);
  const entries = entriesOf(target);
  if (entries === undefined) return `${describe(target)} has no elements, so none at ${describe(key)}`;
  const name = convert(key, STRING);
  if (name.kind !== 'string') return `the key is ${describe(key)}; a string is expected`;
  return entries.get(name.text) ?? missing(target, name.text, entries);
}

function itemAt(items: readonly Value[], key: Value): Value | string {
  const number = convert(key, NUMBER);
  if (number.kind !== 'number') return `the key is ${describe(key)}; a number is expected`;
  const index = toInteger(number.float);
  const found = index === undefined ? undefined : items[index];
  return found ?? reasonAgainst(number.float, describe(number), items.length);
}

function reasonAgainst(index: Float, described: string, length: number): string {
  if (!isWhole(index)) return `the key is ${described}; a whole number is expected`;
  if (index.mantissa < 0n) return `the key is ${described}; elements are counted from 0`;
  return `the key is ${described}; there are ${length} elements, counted from 0`;
}

function missing(target: Value, name: string, entries: ReadonlyMap<string, Value>): string {
  const quoted = JSON.stringify(name);
  const kind = target.kind === 'map' ? 'this map has no element with the key' : 'this object has no attribute named';
  return `${kind} ${quoted}${hint(name, [...entries.keys()])}`;
}

/** The nearest name, or all of them when none is near and they are few. */
function hint(name: string, names: readonly string[]): string {
  const near = nearest(name, names);
  if (near !== undefined) return `; did you mean ${JSON.stringify(near)}?`;
  if (names.length === 0) return '; it is empty';
  const more = names.length > MOST_NAMES ? ', …' : '';
  return `; it has ${names.slice(0, MOST_NAMES).join(', ')}${more}`;
}

function hintForItems(target: Value): string {
  return itemsOf(target) === undefined ? '' : `; take one element of the ${typeName(target)} or all by [*]`;
}
