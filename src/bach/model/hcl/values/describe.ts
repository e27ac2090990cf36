import { floatText, toNumber } from './float-text.ts';
import { typeText } from './type.ts';
import { entriesOf, itemsOf, typeOf, type Value } from './value.ts';

const LONGEST = 40;

/** One word for messages: `string`, `number`, `bool`, `null`, `tuple`, `object`, `list(string)`, `map(number)`. */
export function typeName(value: Value): string {
  if (value.kind === 'list' || value.kind === 'map') return typeText(typeOf(value));
  return value.kind;
}

/** The value as messages name it: `the string "abc"`, `the number 5`, `a tuple`; long texts are cut. */
export function describe(value: Value): string {
  switch (value.kind) {
    case 'string':
      return `the string ${JSON.stringify(cut(value.text))}`;
    case 'number':
      return `the number ${cut(floatText(value.float))}`;
    case 'bool':
      return `the bool ${value.truth}`;
    case 'null':
      return 'null';
    case 'unknown':
      return 'an unknown value';
    case 'object':
      return 'an object';
    case 'tuple':
    case 'list':
    case 'map':
      return `a ${typeName(value)}`;
  }
}

/** What `toPlain` gives. */
export type Plain = string | number | boolean | null | undefined | readonly Plain[] | { readonly [key: string]: Plain };

/**
 * The value as JavaScript has it, for display and tests: numbers are the nearest double, an unknown value is
 * `undefined`.
 */
export function toPlain(value: Value): Plain {
  const items = itemsOf(value);
  if (items !== undefined) return items.map(toPlain);
  const entries = entriesOf(value);
  // Through entries, so that a key named __proto__ is a key like any other.
  if (entries !== undefined) return Object.fromEntries([...entries].map(([key, each]) => [key, toPlain(each)]));
  if (value.kind === 'string') return value.text;
  if (value.kind === 'bool') return value.truth;
  if (value.kind === 'number') return toNumber(value.float);
  return value.kind === 'null' ? null : undefined;
}

function cut(text: string): string {
  if (text.length <= LONGEST) return text;
  return `${text.slice(0, LONGEST).replace(/[\ud800-\udbff]$/, '')}…`;
}
