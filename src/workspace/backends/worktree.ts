import { isDroverError } from '../../kernel/errors/index.ts';
import {
  addWorktree,
  listWorktrees,
  pinWorktree,
  readCommit,
  readHead,
  readReceipts,
  readRef,
  releaseUnfinished,
  removeWorktree,
  type Repository,
  type Worktree,
} from '../../kernel/git/index.ts';
import type { Backend, WorkspaceRecord, WorkspaceRefusal, WorkspaceRemoval, WorkspaceRequest } from '../contract.ts';
import { workspaceHalfMade } from '../errors.ts';
import type { BackendSetting } from './backend-setting.ts';
import { backendOf } from './backend.ts';
import { dropBranch } from './branch.ts';
import { keepName, type Found, type Kind, type Site } from './kind.ts';
import { isSameWorkspace, readMarker } from './marker.ts';
import { reasonOf, removalOf } from './obstacles.ts';
import { isThere, makeFolders, placeRefusal, realPlace, removeEmpty } from './place.ts';
import { refused } from './refusal.ts';
import type { Entry } from './register.ts';
import { restoreCheckout } from './restoration.ts';
import { unchangedSeeds } from './seeded.ts';
import { keptOf, takeSnapshot } from './snapshots.ts';

/** Worktrees of the person's repository: its refs and objects are theirs, HEAD, index and files are their own. */
export function worktreeBackend(setting: BackendSetting): Backend {
  const { source } = setting;
  const kind: Kind = {
    name: 'worktree',
    place: ({ path, branch }) => ({ path: realPlace(path), branch }),
    look: (request, record) => look(source, request, record),
    make: (entry) => make(source, entry),
    find: (record) => find(source, record),
    takeBack: (entry) => takeBack(source, entry),
    snapshot: (workspace, who) => takeSnapshot(keptOf(workspace, who)),
    restore: (workspace, snapshot, who) => restoreCheckout({ ...keptOf(workspace, who), snapshot }),
    remove: (entry) => remove(source, entry),
    marked: async () => (await markedOnes(source)).map(({ marker }) => marker),
  };
  return backendOf(kind, setting);
}

/** Shared with clones: what can be told before anything is made. */
export async function look(source: Repository, { branch, base }: WorkspaceRequest, { path }: WorkspaceRecord): Promise<WorkspaceRefusal | undefined> {
  const taken = placeRefusal(path);
  if (taken !== undefined) return taken;
  await readCommit(source, base);
  if (branch === undefined || (await readRef(source, branch)) === undefined) return undefined;
  return refused('branch-exists', `there is a ${branch} already`);
}

async function make(source: Repository, { record, who, folders }: Entry): Promise<Site | WorkspaceRefusal> {
  const { path, base, branch } = record;
  await makeFolders(folders);
  const outcome = await addWorktree(source, { path, commit: base, who, ...(branch === undefined ? {} : { branch }) });
  if (outcome.kind === 'added') return { checkout: outcome.worktree, home: outcome.worktree.gitDir, hasFiles: true };
  return refused('branch-exists', `there is a ${branch} already`);
}

async function find(source: Repository, record: WorkspaceRecord): Promise<Found> {
  const { path } = record;
  const [main, ...worktrees] = await listWorktrees(source);
  if (main?.path === path) return { kind: 'foreign', reason: 'it is the main checkout of its repository' };
  const worktree = worktrees.find((each) => each.path === path);
  if (worktree === undefined) return absent(source, record);
  const pinned = pinnedOrWhy(source, worktree);
  if (typeof pinned === 'string') return { kind: 'foreign', reason: pinned };
  return { kind: 'here', site: { checkout: pinned, home: pinned.gitDir, hasFiles: !worktree.missing } };
}

async function absent(source: Repository, record: WorkspaceRecord): Promise<Found> {
  const moved = (await markedOnes(source)).find(({ marker }) => isSameWorkspace(marker, record));
  if (moved !== undefined) return { kind: 'moved', reason: `it was moved by hand to ${moved.worktree.path}` };
  if (isThere(record.path)) return { kind: 'foreign', reason: 'git knows of no worktree there' };
  return { kind: 'gone', reason: 'git knows of no worktree there' };
}

/** Why it cannot be told which one it is, instead of the worktree. */
function pinnedOrWhy(source: Repository, worktree: Worktree): Repository | string {
  try {
    return pinWorktree(source, worktree);
  } catch (error) {
    if (isDroverError(error)) return error.message;
    throw error;
  }
}

interface Marked {
  readonly worktree: Worktree;
  readonly marker: WorkspaceRecord;
}

async function markedOnes(source: Repository): Promise<readonly Marked[]> {
  const [, ...worktrees] = await listWorktrees(source);
  return worktrees.flatMap((worktree) => {
    const pinned = pinnedOrWhy(source, worktree);
    const marker = typeof pinned === 'string' ? undefined : readMarker(pinned.gitDir);
    return marker?.backend === 'worktree' ? [{ worktree, marker }] : [];
  });
}

async function takeBack(source: Repository, entry: Entry): Promise<void> {
  const { record, who, folders } = entry;
  const { path, base, branch } = record;
  const found = await find(source, record);
  if (found.kind === 'here' && (await isOurs(source, record, found.site))) {
    if (found.site.checkout !== undefined) await releaseUnfinished(found.site.checkout);
    const outcome = await removeWorktree(source, { path, name: keepName(record), who, expendable: unchangedSeeds(source, entry) });
    if (outcome.kind === 'refused') throw workspaceHalfMade({ id: record.id, path, reason: reasonOf(outcome) });
  }
  const isOwnBranch = branch !== undefined && (await wasMade(source, { kind: 'ref', name: branch, commit: base }));
  if (isOwnBranch) await dropBranch(source, entry);
  await removeEmpty([...folders, path]);
}

/** Before it is marked, by what we announced and by where its HEAD stands. */
async function isOurs(source: Repository, record: WorkspaceRecord, { home, checkout }: Site): Promise<boolean> {
  const marker = readMarker(home);
  if (marker !== undefined || checkout === undefined) return isSameWorkspace(marker, record);
  const head = await readHead(checkout);
  const stands = head.kind === 'detached' ? head.id === record.base : head.ref === record.branch;
  return stands && (await wasMade(source, { kind: 'worktree', name: record.path, commit: record.base }));
}

interface Making {
  readonly kind: 'ref' | 'worktree';
  readonly name: string;
  readonly commit: string;
}

/** Whether the last that we ourselves did there was to make it. */
async function wasMade(source: Repository, { kind, name, commit }: Making): Promise<boolean> {
  const { receipts } = await readReceipts(source);
  const last = receipts.findLast((each) => each.kind === kind && each.name === name && each.state !== 'not-done');
  return last !== undefined && last.before === undefined && last.after === commit;
}

async function remove(source: Repository, entry: Entry): Promise<WorkspaceRemoval> {
  const { record, who } = entry;
  const found = await find(source, record);
  if (found.kind !== 'here') return { kind: 'removed', kept: await dropBranch(source, entry) };
  const outcome = await removeWorktree(source, {
    path: record.path,
    name: keepName(record),
    who,
    expendable: unchangedSeeds(source, entry),
  });
  if (outcome.kind === 'refused') return removalOf(outcome);
  const branch = await dropBranch(source, entry);
  return { kind: 'removed', kept: outcome.kept?.ref ?? branch };
}
