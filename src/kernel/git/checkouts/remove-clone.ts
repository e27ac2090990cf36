import { lstatSync, readdirSync, statSync } from 'node:fs';
import { readdir, rename, rm, rmdir } from 'node:fs/promises';
import { join } from 'node:path';
import { durablePoint, syncPath } from '../../files/index.ts';
import { describeSystemError } from '../../errors/index.ts';
import type { Identity, ObjectId, Repository } from '../contract.ts';
import { worktreeMisled } from '../errors.ts';
import type { GitPath } from '../path.ts';
import { keepRef } from '../refs/keep-ref.ts';
import { checkoutOf, inGitDir } from '../repository.ts';
import { requireIdentity } from '../text.ts';
import { keepMore, type KeptFiles } from './kept-files.ts';
import { namedCommits } from './named-commits.ts';
import { asFolder, obstaclesOf, STATE, type Obstacle, type RemovalOutcome } from './remove-worktree.ts';
import { changedBetween, removeSurveyed, surveyFolder, type Survey } from './survey.ts';
import { takeCommits } from './take-commits.ts';

export interface CloneRemoval {
  /** A commit that the source has; what comes after it is brought there. */
  readonly base: ObjectId;
  /** Of the keep-ref in the source. */
  readonly name: string;
  readonly who: Identity;
  /** As for a worktree. */
  readonly expendable?: readonly GitPath[];
}

/** What is left of the git folder of a clone on its way out: no git finds a repository by it. */
const LEAVING = '.drover-removed';

/**
 * Removes a clone after bringing all it held into the source, under a keep-ref there: files as `keepFiles` does, and
 * the commits that anything in it names: branches, tags, stashes, logs. What cannot be kept is named, and the clone
 * stays; what is written meanwhile stays too. Its configuration must have been compared before, when an agent was in it.
 * Throws `git-failed` for broken objects, `worktree-misled`.
 */
export async function removeClone(source: Repository, clone: Repository, removal: CloneRemoval): Promise<RemovalOutcome> {
  requireIdentity(removal.who);
  const root = checkoutOf(clone);
  if (clone.gitDir !== join(root, '.git')) throw worktreeMisled({ path: root, where: source.commonDir });
  const survey = await surveyFolder(root);
  const closed = closedIn(clone, survey);
  if (closed.length > 0) return { kind: 'refused', kept: undefined, obstacles: closed };
  const index = stampOf(inGitDir(clone, 'index'));
  const kept = await keepInSource(source, clone, { ...removal, survey });
  const isSteady = async (): Promise<boolean> => {
    const others = await namedCommits(clone, [removal.base, kept.commit]);
    return others.length === 0 && stampOf(inGitDir(clone, 'index')) === index;
  };
  const changed = [...changedBetween(survey, await surveyFolder(root)), ...((await isSteady()) ? [] : [STATE])];
  const obstacles = [
    ...obstaclesOf('not-kept', kept.missed),
    ...obstaclesOf('too-large', kept.tooLarge),
    ...obstaclesOf('changed', changed),
  ];
  if (obstacles.length > 0) return { kind: 'refused', kept, obstacles };
  const stayed = [...(await removeSurveyed(root, survey)), ...((await isSteady()) ? [] : [STATE])];
  if (stayed.length > 0) return { kind: 'refused', kept, obstacles: obstaclesOf('changed', stayed) };
  await putAside(root);
  const last = await finishCloneRemoval(root);
  return last.length === 0 ? { kind: 'removed', kept } : { kind: 'refused', kept, obstacles: obstaclesOf('changed', last) };
}

/**
 * Ends the removal of a clone whose work is kept and whose git folder was put aside, after a crash; names what was
 * written there since, which stays. Nothing happens where no removal had come so far.
 */
export async function finishCloneRemoval(path: string): Promise<readonly GitPath[]> {
  const leaving = join(path, LEAVING);
  if (lstatSync(leaving, { throwIfNoEntry: false })?.isDirectory() !== true) return [];
  try {
    durablePoint('clone-remove:before');
    await rm(leaving, { recursive: true });
    const left = (await readdir(path, { encoding: 'latin1' })) as GitPath[];
    if (left.length === 0) await rmdir(path);
    durablePoint('clone-remove:after');
    return left;
  } catch (error) {
    throw describeSystemError(error, { action: 'remove', path });
  }
}

/** The same in one step: a killed removal leaves a clone that is whole, or none. */
async function putAside(root: string): Promise<void> {
  try {
    durablePoint('clone-aside:before');
    await rename(join(root, '.git'), join(root, LEAVING));
    durablePoint('clone-aside:after');
  } catch (error) {
    throw describeSystemError(error, { action: 'remove', path: root });
  }
  await syncPath(root);
}

/** Submodules that were fetched, worktrees that hang on the clone, repositories and mounts in it. */
function closedIn(clone: Repository, { repositories, mounts }: Survey): readonly Obstacle[] {
  const hangsOn = ['modules', 'worktrees'].some((name) => hasEntries(inGitDir(clone, name)));
  return [
    ...(hangsOn ? obstaclesOf('repository', [STATE]) : []),
    ...obstaclesOf('repository', repositories.map(asFolder)),
    ...obstaclesOf('mount', mounts.map(asFolder)),
  ];
}

function hasEntries(folder: string): boolean {
  try {
    return readdirSync(folder).length > 0;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false;
    throw describeSystemError(error, { action: 'read', path: folder });
  }
}

function stampOf(file: string): string {
  const stats = statSync(file, { bigint: true, throwIfNoEntry: false });
  return stats === undefined ? 'none' : [stats.ino, stats.size, stats.mtimeNs, stats.ctimeNs].join(' ');
}

type Leaving = CloneRemoval & { readonly survey: Survey };

async function keepInSource(source: Repository, clone: Repository, leaving: Leaving): Promise<KeptFiles> {
  const { base, name, who, survey, expendable = [] } = leaving;
  const commits = await namedCommits(clone, [base]);
  const kept = await keepMore(clone, { name, who, survey, expendable, commits });
  const ref =
    kept.commit === base
      ? await keepRef(source, { id: base, name, who, reason: 'drover: commits of a clone' })
      : await takeCommits(source, clone, { tip: kept.commit, base, name, who });
  return { ...kept, ref };
}
