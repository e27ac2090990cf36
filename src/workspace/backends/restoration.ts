import { displayPath, filesInTheWay, listWorktrees, putFiles, putHead, type ObjectId } from '../../kernel/git/index.ts';
import type { RestoreOutcome, Snapshot } from '../contract.ts';
import { keepName } from './kind.ts';
import { keepEverything, type Kept } from './snapshots.ts';

export interface Restoration extends Kept {
  readonly snapshot: Snapshot;
  /** Whether the person's hooks are asked before the branch moves. Default `none`. */
  readonly hooks?: 'none' | 'run';
  /** The tree that the files are to have, where it is not that of the snapshot. */
  readonly target?: (now: ObjectId) => Promise<ObjectId>;
}

/** Puts files, HEAD, branch and index back; a second call ends what a killed one began. */
export async function restoreCheckout(restoration: Restoration): Promise<RestoreOutcome> {
  const { checkout, snapshot, record, who, hooks, target } = restoration;
  const elsewhere = await branchElsewhere(restoration);
  if (elsewhere !== undefined) return { kind: 'refused', reason: `${snapshot.branch} is checked out at ${elsewhere}`, paths: [] };
  const kept = await keepEverything(restoration);
  const files = { from: kept.tree, to: (await target?.(kept.tree)) ?? snapshot.tree };
  const paths = await filesInTheWay(checkout, files);
  if (paths.length > 0) return { kind: 'refused', reason: `in the way: ${paths.slice(0, 5).map(displayPath).join(', ')}`, paths };
  await putFiles(checkout, files);
  const { head: commit, branch } = snapshot;
  const moved = await putHead(checkout, { commit, branch, name: keepName(record), who, ...(hooks === undefined ? {} : { hooks }) });
  if (moved.kind === 'moved') return { kind: 'restored', kept };
  await putFiles(checkout, { from: files.to, to: files.from });
  const reason = moved.kind === 'refused' ? `a hook refused to move ${branch}: ${moved.said}` : `${branch} was moved meanwhile`;
  return { kind: 'refused', reason, paths: [] };
}

/** Another checkout on that branch would see it move away from under it. */
async function branchElsewhere({ checkout, snapshot: { branch } }: Restoration): Promise<string | undefined> {
  if (branch === undefined) return undefined;
  const worktrees = await listWorktrees(checkout);
  return worktrees.find((worktree) => worktree.branch === branch && worktree.path !== checkout.topLevel)?.path;
}
