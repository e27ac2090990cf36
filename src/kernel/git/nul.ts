import type { GitPath } from './path.ts';

/** The fields of output that separates them by NUL, byte for byte. */
export function nulSeparated(output: Buffer): GitPath[] {
  const fields = output.toString('latin1').split('\0') as GitPath[];
  if (fields.at(-1) === '') fields.pop();
  return fields;
}
