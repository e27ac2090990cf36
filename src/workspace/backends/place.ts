import { lstatSync, realpathSync } from 'node:fs';
import { mkdir, rmdir } from 'node:fs/promises';
import { basename, dirname, isAbsolute, join } from 'node:path';
import { describeSystemError } from '../../kernel/errors/index.ts';
import { durablePoint } from '../../kernel/files/index.ts';
import type { WorkspaceRefusal } from '../contract.ts';
import { refused } from './refusal.ts';

/** The real path that something will have, whose upper folders may not be there yet. */
export function realPlace(path: string): string {
  const above = dirname(path);
  if (above === path) return path;
  return join(isThere(above) ? realOf(above) : realPlace(above), basename(path));
}

/** Nothing may be there, not even an empty folder or a link that leads nowhere. */
export function placeRefusal(path: string): WorkspaceRefusal | undefined {
  if (!isAbsolute(path)) return refused('place-taken', `${path} is no absolute path`);
  return isThere(path) ? refused('place-taken', `something is at ${path} already`) : undefined;
}

/** The folders above a place that are to be made, the uppermost first. */
export function foldersToMake(path: string): readonly string[] {
  const above = dirname(path);
  return isThere(above) ? [] : [...foldersToMake(above), above];
}

export async function makeFolders(folders: readonly string[]): Promise<void> {
  const lowest = folders.at(-1);
  if (lowest === undefined) return;
  try {
    durablePoint('workspace-folders:before');
    await mkdir(lowest, { recursive: true });
    durablePoint('workspace-folders:after');
  } catch (error) {
    throw describeSystemError(error, { action: 'create', path: lowest });
  }
}

/** Those that nobody has put anything into. */
export async function removeEmpty(folders: readonly string[]): Promise<void> {
  for (const folder of [...folders].reverse()) {
    try {
      await rmdir(folder);
    } catch (error) {
      const { code = '' } = error as NodeJS.ErrnoException;
      if (!['ENOENT', 'ENOTEMPTY', 'EEXIST', 'ENOTDIR'].includes(code)) throw describeSystemError(error, { action: 'remove', path: folder });
    }
  }
}

export function isThere(path: string): boolean {
  try {
    return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
  } catch (error) {
    // A file stands above it.
    if ((error as NodeJS.ErrnoException).code === 'ENOTDIR') return false;
    throw describeSystemError(error, { action: 'look at', path });
  }
}

function realOf(path: string): string {
  try {
    return realpathSync(path);
  } catch (error) {
    throw describeSystemError(error, { action: 'open', path });
  }
}
