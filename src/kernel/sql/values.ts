import type { SqlValue } from './contract.ts';

const MIN_INTEGER = -(2n ** 63n);
const MAX_INTEGER = 2n ** 63n - 1n;

/** One database refuses a NUL, and the libraries of the other cut a text at it; none has half a character. */
export function storableText(value: string): string {
  return value.replaceAll('\0', '\u2400').toWellFormed();
}

/**
 * Why a value is no parameter, or `undefined`. Neither database has columns for numbers without end, both have integers
 * of 64 bits, and of anything else one library makes a text and another a null.
 */
export function faultOfValue(value: unknown): string | undefined {
  if (value === null || typeof value === 'string' || value instanceof Uint8Array) return undefined;
  if (typeof value === 'number') return Number.isFinite(value) ? undefined : `the number ${value}`;
  if (typeof value !== 'bigint') return kindOf(value);
  return value >= MIN_INTEGER && value <= MAX_INTEGER ? undefined : `the integer ${value}`;
}

function kindOf(value: unknown): string {
  if (typeof value !== 'object' || value === null) return value === undefined ? 'undefined' : `a ${typeof value}`;
  const { name = 'nameless object' } = (value.constructor ?? {}) as { readonly name?: string };
  return `a ${name}`;
}

/** An integer as a number where a number holds it exactly; anything else as it is. */
export function plainInteger(value: SqlValue): SqlValue {
  if (typeof value !== 'bigint') return value;
  const number = Number(value);
  return Number.isSafeInteger(number) ? number : value;
}

/** One library binds every number as a fraction, so that a division by a parameter would differ. */
export function integerBound(value: SqlValue): SqlValue {
  return typeof value === 'number' && Number.isSafeInteger(value) ? BigInt(value) : value;
}
