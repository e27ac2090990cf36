import {
  commitsBetween,
  commitTree,
  keepFiles,
  keepRef,
  readCommit,
  readHead,
  snapshotFiles,
  takeCommits,
  type GitPath,
  type Identity,
  type ObjectId,
  type Repository,
} from '../../kernel/git/index.ts';
import type { Snapshot, Workspace, WorkspaceRecord } from '../contract.ts';
import { workspaceNotOurs } from '../errors.ts';
import { keepName } from './kind.ts';

/** A workspace that git knows, and the repository in which all of it is kept. */
export interface Kept {
  readonly checkout: Repository;
  readonly source: Repository;
  readonly record: WorkspaceRecord;
  readonly who: Identity;
}

/** Throws `workspace-not-ours` for one whose files git does not know. */
export function keptOf({ record, source, checkout }: Workspace, who: Identity): Kept {
  if (checkout === undefined) throw workspaceNotOurs({ ...record, reason: 'git does not know its files' });
  return { record, source, checkout, who };
}

/** Files that are not ignored, on top of the last commit. */
export async function takeSnapshot(kept: Kept): Promise<Snapshot> {
  const { checkout } = kept;
  // Its index may have been written by an agent.
  const files = await snapshotFiles(checkout, { index: 'doubted' });
  const { head, branch } = await headOf(kept);
  const isClean = (await readCommit(checkout, head)).tree === files.tree;
  const commit = isClean ? head : await commitOf(kept, files.tree, head);
  return finish(kept, { commit, tree: files.tree, head, branch, missed: files.missed });
}

/** As a snapshot, with all that is more than a commit would have: ignored files, and what is only staged. */
export async function keepEverything(kept: Kept): Promise<Snapshot> {
  const { checkout, record, who } = kept;
  const { commit, missed, tooLarge } = await keepFiles(checkout, { name: keepName(record), who });
  const { head, branch } = await headOf(kept);
  const { tree } = await readCommit(checkout, commit);
  return finish(kept, { commit, tree, head, branch, missed: [...missed, ...tooLarge] });
}

interface Taken {
  readonly commit: ObjectId;
  readonly tree: ObjectId;
  readonly head: ObjectId;
  readonly branch: string | undefined;
  readonly missed: readonly GitPath[];
}

async function finish(kept: Kept, taken: Taken): Promise<Snapshot> {
  const commits = await commitsBetween(kept.checkout, { base: kept.record.base, tip: taken.head });
  return { ...taken, commits: commits.length, ref: await keepInSource(kept, taken.commit) };
}

async function keepInSource({ checkout, source, record, who }: Kept, commit: ObjectId): Promise<string> {
  const name = keepName(record);
  const isShared = checkout.commonDir === source.commonDir || commit === record.base;
  if (!isShared) return takeCommits(source, checkout, { tip: commit, base: record.base, name, who });
  return keepRef(source, { id: commit, name, who, reason: 'drover: snapshot of a workspace' });
}

async function headOf({ checkout, record }: Kept): Promise<Pick<Taken, 'head' | 'branch'>> {
  const head = await readHead(checkout);
  const branch = head.kind === 'detached' ? undefined : head.ref;
  return { head: head.kind === 'unborn' ? record.base : head.id, branch };
}

function commitOf({ checkout, record, who }: Kept, tree: ObjectId, head: ObjectId): Promise<ObjectId> {
  const seconds = Number(checkout.git.clock.wall() / 1_000_000_000n);
  const author = { ...who, date: { seconds, offsetMinutes: 0 } };
  return commitTree(checkout, { tree, parents: [head], author, committer: author, message: `Files of the workspace ${record.id}\n` });
}
