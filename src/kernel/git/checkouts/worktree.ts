import { isAbsolute } from 'node:path';
import { durablePoint } from '../../files/index.ts';
import { programArgument } from '../../paths/index.ts';
import { callGit } from '../call.ts';
import { commitTree, readCommit } from '../objects/commit.ts';
import type { Identity, ObjectId, Repository } from '../contract.ts';
import { dateOf } from '../environment.ts';
import { isDroverError } from '../../errors/index.ts';
import { effectUnknown, worktreeUnknown } from '../errors.ts';
import { deleteRef, keepRef } from '../refs/keep-ref.ts';
import { moveRef } from '../refs/move-ref.ts';
import { requireId } from '../object-id.ts';
import type { GitPath } from '../path.ts';
import { withReceipt } from '../refs/receipts.ts';
import { requireRef } from '../refs/ref-name.ts';
import { readHead } from '../refs/read-refs.ts';
import { openRepository } from '../repository.ts';
import { requireIdentity, requireText } from '../text.ts';
import { aloneWithWorktrees } from './repository-lock.ts';
import { snapshotFiles } from './working-tree.ts';
import { listWorktrees, type Worktree } from './worktree-list.ts';

export interface WorktreeRequest {
  /** Absolute; nothing may be there yet. */
  readonly path: string;
  readonly commit: ObjectId;
  /** In full; made at `commit`, and must not exist yet. Without it HEAD is detached. */
  readonly branch?: string;
  readonly who: Identity;
}

export type WorktreeOutcome =
  | { readonly kind: 'added'; readonly worktree: Repository }
  | { readonly kind: 'branch-exists'; readonly actual: ObjectId | undefined };

/** A checkout of a large repository takes its time. */
const CHECKOUT_LIMIT_MS = 10 * 60_000;

/**
 * Makes a worktree and opens it. Its files are written without hooks; smudge filters of the configuration run.
 * Takes its turn with others who add or remove worktrees. When git refuses, no branch is left behind.
 * Throws `git-failed` when something is at the path, `dash-path`, `git-locked`, `disk-full`, `worktrees-busy`, and
 * `git-effect-unknown` when it was cut off: then a worktree and its branch may be there.
 */
export async function addWorktree(repository: Repository, request: WorktreeRequest): Promise<WorktreeOutcome> {
  requirePlace(request.path);
  requireIdentity(request.who);
  return aloneWithWorktrees(repository, () => addAlone(repository, request));
}

async function addAlone(repository: Repository, request: WorktreeRequest): Promise<WorktreeOutcome> {
  const { commit, branch, who } = request;
  if (branch !== undefined) {
    const made = await moveRef(repository, { ref: branch, from: undefined, to: commit, who, reason: 'drover: new branch' });
    if (made.kind === 'moved-on') return { kind: 'branch-exists', actual: made.actual };
  }
  try {
    return { kind: 'added', worktree: await checkOut(repository, request) };
  } catch (error) {
    // Where the worktree may stand, its branch stays with it. Why it failed is worth more than why the branch remains.
    if (branch !== undefined && !isUnknown(error)) await takeBack(repository, { ...request, branch }).catch(() => undefined);
    throw error;
  }
}

async function checkOut(repository: Repository, { path, commit, branch, who }: WorktreeRequest): Promise<Repository> {
  const change = { kind: 'worktree', name: path, before: undefined, after: requireId(commit), who } as const;
  return withReceipt(repository, change, async () => {
    durablePoint('worktree-add:before');
    const args = ['worktree', 'add', '--quiet', '--detach', '--', requirePlace(path), commit];
    await callGit(repository, { what: 'add a worktree', args, limitMs: CHECKOUT_LIMIT_MS });
    durablePoint('worktree-add:after');
    const worktree = await openRepository(repository.git, path);
    if (branch !== undefined) await putOnBranch(worktree, branch);
    return { outcome: worktree, done: true };
  });
}

function isUnknown(error: unknown): boolean {
  return isDroverError(error) && error.code === effectUnknown.definition.code;
}

async function takeBack(
  repository: Repository,
  { branch, commit, who }: WorktreeRequest & { readonly branch: string },
): Promise<void> {
  await deleteRef(repository, { ref: branch, from: commit, who, reason: 'drover: no worktree came of it' });
}

export interface KeptFiles {
  /** Holds the commit. */
  readonly ref: string;
  /** Of the files as they were, on top of the checkout's HEAD; HEAD itself when nothing differs. */
  readonly commit: ObjectId;
  /** What could not be kept, as in `FileSnapshot`. */
  readonly missed: readonly GitPath[];
}

/**
 * Keeps what a checkout holds, committed or not, under `refs/drover/keep/<name>/`. Ignored files are not kept.
 * An index that an agent may have written is not believed. Throws as `snapshotFiles` and `keepRef` do.
 */
export async function keepFiles(
  checkout: Repository,
  { name, who }: { readonly name: string; readonly who: Identity },
): Promise<KeptFiles> {
  const { tree, missed } = await snapshotFiles(checkout, { index: 'doubted' });
  const commit = await commitOf(checkout, { tree, who });
  const ref = await keepRef(checkout, { id: commit, name, who, reason: 'drover: keep the files of a worktree' });
  return { ref, commit, missed };
}

export type RemovalOutcome =
  | { readonly kind: 'removed'; readonly kept: KeptFiles | undefined }
  /** Something could not be kept, so the worktree stays. */
  | { readonly kind: 'refused'; readonly kept: KeptFiles };

/**
 * Removes a worktree after keeping its files as `keepFiles` does; `kept` is `undefined` when its folder was gone.
 * Its configuration must have been compared before, when an agent was in it. Takes its turn as `addWorktree` does.
 * Throws `worktree-unknown`, `git-failed` for a locked worktree, `worktrees-busy`, and `git-effect-unknown` when it was
 * cut off.
 */
export async function removeWorktree(repository: Repository, removal: WorktreeRemoval): Promise<RemovalOutcome> {
  requirePlace(removal.path);
  requireIdentity(removal.who);
  return aloneWithWorktrees(repository, () => removeAlone(repository, removal));
}

interface WorktreeRemoval {
  readonly path: string;
  /** Of the keep-ref. */
  readonly name: string;
  readonly who: Identity;
}

async function removeAlone(repository: Repository, { path, name, who }: WorktreeRemoval): Promise<RemovalOutcome> {
  const found = (await listWorktrees(repository)).find((worktree) => worktree.path === path);
  if (found === undefined) throw worktreeUnknown({ path, where: repository.commonDir });
  const kept = await keepAnyway(repository, { found, name, who });
  if (kept !== undefined && kept.missed.length > 0) return { kind: 'refused', kept };
  const change = { kind: 'worktree', name: path, before: found.head, after: undefined, who } as const;
  return withReceipt(repository, change, async () => {
    durablePoint('worktree-remove:before');
    const args = ['worktree', 'remove', '--force', '--', requirePlace(path)];
    await callGit(repository, { what: 'remove a worktree', args, limitMs: CHECKOUT_LIMIT_MS });
    durablePoint('worktree-remove:after');
    return { outcome: { kind: 'removed', kept } as const, done: true };
  });
}

interface Leaving {
  readonly found: Worktree;
  readonly name: string;
  readonly who: Identity;
}

async function keepAnyway(repository: Repository, { found, name, who }: Leaving): Promise<KeptFiles | undefined> {
  if (!found.missing) return keepFiles(await openRepository(repository.git, found.path), { name, who });
  // The commits of a detached HEAD are still there.
  if (found.head === undefined) return undefined;
  await keepRef(repository, { id: found.head, name, who, reason: 'drover: keep the commits of a worktree' });
  return undefined;
}

async function commitOf(checkout: Repository, { tree, who }: { tree: ObjectId; who: Identity }): Promise<ObjectId> {
  const head = await readHead(checkout);
  const parent = head.kind === 'unborn' ? undefined : head.id;
  if (parent !== undefined && (await readCommit(checkout, parent)).tree === tree) return parent;
  const author = { ...who, date: dateOf(checkout.git.clock) };
  const message = 'Files of a checkout, kept by drover\n';
  return commitTree(checkout, { tree, parents: parent === undefined ? [] : [parent], author, committer: author, message });
}

/** The branch was made by us at the commit of HEAD, so that nobody else has it checked out. */
async function putOnBranch(worktree: Repository, branch: string): Promise<void> {
  const args = ['symbolic-ref', '-m', 'drover: new branch', 'HEAD', requireRef(branch)];
  durablePoint('worktree-branch:before');
  await callGit(worktree, { what: 'put a worktree on its branch', args });
  durablePoint('worktree-branch:after');
}

function requirePlace(path: string): string {
  if (!isAbsolute(path)) throw worktreeUnknown({ path, where: 'the working folder' });
  return programArgument(requireText(path));
}
