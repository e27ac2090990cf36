import {
  addWorktree,
  cloneShared,
  findGit,
  moveRef,
  openRepository,
  recordCommit,
  takeCommits,
  type CloneRequest,
  type RecordRequest,
  type RefMove,
  type Repository,
  type WorktreeRequest,
} from '../../../../src/kernel/git/index.ts';
import { systemClock } from '../../../../src/kernel/time/index.ts';

/** One change that the program makes, to be killed while it does. */
export type ChangeOrder =
  | { readonly what: 'move'; readonly request: RefMove }
  | { readonly what: 'worktree'; readonly request: WorktreeRequest }
  | { readonly what: 'clone'; readonly request: CloneRequest }
  | { readonly what: 'record'; readonly request: RecordRequest }
  | { readonly what: 'take'; readonly request: Parameters<typeof takeCommits>[2] & { readonly clone: string } };

function make(repository: Repository, order: ChangeOrder): Promise<unknown> {
  if (order.what === 'move') return moveRef(repository, order.request);
  if (order.what === 'worktree') return addWorktree(repository, order.request);
  if (order.what === 'clone') return cloneShared(repository, order.request);
  if (order.what === 'record') return recordCommit(repository, order.request);
  return openRepository(repository.git, order.request.clone).then((clone) => takeCommits(repository, clone, order.request));
}

const [folder = '', receiptsFolder = '', order = ''] = process.argv.slice(2);
const git = await findGit({ clock: systemClock(), env: process.env, marker: 'crash-test', receiptsFolder });
await make(await openRepository(git, folder), JSON.parse(order) as ChangeOrder);
