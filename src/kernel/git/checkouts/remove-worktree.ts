import { existsSync } from 'node:fs';
import { readdir, rmdir, unlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { durablePoint, readBytes } from '../../files/index.ts';
import { describeSystemError } from '../../errors/index.ts';
import { callGit } from '../call.ts';
import type { Identity, Repository } from '../contract.ts';
import { gitFailed, worktreeMisled, worktreeUnknown } from '../errors.ts';
import { pathBytes, type GitPath } from '../path.ts';
import { requireRef } from '../refs/ref-name.ts';
import { withReceipt } from '../refs/receipts.ts';
import { checkoutOf } from '../repository.ts';
import { requireIdentity } from '../text.ts';
import { keepMore, keepWithoutFiles, type KeptFiles } from './kept-files.ts';
import { namedCommits } from './named-commits.ts';
import { aloneWithWorktrees } from './repository-lock.ts';
import { changedBetween, removeSurveyed, surveyFolder, type Survey } from './survey.ts';
import { listWorktrees, type Worktree } from './worktree-list.ts';
import { leadsTo, pinWorktree } from './worktree-place.ts';
import { requirePlace } from './worktree.ts';

export interface WorktreeRemoval {
  readonly path: string;
  /** Of the keep-ref. */
  readonly name: string;
  readonly who: Identity;
  /**
   * What may go without being kept if it is ignored: files, and folders with all that is in them (`node_modules`).
   * A repository inside of them may not.
   */
  readonly expendable?: readonly GitPath[];
}

/** Why a worktree stays. */
export interface Obstacle {
  readonly reason:
    /** A repository, a submodule that was fetched, or a worktree of whatever repository: it may have work of its own. */
    | 'repository'
    /** Another file system. */
    | 'mount'
    /** Git refuses its name, or it cannot be read. */
    | 'not-kept'
    /** Ignored, and more than is kept (10,000 files, 100 MiB together). */
    | 'too-large'
    /** Written while the worktree was kept or removed. */
    | 'changed';
  /** In the worktree; a folder ends with a slash. Empty for the state that git has of it. */
  readonly path: GitPath;
}

export type RemovalOutcome =
  | { readonly kind: 'removed'; readonly kept: KeptFiles | undefined }
  /** The worktree stays, in whole, or in what was written while it went; what it had before is kept then. */
  | { readonly kind: 'refused'; readonly kept: KeptFiles | undefined; readonly obstacles: readonly Obstacle[] };

const LIMIT_MS = 10 * 60_000;
export const STATE = '' as GitPath;

/**
 * Removes a worktree after keeping its files as `keepFiles` does, and the commits that only it knows of: of a detached
 * HEAD, its log, a merge or rebase under way. What cannot be kept is named, and the worktree stays. Only what was kept
 * is removed: what is written meanwhile stays too. `kept` is `undefined` when there was nothing.
 * Its configuration must have been compared before, when an agent was in it. Takes its turn as `addWorktree` does.
 * Throws `worktree-unknown`, `worktree-misled`, `git-failed` for one that is locked or the main one, `worktrees-busy`,
 * and `git-effect-unknown` when it was cut off.
 */
export async function removeWorktree(repository: Repository, removal: WorktreeRemoval): Promise<RemovalOutcome> {
  requirePlace(removal.path);
  requireIdentity(removal.who);
  requireRef(`refs/${removal.name}`);
  return aloneWithWorktrees(repository, () => removeAlone(repository, removal));
}

async function removeAlone(repository: Repository, removal: WorktreeRemoval): Promise<RemovalOutcome> {
  const found = await findWorktree(repository, removal.path);
  const worktree = pinWorktree(repository, found);
  const state = await surveyFolder(worktree.gitDir);
  const obstacles = existsSync(join(worktree.gitDir, 'modules')) ? [{ reason: 'repository', path: STATE } as const] : [];
  if (obstacles.length > 0) return { kind: 'refused', kept: undefined, obstacles };
  if (!found.missing) return removeKept(repository, removal, { found, worktree, state });
  const kept = await keepWithoutFiles(worktree, { ...removal, commits: await namedCommits(worktree) });
  await forget(repository, removal, found);
  return { kind: 'removed', kept };
}

async function findWorktree(repository: Repository, path: string): Promise<Worktree> {
  const worktrees = await listWorktrees(repository);
  const found = worktrees.find((worktree) => worktree.path === path);
  if (found === undefined) throw worktreeUnknown({ path, where: repository.commonDir });
  const refuse = (said: string): Error => gitFailed({ what: 'remove a worktree', where: path, said });
  if (found === worktrees[0]) throw refuse('it is the main checkout of its repository');
  if (found.locked) throw refuse('it is locked');
  return found;
}

interface Leaving {
  readonly found: Worktree;
  readonly worktree: Repository;
  /** What git had in its folder for the worktree. */
  readonly state: Survey;
}

async function removeKept(repository: Repository, removal: WorktreeRemoval, leaving: Leaving): Promise<RemovalOutcome> {
  const { found, worktree, state } = leaving;
  const root = checkoutOf(worktree);
  const survey = await surveyFolder(root);
  const closed = [...obstaclesOf('repository', survey.repositories.map(asFolder)), ...obstaclesOf('mount', survey.mounts.map(asFolder))];
  if (closed.length > 0) return { kind: 'refused', kept: undefined, obstacles: closed };
  const { expendable = [] } = removal;
  const kept = await keepMore(worktree, { ...removal, survey, expendable, commits: await namedCommits(worktree) });
  const now = await surveyFolder(root);
  const changed = [...changedBetween(survey, now), ...now.repositories, ...(await stateChanges(worktree, state))];
  const obstacles = [
    ...obstaclesOf('not-kept', kept.missed),
    ...obstaclesOf('too-large', kept.tooLarge),
    ...obstaclesOf('changed', changed),
  ];
  if (obstacles.length > 0) return { kind: 'refused', kept, obstacles };
  const stayed = [...(await removeSurveyed(root, survey)), ...(await stateChanges(worktree, state))];
  if (stayed.length > 0) return { kind: 'refused', kept, obstacles: obstaclesOf('changed', stayed) };
  const last = await removeRoot(worktree);
  if (last.length > 0) return { kind: 'refused', kept, obstacles: obstaclesOf('changed', last) };
  await forget(repository, removal, found);
  return { kind: 'removed', kept };
}

export function obstaclesOf(reason: Obstacle['reason'], paths: readonly GitPath[]): readonly Obstacle[] {
  return [...new Set(paths)].map((path) => ({ reason, path }));
}

export function asFolder(path: GitPath): GitPath {
  return `${path}/` as GitPath;
}

/** A commit or a staged file that came meanwhile is in there. */
async function stateChanges({ gitDir }: Repository, before: Survey): Promise<readonly GitPath[]> {
  return changedBetween(before, await surveyFolder(gitDir)).length === 0 ? [] : [STATE];
}

/** The `.git` file goes last: what stays is a worktree still. */
async function removeRoot(worktree: Repository): Promise<readonly GitPath[]> {
  const root = checkoutOf(worktree);
  const pointer = join(root, '.git');
  if (!leadsTo(root, worktree.gitDir)) throw worktreeMisled({ path: root, where: worktree.commonDir });
  const content = readBytes(pointer);
  const names = await othersIn(root);
  if (names.length > 0) return names;
  try {
    await unlink(pointer);
    await rmdir(root);
    return [];
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOTEMPTY') throw describeSystemError(error, { action: 'remove', path: root });
    await writeFile(pointer, content, { flag: 'wx' });
    return othersIn(root);
  }
}

async function othersIn(root: string): Promise<readonly GitPath[]> {
  const names = (await readdir(root, { encoding: 'latin1' })) as GitPath[];
  return names.filter((name) => !pathBytes(name).equals(Buffer.from('.git')));
}

async function forget(repository: Repository, { path, who }: WorktreeRemoval, { head }: Worktree): Promise<void> {
  const change = { kind: 'worktree', name: path, before: head, after: undefined, who } as const;
  await withReceipt(repository, change, async () => {
    durablePoint('worktree-remove:before');
    const args = ['worktree', 'remove', '--force', '--', requirePlace(path)];
    await callGit(repository, { what: 'remove a worktree', args, limitMs: LIMIT_MS });
    durablePoint('worktree-remove:after');
    return { outcome: undefined, done: true };
  });
}
