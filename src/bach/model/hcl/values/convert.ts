import { describe } from './describe.ts';
import { floatText, readFloat } from './float-text.ts';
import { ANY, type Type } from './type.ts';
import { unify } from './unify.ts';
import {
  boolValue,
  entriesOf,
  itemsOf,
  listValue,
  mapValue,
  nullValue,
  numberValue,
  objectValue,
  stringValue,
  tupleValue,
  typeOf,
  type Value,
} from './value.ts';

/** Why a value could not be had. `message` is a clause that names the value met and what was expected. */
export interface Failure {
  readonly kind: 'failure';
  readonly message: string;
}

/**
 * The value as the type asks for it, by HCL's rules: text and number, text and bool convert both ways where the
 * text is one; tuples become lists, objects become maps or objects with fewer attributes. Null and unknown values
 * pass; `any` takes everything.
 *
 * @example
 * convert(stringValue('12'), NUMBER); // the number 12
 * convert(stringValue('yes'), BOOL);  // { kind: 'failure', message: 'the string "yes" is not a bool: …' }
 */
export function convert(value: Value, type: Type): Value | Failure {
  if (type.kind === 'any' || value.kind === 'unknown') return value;
  if (value.kind === 'null') return nullValue(type);
  switch (type.kind) {
    case 'string':
      return toText(value);
    case 'number':
      return toFloat(value);
    case 'bool':
      return toBool(value);
    case 'list':
      return toList(value, type.element);
    case 'map':
      return toMap(value, type.element);
    case 'tuple':
      return toTuple(value, type.elements);
    case 'object':
      return toObject(value, type.attributes);
  }
}

function failure(message: string): Failure {
  return { kind: 'failure', message };
}

function mismatch(value: Value, wanted: string): Failure {
  return failure(`${describe(value)} is not ${wanted}`);
}

function toText(value: Value): Value | Failure {
  if (value.kind === 'string') return value;
  if (value.kind === 'number') return stringValue(floatText(value.float));
  if (value.kind === 'bool') return stringValue(`${value.truth}`);
  return mismatch(value, 'a string');
}

function toFloat(value: Value): Value | Failure {
  if (value.kind === 'number') return value;
  if (value.kind !== 'string') return mismatch(value, 'a number');
  const read = readFloat(value.text);
  if (read === 'not-a-number') return mismatch(value, 'a number');
  if (read === 'out-of-range') return failure(`${describe(value)} is a number too large or too small to be held`);
  return numberValue(read);
}

function toBool(value: Value): Value | Failure {
  if (value.kind === 'bool') return value;
  if (value.kind !== 'string') return mismatch(value, 'a bool');
  if (value.text === 'true' || value.text === '1') return boolValue(true);
  if (value.text === 'false' || value.text === '0') return boolValue(false);
  return mismatch(value, 'a bool: write "true" or "false"');
}

function toList(value: Value, wanted: Type): Value | Failure {
  const items = itemsOf(value);
  if (items === undefined) return mismatch(value, 'a list');
  const element = wanted.kind === 'any' ? unify(items.map(typeOf)) : wanted;
  if (element === undefined) return failure('the elements of a list need one type, and these have several');
  return convertEach(items.entries(), () => element, (converted) =>
    listValue(converted.map(([, item]) => item), element),
  );
}

function toMap(value: Value, wanted: Type): Value | Failure {
  const entries = entriesOf(value);
  if (entries === undefined) return mismatch(value, 'a map');
  const element = wanted.kind === 'any' ? unify([...entries.values()].map(typeOf)) : wanted;
  if (element === undefined) return failure('the elements of a map need one type, and these have several');
  return convertEach(entries, () => element, (converted) => mapValue(converted, element));
}

function toTuple(value: Value, wanted: readonly Type[]): Value | Failure {
  const items = itemsOf(value);
  if (items === undefined) return mismatch(value, 'a tuple');
  if (items.length !== wanted.length) {
    return failure(`a tuple of ${wanted.length} elements is expected, and this has ${items.length}`);
  }
  return convertEach(items.entries(), (index) => wanted[index] ?? ANY, (converted) =>
    tupleValue(converted.map(([, item]) => item)),
  );
}

/** Attributes that the type does not name are left out. */
function toObject(value: Value, wanted: ReadonlyMap<string, Type>): Value | Failure {
  const entries = entriesOf(value);
  if (entries === undefined) return mismatch(value, 'an object');
  const missing = [...wanted.keys()].find((name) => !entries.has(name));
  if (missing !== undefined) return failure(`the attribute ${JSON.stringify(missing)} is required`);
  const kept = [...entries].filter(([name]) => wanted.has(name));
  return convertEach(kept, (name) => wanted.get(name) ?? ANY, objectValue);
}

/** Converts the parts of a value one by one; the first that fails names its place. */
function convertEach<Key extends string | number>(
  parts: Iterable<readonly [Key, Value]>,
  typeFor: (key: Key) => Type,
  build: (converted: readonly (readonly [Key, Value])[]) => Value,
): Value | Failure {
  const converted: (readonly [Key, Value])[] = [];
  for (const [key, part] of parts) {
    const result = convert(part, typeFor(key));
    if (result.kind === 'failure') return failure(`at ${JSON.stringify(key)}: ${result.message}`);
    converted.push([key, result]);
  }
  return build(converted);
}
