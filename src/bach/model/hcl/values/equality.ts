import { equalFloats } from './float.ts';
import { equalTypes } from './type.ts';
import { entriesOf, itemsOf, typeOf, type Value } from './value.ts';

/**
 * HCL's `==` on known values: deep, and without any conversion, so `"1" == 1` is false and so is a list beside a
 * tuple. All nulls are equal.
 */
export function equalValues(left: Value, right: Value): boolean {
  if (left.kind === 'null' || right.kind === 'null') return left.kind === right.kind;
  if (left.kind === 'string') return right.kind === 'string' && left.text === right.text;
  if (left.kind === 'number') return right.kind === 'number' && equalFloats(left.float, right.float);
  if (left.kind === 'bool') return right.kind === 'bool' && left.truth === right.truth;
  return haveSameShape(left, right) && equalItems(left, right) && equalEntries(left, right);
}

function haveSameShape(left: Value, right: Value): boolean {
  const isTyped = left.kind === 'list' || left.kind === 'map';
  return left.kind === right.kind && (!isTyped || equalTypes(typeOf(left), typeOf(right)));
}

function equalItems(left: Value, right: Value): boolean {
  const [a, b] = [itemsOf(left) ?? [], itemsOf(right) ?? []];
  return a.length === b.length && a.every((item, index) => equalAt(item, b[index]));
}

function equalEntries(left: Value, right: Value): boolean {
  const [a, b] = [entriesOf(left), entriesOf(right)];
  if (a === undefined || b === undefined) return a === b;
  return a.size === b.size && [...a].every(([key, value]) => equalAt(value, b.get(key)));
}

function equalAt(left: Value, right: Value | undefined): boolean {
  return right !== undefined && equalValues(left, right);
}
