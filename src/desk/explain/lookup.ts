import type { ErrorEntry } from './entry.ts';
import { ERROR_TABLE } from './error-table.ts';

/** Every error, sorted by code. */
export function allErrors(): readonly ErrorEntry[] {
  return ERROR_TABLE;
}

/** The errors of one code; several when rooms use it for different things. */
export function errorsOf(code: string): readonly ErrorEntry[] {
  return ERROR_TABLE.filter((entry) => entry.code === code.toLowerCase());
}

/** Each once. */
export function errorCodes(): readonly string[] {
  return [...new Set(ERROR_TABLE.map(({ code }) => code))];
}
