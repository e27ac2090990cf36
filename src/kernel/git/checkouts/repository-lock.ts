import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { takeLock, tryLock, type Lock } from '../../lock/index.ts';
import type { Repository } from '../contract.ts';
import { worktreesBusy } from '../errors.ts';
import { droverFolder } from '../refs/receipts-place.ts';
import { requireRef } from '../refs/ref-name.ts';
import { realPath } from '../repository.ts';

/**
 * What is to be done by one process at a time, over all checkouts of a repository, and is the caller's to lock. The
 * lock for adding and removing worktrees is none of them: those functions take it, after whatever the caller holds.
 */
export type RepositoryLockKind =
  /** Landing on a branch, given in full. */
  | { readonly kind: 'landing'; readonly branch: string }
  /** Editing a checkout, given by its folder. */
  | { readonly kind: 'checkout'; readonly path: string };

const WORKTREES = { kind: 'worktrees' } as const;

const LOOK_AGAIN_MS = 50;
const WORKTREES_WAIT_MS = 60_000;

/**
 * Takes the lock, or says at once that somebody has it. It is found by the real path of the common git folder: the same
 * from each worktree, and through links. Throws as `tryLock` of `kernel/lock` does.
 */
export function tryRepositoryLock(repository: Repository, kind: RepositoryLockKind): Lock | 'held' {
  return tryLock(fileOf(repository, kind));
}

/**
 * Waits for the lock until the signal says otherwise; then throws its reason.
 *
 * @example
 * const lock = await repositoryLock(repository, { kind: 'landing', branch }, { signal: AbortSignal.timeout(60_000) });
 * try { ... } finally { lock.release(); }
 */
export async function repositoryLock(
  repository: Repository,
  kind: RepositoryLockKind,
  { signal }: { readonly signal: AbortSignal },
): Promise<Lock> {
  for (;;) {
    signal.throwIfAborted();
    const lock = tryRepositoryLock(repository, kind);
    if (lock !== 'held') return lock;
    // An abort ends the pause early; the next turn throws its reason.
    await sleep(LOOK_AGAIN_MS, undefined, { signal }).catch(() => undefined);
  }
}

/**
 * Does the work while nobody else adds or removes a worktree of the repository. Not to be used inside of itself.
 * Throws `worktrees-busy`, and the reason of the host's signal.
 */
export async function aloneWithWorktrees<Result>(repository: Repository, work: () => Promise<Result>): Promise<Result> {
  const { clock, signal, limitMs = WORKTREES_WAIT_MS } = repository.git;
  const options = { clock, waitMs: limitMs, ...(signal === undefined ? {} : { signal }) };
  const lock = await takeLock(fileOf(repository, WORKTREES), options);
  if (lock === 'held') throw worktreesBusy({ path: repository.commonDir });
  try {
    return await work();
  } finally {
    lock.release();
  }
}

function fileOf(repository: Repository, kind: RepositoryLockKind | typeof WORKTREES): string {
  const name = createHash('sha256').update(subjectOf(kind)).digest('hex').slice(0, 16);
  return join(droverFolder(repository, 'locks'), `${kind.kind}-${name}`);
}

function subjectOf(kind: RepositoryLockKind | typeof WORKTREES): string {
  if (kind.kind === 'landing') return requireRef(kind.branch);
  return kind.kind === 'checkout' ? realPath(kind.path) : '';
}
