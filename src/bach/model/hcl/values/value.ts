import { roundToFloat, ZERO, type Float } from './float.ts';
import {
  ANY,
  BOOL,
  compareKeys,
  listOf,
  mapOf,
  NUMBER,
  objectOf,
  STRING,
  tupleOf,
  type Type,
} from './type.ts';

export type Value =
  | StringValue
  | NumberValue
  | BoolValue
  | NullValue
  | TupleValue
  | ListValue
  | ObjectValue
  | MapValue
  | UnknownValue;

export interface StringValue {
  readonly kind: 'string';
  /** In Unicode's composed form (NFC). */
  readonly text: string;
}

export interface NumberValue {
  readonly kind: 'number';
  readonly float: Float;
}

export interface BoolValue {
  readonly kind: 'bool';
  readonly truth: boolean;
}

export interface NullValue {
  readonly kind: 'null';
  readonly type: Type;
}

/** What brackets give: each element has its own type. */
export interface TupleValue {
  readonly kind: 'tuple';
  readonly items: readonly Value[];
}

/** What a conversion gives: all elements have one type. */
export interface ListValue {
  readonly kind: 'list';
  readonly items: readonly Value[];
  readonly element: Type;
}

/** What braces give: each attribute has its own type. Entries are in the order of their keys. */
export interface ObjectValue {
  readonly kind: 'object';
  readonly entries: ReadonlyMap<string, Value>;
}

/** What a conversion gives: all elements have one type. Entries are in the order of their keys. */
export interface MapValue {
  readonly kind: 'map';
  readonly entries: ReadonlyMap<string, Value>;
  readonly element: Type;
}

/** Stands where a value could not be computed; a diagnostic says why, and whatever uses it is unknown too. */
export interface UnknownValue {
  readonly kind: 'unknown';
}

export const UNKNOWN: UnknownValue = { kind: 'unknown' };
export const NULL: NullValue = { kind: 'null', type: ANY };

export function stringValue(text: string): StringValue {
  return { kind: 'string', text: text.normalize('NFC') };
}

export function numberValue(float: Float): NumberValue {
  return { kind: 'number', float };
}

/** A whole number within 53 bits as a value: an index, a count. */
export function integerValue(integer: number): NumberValue {
  return numberValue(roundToFloat(BigInt(integer), 0) ?? ZERO);
}

export function boolValue(truth: boolean): BoolValue {
  return { kind: 'bool', truth };
}

export function nullValue(type: Type): NullValue {
  return { kind: 'null', type };
}

export function tupleValue(items: readonly Value[]): TupleValue {
  return { kind: 'tuple', items };
}

export function listValue(items: readonly Value[], element: Type): ListValue {
  return { kind: 'list', items, element };
}

/** Of entries with one key the last counts, as in HCL. */
export function objectValue(entries: Iterable<readonly [string, Value]>): ObjectValue {
  return { kind: 'object', entries: inKeyOrder(entries) };
}

export function mapValue(entries: Iterable<readonly [string, Value]>, element: Type): MapValue {
  return { kind: 'map', entries: inKeyOrder(entries), element };
}

/** The elements of a tuple or a list, `undefined` for anything else. */
export function itemsOf(value: Value): readonly Value[] | undefined {
  return 'items' in value ? value.items : undefined;
}

/** The entries of an object or a map in the order of their keys, `undefined` for anything else. */
export function entriesOf(value: Value): ReadonlyMap<string, Value> | undefined {
  return 'entries' in value ? value.entries : undefined;
}

/** False when the value is unknown or something inside it is. */
export function isKnown(value: Value): boolean {
  const parts = itemsOf(value) ?? entriesOf(value)?.values() ?? [];
  for (const part of parts) {
    if (!isKnown(part)) return false;
  }
  return value.kind !== 'unknown';
}

export function typeOf(value: Value): Type {
  switch (value.kind) {
    case 'string':
      return STRING;
    case 'number':
      return NUMBER;
    case 'bool':
      return BOOL;
    case 'null':
      return value.type;
    case 'unknown':
      return ANY;
    case 'tuple':
      return tupleOf(value.items.map(typeOf));
    case 'list':
      return listOf(value.element);
    case 'object':
      return objectOf([...value.entries].map(([name, each]) => [name, typeOf(each)] as const));
    case 'map':
      return mapOf(value.element);
  }
}

function inKeyOrder(entries: Iterable<readonly [string, Value]>): ReadonlyMap<string, Value> {
  const byKey = new Map<string, Value>();
  for (const [key, value] of entries) byKey.set(key.normalize('NFC'), value);
  return new Map([...byKey].sort(([a], [b]) => compareKeys(a, b)));
}
