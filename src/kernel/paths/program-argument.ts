import { dashPath, nulPath } from './errors.ts';

/**
 * Gives back a path that may stand among the arguments of a program.
 * Throws `dash-path` for one that the program would take for an option, and `nul-in-path`.
 */
export function programArgument(path: string): string {
  if (path.includes('\0')) throw nulPath({ path });
  if (path.startsWith('-')) throw dashPath({ path });
  return path;
}
