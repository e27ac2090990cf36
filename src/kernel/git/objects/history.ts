import { callGit } from '../call.ts';
import type { ObjectId, Repository } from '../contract.ts';
import { requireId } from '../object-id.ts';

/** Whether `ancestor` is `descendant` itself or in its history. Throws `git-failed` for what is no commit. */
export async function isAncestor(
  repository: Repository,
  { ancestor, descendant }: { readonly ancestor: ObjectId; readonly descendant: ObjectId },
): Promise<boolean> {
  const args = ['merge-base', '--is-ancestor', requireId(ancestor), requireId(descendant)];
  const { code } = await callGit(repository, { what: 'compare histories', args, answers: [0, 1] });
  return code === 0;
}

/** The best common ancestors of two commits: none for histories that never met, several after crossed merges. */
export async function mergeBases(repository: Repository, one: ObjectId, other: ObjectId): Promise<readonly ObjectId[]> {
  const args = ['merge-base', '--all', requireId(one), requireId(other)];
  const { stdout } = await callGit(repository, { what: 'compare histories', args, answers: [0, 1] });
  return stdout.toString('latin1').split('\n').filter((line) => line !== '');
}

export interface HistoryCommit {
  readonly id: ObjectId;
  readonly parents: readonly ObjectId[];
}

/** The commits that `tip` has and `base` has not, each after its parents. Throws `git-failed` for what is no commit. */
export async function commitsBetween(
  repository: Repository,
  { base, tip }: { readonly base: ObjectId; readonly tip: ObjectId },
): Promise<readonly HistoryCommit[]> {
  const args = ['rev-list', '--reverse', '--topo-order', '--parents', requireId(tip), `^${requireId(base)}`];
  const { stdout } = await callGit(repository, { what: 'list commits', args });
  const lines = stdout.toString('latin1').split('\n').filter((line) => line !== '');
  return lines.map((line) => {
    const [id = '', ...parents] = line.split(' ');
    return { id, parents };
  });
}
