import { readFloat } from '../../../src/bach/model/hcl/values/float-text.ts';
import {
  boolValue,
  NULL,
  numberValue,
  objectValue,
  stringValue,
  tupleValue,
  UNKNOWN,
  type Plain,
  type Value,
} from '../../../src/bach/model/hcl/values/index.ts';

/** A value of HCL from one of JavaScript. */
export function valueOf(plain: Plain): Value {
  if (plain === null) return NULL;
  if (plain === undefined) return UNKNOWN;
  if (typeof plain === 'string') return stringValue(plain);
  if (typeof plain === 'boolean') return boolValue(plain);
  if (typeof plain === 'number') return numberOf(`${plain}`);
  if (isItems(plain)) return tupleValue(plain.map(valueOf));
  return objectValue(Object.entries(plain).map(([key, each]) => [key, valueOf(each)] as const));
}

export function numberOf(text: string): Value {
  const float = readFloat(text);
  if (typeof float === 'string') throw new TypeError(`${text}: ${float}`);
  return numberValue(float);
}

function isItems(plain: Plain): plain is readonly Plain[] {
  return Array.isArray(plain);
}
