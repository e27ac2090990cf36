import { durablePoint } from '../../files/index.ts';
import { callGit, type GitCall } from '../call.ts';
import { commitTree, readCommit } from '../objects/commit.ts';
import type { Identity, ObjectId, Repository, Signature } from '../contract.ts';
import { headDetached } from '../errors.ts';
import { moveRef, type RefMoveOutcome } from '../refs/move-ref.ts';
import { pathBytes, type GitPath } from '../path.ts';
import { readHead } from '../refs/read-refs.ts';
import { checkoutOf, inGitDir } from '../repository.ts';
import { requireText } from '../text.ts';
import { writeIndexTree } from '../objects/tree.ts';

export interface RecordRequest {
  /** Files and folders to take in as they are now, deletions included. */
  readonly paths: 'all' | readonly GitPath[];
  readonly author: Signature;
  readonly who: Identity;
  readonly message: string;
}

export type RecordOutcome =
  | { readonly kind: 'committed'; readonly commit: ObjectId }
  /** Nothing differs from the commit that is there. */
  | { readonly kind: 'nothing' }
  | Exclude<RefMoveOutcome, { readonly kind: 'moved' }>;

/**
 * Commits files of a checkout on the branch that it stands on, without hooks; the checkout's own index takes part, as
 * with `git add` and `git commit`. What was staged before goes into the commit too.
 * Throws `head-detached`, `no-checkout`, `git-locked`, `git-failed` for a path that is not there.
 */
export async function recordCommit(checkout: Repository, request: RecordRequest): Promise<RecordOutcome> {
  const head = await readHead(checkout);
  if (head.kind === 'detached') throw headDetached({ path: checkoutOf(checkout) });
  requireText(request.message);
  await stage(checkout, request.paths);
  const tree = await writeIndexTree(checkout, inGitDir(checkout, 'index'));
  const from = head.kind === 'branch' ? head.id : undefined;
  if (from !== undefined && (await readCommit(checkout, from)).tree === tree) return { kind: 'nothing' };
  const { author, who, message } = request;
  const parents = from === undefined ? [] : [from];
  const commit = await commitTree(checkout, { tree, parents, author, committer: { ...who, date: author.date }, message });
  const moved = await moveRef(checkout, { ref: head.ref, from, to: commit, who, reason: `commit: ${message.split('\n', 1)[0]}` });
  return moved.kind === 'moved' ? { kind: 'committed', commit } : moved;
}

async function stage(checkout: Repository, paths: RecordRequest['paths']): Promise<void> {
  const settings = ['-c', 'core.safecrlf=false'];
  if (paths === 'all') {
    await addToIndex(checkout, { args: [...settings, 'add', '--all', '--', '.'] });
    return;
  }
  if (paths.length === 0) return;
  const input = Buffer.concat(paths.flatMap((path) => [pathBytes(path), Buffer.of(0)]));
  const args = [...settings, 'add', '--all', '--pathspec-from-file=-', '--pathspec-file-nul'];
  await addToIndex(checkout, { args, input });
}

async function addToIndex(checkout: Repository, call: Pick<GitCall, 'args' | 'input'>): Promise<void> {
  durablePoint('index:before');
  await callGit(checkout, { what: 'take in files', cwd: checkoutOf(checkout), ...call });
  durablePoint('index:after');
}
