import { mkdirSync, opendirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describeSystemError } from '../errors/index.ts';
import { containedPath } from '../paths/index.ts';
import { durablePoint } from './durable-point.ts';
import { pathOutside } from './errors.ts';
import { isRealFolder } from './kind.ts';
import { syncPath } from './sync.ts';

export interface FolderOptions {
  /** An existing folder that is trusted as it is, links included; everything below it is checked. */
  readonly root: string;
  /** Permissions of each folder that is made, less the umask. Default 0700. Folders that exist keep theirs. */
  readonly mode?: number;
}

/**
 * Makes a folder and those above it up to `root`, for state: no component below `root` may be a symbolic link. A crash
 * of the machine may undo it; what has to last is put into folders of `ensureFolderDurably`.
 * Throws `symlink-refused`, `not-a-directory`, `path-outside`, and what the system refuses, with the path.
 *
 * @example
 * ensureFolder('/project/.state/runs', { root: '/project' });
 */
export function ensureFolder(path: string, { root, mode = 0o700 }: FolderOptions): void {
  for (const folder of foldersBelow(root, path)) ensureOne(folder, mode);
}

/**
 * As `ensureFolder`, and durably: what is stored in the folder when this resolves does not vanish with it.
 *
 * @example
 * await ensureFolderDurably('/project/.state/runs', { root: '/project' });
 */
export async function ensureFolderDurably(path: string, { root, mode = 0o700 }: FolderOptions): Promise<void> {
  for (const folder of foldersBelow(root, path)) {
    ensureOne(folder, mode);
    // Whoever made it may have ended before its sync; once it holds something, somebody has waited for one.
    if (isEmpty(folder)) await syncPath(dirname(folder));
  }
}

/**
 * Makes one folder, or says that something stands at its path already; `syncPath` of the folder above makes it last.
 * Throws what the system refuses.
 */
export function createFolderExclusive(path: string, { mode = 0o700 }: { mode?: number } = {}): 'created' | 'exists' {
  try {
    durablePoint('folder:before');
    mkdirSync(path, { mode });
    durablePoint('folder:after');
    return 'created';
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return 'exists';
    throw describeSystemError(error, { action: 'create', path });
  }
}

/** The folders from below `root` down to `path`. Throws `path-outside`. */
export function foldersBelow(root: string, path: string): readonly string[] {
  const found = containedPath(root, path);
  if (!found.inside) throw pathOutside({ path, root });
  if (found.relative === '.') return [];
  const names = found.relative.split('/');
  return names.map((_, index) => join(root, ...names.slice(0, index + 1)));
}

function ensureOne(folder: string, mode: number): void {
  if (isRealFolder(folder) || createFolderExclusive(folder, { mode }) === 'created') return;
  // What another process put there since is judged like anything else.
  if (!isRealFolder(folder)) throw describeSystemError({ code: 'ENOENT' }, { action: 'create', path: folder });
}

function isEmpty(folder: string): boolean {
  try {
    const entries = opendirSync(folder);
    try {
      return entries.readSync() === null;
    } finally {
      entries.closeSync();
    }
  } catch (error) {
    throw describeSystemError(error, { action: 'list', path: folder });
  }
}
