import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { readBytesIfPresent } from '../../files/index.ts';
import type { Repository } from '../contract.ts';
import { requireRef } from '../refs/ref-name.ts';
import { listWorktrees, type Worktree } from './worktree-list.ts';
import { pinWorktree } from './worktree-place.ts';

export interface BranchCheckout {
  readonly checkout: Repository;
  /** Its rebase will move the branch when it ends, from where it stood at its start. */
  readonly isRebasing: boolean;
}

const HEAD_NAMES = ['rebase-merge/head-name', 'rebase-apply/head-name'];

/**
 * The checkouts that stand on a branch, or are in the middle of a rebase of it. Those whose folder is gone have no files
 * to care for. Throws `worktree-misled` for one that was led elsewhere by hand.
 */
export async function checkoutsOn(repository: Repository, ref: string): Promise<readonly BranchCheckout[]> {
  requireRef(ref);
  const worktrees = await listWorktrees(repository);
  return worktrees.flatMap((worktree, at) => {
    if (worktree.bare || worktree.missing) return [];
    const isOn = worktree.branch === ref;
    // Where HEAD is detached, a rebase may be why.
    if (!isOn && worktree.branch !== undefined) return [];
    const checkout = at === 0 ? mainCheckout(repository, worktree) : pinWorktree(repository, worktree);
    const isRebasing = HEAD_NAMES.some((name) => nameIn(join(checkout.gitDir, name)) === ref);
    return isOn || isRebasing ? [{ checkout, isRebasing }] : [];
  });
}

function mainCheckout(repository: Repository, { path }: Worktree): Repository {
  return { ...repository, topLevel: path, gitDir: repository.commonDir, bare: false };
}

function nameIn(file: string): string | undefined {
  if (!existsSync(file)) return undefined;
  return Buffer.from(readBytesIfPresent(file) ?? []).toString().trim();
}
