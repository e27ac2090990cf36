import { deleteRef, keepRef, listWorktrees, readRef, type ObjectId, type Repository } from '../../kernel/git/index.ts';
import { keepName } from './kind.ts';
import type { Entry } from './register.ts';

/** Whoever moves it meanwhile has ended soon. */
const MOST_ATTEMPTS = 10;

/**
 * Takes away the branch that was made for a workspace, wherever it stands by now, after keeping that; gives the
 * keep-ref. It stays where another checkout stands on it: that one would lose its HEAD.
 */
export async function dropBranch(source: Repository, entry: Entry): Promise<string | undefined> {
  const { branch } = entry.record;
  if (branch === undefined) return undefined;
  for (let attempt = 0; attempt < MOST_ATTEMPTS; attempt += 1) {
    const id = (await readRef(source, branch))?.id;
    if (id === undefined) return undefined;
    const worktrees = await listWorktrees(source);
    if (worktrees.some((worktree) => worktree.branch === branch)) return undefined;
    const kept = await dropAt(source, entry, { branch, id });
    if (kept !== undefined) return kept;
  }
  return undefined;
}

interface BranchAt {
  readonly branch: string;
  readonly id: ObjectId;
}

async function dropAt(source: Repository, { record, who }: Entry, { branch: ref, id }: BranchAt): Promise<string | undefined> {
  const reason = 'drover: its workspace is gone';
  const kept = await keepRef(source, { id, name: keepName(record), who, reason });
  const outcome = await deleteRef(source, { ref, from: id, who, reason });
  return outcome.kind === 'moved' ? kept : undefined;
}
