import { durablePoint } from '../../files/index.ts';
import { callGit } from '../call.ts';
import { commitTree, readCommit } from './commit.ts';
import type { ObjectId, Repository, Signature } from '../contract.ts';
import { nulSeparated } from '../nul.ts';
import { idIn, requireId } from '../object-id.ts';
import type { GitPath } from '../path.ts';
import { requireGit } from '../version.ts';

export interface MergeRequest {
  /** Commits. */
  readonly ours: ObjectId;
  readonly theirs: ObjectId;
  /** What both count as descending from. Default: their merge base. With the parent of `theirs` it is a cherry-pick. */
  readonly base?: ObjectId;
}

export type MergeOutcome =
  | { readonly kind: 'merged'; readonly tree: ObjectId }
  /** `tree` holds the files with conflict marks, for somebody to look at. */
  | { readonly kind: 'conflict'; readonly tree: ObjectId; readonly paths: readonly GitPath[] };

/** The first git with `merge-tree --write-tree`. */
const NEEDED_MINOR = 38;
const NOBODY: Signature = { name: 'drover', email: 'drover@localhost', date: { seconds: 0, offsetMinutes: 0 } };

/**
 * Merges two commits in the object store, durably; no checkout, index or ref is touched, and no file of a checkout has
 * a say: `merge` attributes count only from `info/attributes`.
 * Throws `git-too-old` below 2.38, `git-failed` for histories that never met.
 */
export async function mergeTrees(repository: Repository, request: MergeRequest): Promise<MergeOutcome> {
  requireGit(repository.git, NEEDED_MINOR);
  const { ours, theirs } = await sidesOf(repository, request);
  const args = ['-c', 'core.bare=true', 'merge-tree', '--write-tree', '-z', '--name-only', '--no-messages', ours, theirs];
  durablePoint('merge:before');
  const answer = await callGit(repository, { what: 'merge', args, answers: [0, 1], checkout: 'none' });
  durablePoint('merge:after');
  const [tree = '', ...paths] = nulSeparated(answer.stdout);
  const id = idIn(Buffer.from(tree));
  return answer.code === 0 ? { kind: 'merged', tree: id } : { kind: 'conflict', tree: id, paths: [...new Set(paths)] };
}

/**
 * `--merge-base` came with 2.40 only; two commits that have the wanted base as their one parent say the same to every
 * version. Nothing refers to them.
 */
async function sidesOf(repository: Repository, { ours, theirs, base }: MergeRequest): Promise<Omit<MergeRequest, 'base'>> {
  if (base === undefined) return { ours: requireId(ours), theirs: requireId(theirs) };
  const onBase = async (id: ObjectId): Promise<ObjectId> => {
    const { tree } = await readCommit(repository, id);
    return commitTree(repository, { tree, parents: [base], author: NOBODY, committer: NOBODY, message: `${id}\n` });
  };
  return { ours: await onBase(ours), theirs: await onBase(theirs) };
}
