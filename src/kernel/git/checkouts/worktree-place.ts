import { readdirSync, realpathSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { readBytesIfPresent } from '../../files/index.ts';
import { describeSystemError } from '../../errors/index.ts';
import type { Repository } from '../contract.ts';
import { worktreeMisled, worktreeUnknown } from '../errors.ts';
import type { Worktree } from './worktree-list.ts';

const LONGEST_POINTER = 64 * 1024;

/**
 * A worktree by what the repository itself knows of it. Its `.git` file may have been written by an agent, and is not
 * followed: it has to lead back. Throws `worktree-misled`, `worktree-unknown`.
 */
export function pinWorktree(repository: Repository, { path, missing }: Pick<Worktree, 'path' | 'missing'>): Repository {
  const candidates = gitFoldersFor(repository, path);
  const topLevel = missing ? undefined : realpathSync(path);
  const [gitDir, ...others] = candidates;
  // Where several claim one place, git would take any of them for it.
  const isSure = gitDir !== undefined && others.length === 0 && (topLevel === undefined || leadsTo(topLevel, gitDir));
  if (isSure) return { ...repository, topLevel, gitDir, bare: false };
  throw candidates.length === 0 ? worktreeUnknown({ path, where: repository.commonDir }) : worktreeMisled({ path, where: repository.commonDir });
}

/** Whether the `.git` file of the worktree names this git folder. */
export function leadsTo(topLevel: string, gitDir: string): boolean {
  const said = pointerAt(join(topLevel, '.git'))?.replace(/^gitdir: /, '');
  return said !== undefined && realOr(resolve(topLevel, said)) === gitDir;
}

function gitFoldersFor({ commonDir }: Repository, path: string): readonly string[] {
  const parent = join(commonDir, 'worktrees');
  const folders = namesIn(parent).map((name) => join(parent, name));
  return folders.filter((folder) => {
    const pointer = pointerAt(join(folder, 'gitdir'));
    if (pointer === undefined || realOr(folder) !== folder) return false;
    const place = dirname(resolve(folder, pointer));
    return place === path || realOr(place) === realOr(path);
  });
}

function pointerAt(file: string): string | undefined {
  try {
    const bytes = readBytesIfPresent(file, { maxBytes: LONGEST_POINTER });
    return bytes === undefined ? undefined : Buffer.from(bytes).toString().replace(/\n+$/, '');
  } catch {
    // A folder, a device, or what cannot be read: it leads nowhere.
    return undefined;
  }
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw describeSystemError(error, { action: 'read', path: folder });
  }
}

/** The path itself where nothing is. */
function realOr(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    // Of a worktree whose folder is gone only the name can be compared.
    return path;
  }
}
