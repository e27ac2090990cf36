import { readdirSync, type Dirent } from 'node:fs';
import { join } from 'node:path';
import { describeSystemError } from '../../kernel/errors/index.ts';

export interface FolderWalk {
  /** Absolute, sorted. Links and special files are not among them. */
  readonly files: readonly string[];
  /** There is more than was looked at. */
  readonly truncated: boolean;
}

/** The regular files below a folder, after looking at no more than `most` entries. Links are not followed. */
export function filesBelow(root: string, most: number): FolderWalk {
  const files: string[] = [];
  const folders = [root];
  let looked = 0;
  for (let folder = folders.pop(); folder !== undefined; folder = folders.pop()) {
    for (const entry of entriesIn(folder)) {
      if (++looked > most) return { files: files.sort(), truncated: true };
      const path = join(folder, entry.name);
      if (entry.isDirectory()) folders.push(path);
      else if (entry.isFile()) files.push(path);
    }
  }
  return { files: files.sort(), truncated: false };
}

/** A folder that was removed meanwhile, or that lets nobody look, has nothing to record. */
function entriesIn(folder: string): readonly Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'EACCES' || code === 'ENOTDIR') return [];
    throw describeSystemError(error, { action: 'list', path: folder });
  }
}
