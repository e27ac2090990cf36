import type { SqlValue } from './contract.ts';

const MIN_INTEGER = -(2n ** 63n);
const MAX_INTEGER = 2n ** 63n - 1n;

/** One database refuses a NUL, and the libraries of the other cut a text at it. */
export function storableText(value: string): string {
  return value.replaceAll('\0', '\u2400');
}

/** Neither database has columns for numbers without end, and both have integers of 64 bits. */
export function isStorable(value: SqlValue): boolean {
  if (typeof value === 'number') return Number.isFinite(value);
  return typeof value !== 'bigint' || (value >= MIN_INTEGER && value <= MAX_INTEGER);
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
