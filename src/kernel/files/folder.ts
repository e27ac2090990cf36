import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { describeSystemError } from '../errors/index.ts';
import { containedPath } from '../paths/index.ts';
import { pathOutside } from './errors.ts';
import { isRealFolder } from './kind.ts';

export interface FolderOptions {
  /** An existing folder that is trusted as it is, links included; everything below it is checked. */
  readonly root: string;
  /** Permissions of each folder that is made, less the umask. Default 0700. Folders that exist keep theirs. */
  readonly mode?: number;
}

/**
 * Makes a folder and those above it up to `root`, for state: no component below `root` may be a symbolic link.
 * Throws `symlink-refused`, `not-a-directory`, `path-outside`, and what the system refuses, with the path.
 *
 * @example
 * ensureFolder('/project/.state/runs', { root: '/project' });
 */
export function ensureFolder(path: string, { root, mode = 0o700 }: FolderOptions): void {
  const found = containedPath(root, path);
  if (!found.inside) throw pathOutside({ path, root });
  if (found.relative === '.') return;
  let folder = root;
  for (const name of found.relative.split('/')) {
    folder = join(folder, name);
    if (isRealFolder(folder) || createFolderExclusive(folder, { mode }) === 'created') continue;
    // What another process put there since is judged like anything else.
    if (!isRealFolder(folder)) throw describeSystemError({ code: 'ENOENT' }, { action: 'create', path: folder });
  }
}

/** Makes one folder, or says that something stands at its path already. Throws what the system refuses. */
export function createFolderExclusive(path: string, { mode = 0o700 }: { mode?: number } = {}): 'created' | 'exists' {
  try {
    mkdirSync(path, { mode });
    return 'created';
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return 'exists';
    throw describeSystemError(error, { action: 'create', path });
  }
}
