import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { tryLock, type Lock } from '../../lock/index.ts';
import type { Repository } from '../contract.ts';
import { droverFolder } from '../refs/receipts.ts';
import { requireRef } from '../refs/ref-name.ts';
import { realPath } from '../repository.ts';

/** What is to be done by one process at a time, over all checkouts of a repository. */
export type RepositoryLockKind =
  /** Adding and removing worktrees. */
  | { readonly kind: 'worktrees' }
  /** Landing on a branch, given in full. */
  | { readonly kind: 'landing'; readonly branch: string }
  /** Editing a checkout, given by its folder. */
  | { readonly kind: 'checkout'; readonly path: string };

const LOOK_AGAIN_MS = 50;

/**
 * Takes the lock, or says at once that somebody has it. It is found by the real path of the common git folder: the same
 * from each worktree, and through links. Throws as `tryLock` of `kernel/lock` does.
 */
export function tryRepositoryLock(repository: Repository, kind: RepositoryLockKind): Lock | 'held' {
  return tryLock(join(droverFolder(repository, 'locks'), fileOf(kind)));
}

/**
 * Waits for the lock until the signal says otherwise; then throws its reason.
 *
 * @example
 * const lock = await repositoryLock(repository, { kind: 'worktrees' }, { signal: AbortSignal.timeout(60_000) });
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

function fileOf(kind: RepositoryLockKind): string {
  return `${kind.kind}-${createHash('sha256').update(subjectOf(kind)).digest('hex').slice(0, 16)}`;
}

function subjectOf(kind: RepositoryLockKind): string {
  if (kind.kind === 'landing') return requireRef(kind.branch);
  return kind.kind === 'checkout' ? realPath(kind.path) : '';
}
