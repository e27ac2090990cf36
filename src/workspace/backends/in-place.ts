import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { ensureFolderDurably, readBytesIfPresent, removeDurably, replaceFile } from '../../kernel/files/index.ts';
import {
  changedPaths,
  listTree,
  openRepository,
  operationUnderWay,
  readHead,
  readStatus,
  writeTree,
  type GitPath,
  type ObjectId,
  type Repository,
  type TreeEdit,
} from '../../kernel/git/index.ts';
import { isDroverError } from '../../kernel/errors/index.ts';
import type { Backend, WorkspaceRecord, WorkspaceRefusal, WorkspaceRequest } from '../contract.ts';
import { workspaceRecordDamaged } from '../errors.ts';
import type { BackendSetting } from './backend-setting.ts';
import { backendOf } from './backend.ts';
import type { Found, Kind, Site } from './kind.ts';
import { readMarker, removeMarker } from './marker.ts';
import { parseJson } from './record-text.ts';
import { refused } from './refusal.ts';
import type { Entry } from './register.ts';
import { restoreCheckout } from './restoration.ts';
import { keptOf, takeSnapshot } from './snapshots.ts';

/**
 * The person's own checkout, one workspace at a time. Nothing of it is made but the marker, and nothing goes but that.
 * Files that were untracked or ignored there before are the person's, and are never put back or taken away.
 */
export function inPlaceBackend(setting: BackendSetting): Backend {
  const { source } = setting;
  const kind: Kind = {
    name: 'in-place',
    place: () => ({ path: source.topLevel ?? source.gitDir, branch: undefined }),
    look: (request) => look(source, request),
    make: (entry) => make(source, entry),
    find: (record) => find(source, record),
    takeBack: (entry) => forget(source, entry.record),
    snapshot: (workspace, who) => takeSnapshot(keptOf(workspace, who)),
    restore: (workspace, snapshot, who) => {
      const kept = keptOf(workspace, who);
      const target = (now: ObjectId): Promise<ObjectId> => withOwnFiles(kept.checkout, { record: workspace.record, now, wanted: snapshot.tree });
      return restoreCheckout({ ...kept, snapshot, hooks: 'run', target });
    },
    remove: async ({ record }) => {
      await forget(source, record);
      return { kind: 'removed', kept: undefined };
    },
    marked: async () => ownMarkers(source),
  };
  return backendOf(kind, setting);
}

async function look(source: Repository, { base }: WorkspaceRequest): Promise<WorkspaceRefusal | undefined> {
  if (source.topLevel === undefined) return refused('repository-unfit', `${source.gitDir} has no checkout: open one, or use a worktree`);
  const other = readMarker(source.gitDir);
  if (other !== undefined) return refused('place-taken', `${source.topLevel} is the workspace ${other.id} already`);
  const lock = join(source.gitDir, 'index.lock');
  if (existsSync(lock)) return refused('busy', `${lock} exists: another git command is at work here, or was killed; when none is running, move that file aside`);
  const operation = operationUnderWay(source);
  if (operation !== undefined) return refused('repository-unfit', `a ${operation} is under way in ${source.topLevel}: finish it or give it up first`);
  const head = await readHead(source);
  if (head.kind === 'unborn') return refused('repository-unfit', `${head.ref} has no commit yet: make a first one`);
  if (head.id !== base) return refused('repository-unfit', `HEAD of ${source.topLevel} is at ${head.id}, not at ${base}: check that out first`);
  return undefined;
}

async function make(source: Repository, { record }: Entry): Promise<Site> {
  const entries = await readStatus(source, { ignored: 'by-folder' });
  const own = entries.flatMap(({ kind, path }) => (kind === 'untracked' || kind === 'ignored' ? [path] : []));
  await ensureFolderDurably(folderOfLists(source), { root: source.commonDir });
  await replaceFile(listOf(source, record), JSON.stringify(own));
  return { checkout: source, home: source.gitDir, hasFiles: true };
}

async function find(source: Repository, { path }: WorkspaceRecord): Promise<Found> {
  if (path === source.topLevel) return { kind: 'here', site: { checkout: source, home: source.gitDir, hasFiles: true } };
  if (!existsSync(path)) return { kind: 'gone', reason: 'nothing is there' };
  try {
    const checkout = await openRepository(source.git, path);
    const isSame = checkout.commonDir === source.commonDir && checkout.topLevel === path;
    return isSame ? { kind: 'here', site: { checkout, home: checkout.gitDir, hasFiles: true } } : { kind: 'foreign', reason: 'another repository is there' };
  } catch (error) {
    if (isDroverError(error)) return { kind: 'foreign', reason: error.message };
    throw error;
  }
}

/** Also where somebody has taken it away already. */
async function forget(source: Repository, record: WorkspaceRecord): Promise<void> {
  const found = await find(source, record);
  if (found.kind === 'here') await removeMarker(found.site.home, record);
  await removeDurably(listOf(source, record));
}

function ownMarkers(source: Repository): readonly WorkspaceRecord[] {
  const marker = readMarker(source.gitDir);
  return marker?.backend === 'in-place' ? [marker] : [];
}

interface Wanted {
  readonly record: WorkspaceRecord;
  readonly now: ObjectId;
  readonly wanted: ObjectId;
}

/** The tree of the snapshot, in which the person's own files are as they are now. */
async function withOwnFiles(checkout: Repository, { record, now, wanted }: Wanted): Promise<ObjectId> {
  const own = readList(listOf(checkout, record));
  const isOwn = (path: GitPath): boolean => own.some((each) => path === each || (each.endsWith('/') && path.startsWith(each)));
  const paths = (await changedPaths(checkout, { before: wanted, after: now })).filter(({ path }) => isOwn(path));
  if (paths.length === 0) return wanted;
  const there = new Map((await listTree(checkout, now)).map((entry) => [entry.path, entry]));
  const edits = paths.map(({ path }): TreeEdit => {
    const entry = there.get(path);
    return entry === undefined || entry.kind === 'folder' ? { path, kind: 'absent' } : { path, kind: entry.kind, id: entry.id };
  });
  return writeTree(checkout, edits, { base: wanted });
}

const LONGEST = 256 * 2 ** 20;

function readList(path: string): readonly GitPath[] {
  const bytes = readBytesIfPresent(path, { maxBytes: LONGEST });
  const list = bytes === undefined ? undefined : parseJson(bytes, path);
  if (Array.isArray(list)) return list as readonly GitPath[];
  throw workspaceRecordDamaged({ path, reason: 'it is no list of the files that were there before the workspace' });
}

function folderOfLists({ commonDir }: Repository): string {
  return join(commonDir, 'drover', 'workspaces', 'own-files');
}

function listOf(repository: Repository, { id }: WorkspaceRecord): string {
  return join(folderOfLists(repository), `${id}.json`);
}
