import { commitsBetween, commitTree, mergeTrees, readCommit, type Commit, type GitPath, type HistoryCommit, type ObjectId, type Repository, type Signature } from '../../kernel/git/index.ts';

export interface ReplayRequest {
  readonly onto: ObjectId;
  /** What counts is behind it. */
  readonly base: ObjectId;
  readonly tip: ObjectId;
  readonly committer: Signature;
}

export type ReplayOutcome =
  | { readonly kind: 'replayed'; readonly commit: ObjectId; readonly tree: ObjectId }
  | { readonly kind: 'conflict'; readonly paths: readonly GitPath[] }
  | { readonly kind: 'refused'; readonly reason: string };

/**
 * Makes the commits of a change anew, one on the other, with their authors and messages. One that changes nothing there
 * is left out, unless it never changed anything. A merge among them is refused: what it settled would be lost.
 */
export async function replay(repository: Repository, { onto, base, tip, committer }: ReplayRequest): Promise<ReplayOutcome> {
  const commits = await commitsBetween(repository, { base, tip });
  const merge = commits.find(({ parents }) => parents.length > 1);
  if (merge !== undefined) return { kind: 'refused', reason: `the change has a merge (${merge.id}), which rebase would lose; squash or merge keeps it` };
  let top: Top = { commit: onto, tree: (await readCommit(repository, onto)).tree };
  for (const each of commits) {
    const next = await pick(repository, { top, each, committer });
    if (next.kind === 'conflict') return next;
    top = next;
  }
  return { kind: 'replayed', commit: top.commit, tree: top.tree };
}

interface Top {
  readonly commit: ObjectId;
  readonly tree: ObjectId;
}

interface Pick {
  readonly top: Top;
  readonly each: HistoryCommit;
  readonly committer: Signature;
}

type Picked = (Top & { readonly kind: 'picked' }) | { readonly kind: 'conflict'; readonly paths: readonly GitPath[] };

async function pick(repository: Repository, { top, each, committer }: Pick): Promise<Picked> {
  const [base] = each.parents;
  const [commit, before] = await Promise.all([readCommit(repository, each.id), base === undefined ? undefined : readCommit(repository, base)]);
  if (base === top.commit) return { kind: 'picked', commit: commit.id, tree: commit.tree };
  const outcome = await mergeTrees(repository, { ours: top.commit, theirs: each.id, ...(base === undefined ? {} : { base }) });
  if (outcome.kind === 'conflict') return { kind: 'conflict', paths: outcome.paths };
  const { tree } = outcome;
  if (tree === top.tree && commit.tree !== before?.tree) return { ...top, kind: 'picked' };
  return { kind: 'picked', tree, commit: await commitAnew(repository, { commit, tree, parent: top.commit, committer }) };
}

interface Anew {
  readonly commit: Commit;
  readonly tree: ObjectId;
  readonly parent: ObjectId;
  readonly committer: Signature;
}

function commitAnew(repository: Repository, { commit, tree, parent, committer }: Anew): Promise<ObjectId> {
  const { author, message } = commit;
  return commitTree(repository, { tree, parents: [parent], author, committer, message });
}
