import { isAbsolute } from 'node:path';
import { durablePoint } from '../../files/index.ts';
import { programArgument } from '../../paths/index.ts';
import { callGit } from '../call.ts';
import type { Identity, ObjectId, Repository } from '../contract.ts';
import { isDroverError } from '../../errors/index.ts';
import { effectUnknown, worktreeUnknown } from '../errors.ts';
import { deleteRef } from '../refs/keep-ref.ts';
import { moveRef } from '../refs/move-ref.ts';
import { requireId } from '../object-id.ts';
import { withReceipt } from '../refs/receipts.ts';
import { requireRef } from '../refs/ref-name.ts';
import { openRepository } from '../repository.ts';
import { requireIdentity, requireText } from '../text.ts';
import { aloneWithWorktrees } from './repository-lock.ts';

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

/** The branch was made by us at the commit of HEAD, so that nobody else has it checked out. */
async function putOnBranch(worktree: Repository, branch: string): Promise<void> {
  const args = ['symbolic-ref', '-m', 'drover: new branch', 'HEAD', requireRef(branch)];
  durablePoint('worktree-branch:before');
  await callGit(worktree, { what: 'put a worktree on its branch', args });
  durablePoint('worktree-branch:after');
}

/** Throws `worktree-unknown` for a relative path, `dash-path`, `bad-git-text`. */
export function requirePlace(path: string): string {
  if (!isAbsolute(path)) throw worktreeUnknown({ path, where: 'the working folder' });
  return programArgument(requireText(path));
}
