import { lstatSync, type Stats } from 'node:fs';
import { describeSystemError } from '../errors/index.ts';
import { notARegularFile } from './errors.ts';

/**
 * Looks at `path` itself, not at what a link there leads to.
 * Throws `symlink-refused`, `not-a-file` (a folder), `not-a-regular-file`, and what the system refuses.
 */
export function refuseUnlessRegular(path: string): 'present' | 'missing' {
  const stats = lookAt(path);
  if (stats === undefined) return 'missing';
  if (stats.isDirectory()) throw describeSystemError({ code: 'EISDIR' }, { action: 'use', path });
  if (!stats.isFile()) throw notARegularFile({ path });
  return 'present';
}

/** False when nothing is there. Throws `symlink-refused`, `not-a-directory`, and what the system refuses. */
export function isRealFolder(path: string): boolean {
  const stats = lookAt(path);
  if (stats === undefined) return false;
  if (!stats.isDirectory()) throw describeSystemError({ code: 'ENOTDIR' }, { action: 'use', path });
  return true;
}

function lookAt(path: string): Stats | undefined {
  try {
    const stats = lstatSync(path, { throwIfNoEntry: false });
    if (stats?.isSymbolicLink() !== true) return stats;
  } catch (error) {
    throw describeSystemError(error, { action: 'use', path });
  }
  throw describeSystemError({ code: 'ELOOP' }, { action: 'use', path });
}
