import { lstatSync, readdirSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { describeSystemError, isDroverError } from '../../kernel/errors/index.ts';
import { durablePoint, readBytesIfPresent } from '../../kernel/files/index.ts';
import { cloneShared, finishCloneRemoval, listRefs, openRepository, readRef, removeClone, type Repository } from '../../kernel/git/index.ts';
import type { Backend, WorkspaceRecord, WorkspaceRemoval } from '../contract.ts';
import { workspaceHalfMade } from '../errors.ts';
import type { BackendSetting } from './backend-setting.ts';
import { backendOf } from './backend.ts';
import { keepName, type Found, type Kind, type Site } from './kind.ts';
import { readMarker, isSameWorkspace } from './marker.ts';
import { reasonOf, removalOf } from './obstacles.ts';
import { isThere, makeFolders, realPlace, removeEmpty } from './place.ts';
import type { Entry } from './register.ts';
import { restoreCheckout } from './restoration.ts';
import { unchangedSeeds } from './seeded.ts';
import { keptOf, takeSnapshot } from './snapshots.ts';
import { look } from './worktree.ts';

/** Repositories of their own, which read the objects of the person's and can change nothing there. */
export function cloneBackend(setting: BackendSetting): Backend {
  const { source } = setting;
  const kind: Kind = {
    name: 'clone',
    place: ({ path, branch }) => ({ path: realPlace(path), branch }),
    look: (request, record) => look(source, request, record),
    make: (entry) => make(source, entry),
    find: (record) => find(source, record),
    takeBack: (entry) => takeBack(source, entry),
    snapshot: (workspace, who) => takeSnapshot(keptOf(workspace, who)),
    restore: (workspace, snapshot, who) => restoreCheckout({ ...keptOf(workspace, who), snapshot }),
    remove: (entry) => remove(source, entry),
    // Their markers are where they are, and nobody knows of a place that is not written down.
    marked: async () => [],
  };
  return backendOf(kind, setting);
}

async function make(source: Repository, { record, who, folders }: Entry): Promise<Site> {
  const { path, base, branch } = record;
  await makeFolders(folders);
  const name = keepName(record);
  const clone = await cloneShared(source, { path, commit: base, name, who, ...(branch === undefined ? {} : { branch }) });
  return { checkout: clone, home: clone.gitDir, hasFiles: true };
}

async function find({ git }: Repository, { path }: Pick<WorkspaceRecord, 'path'>): Promise<Found> {
  if (!isThere(path)) return { kind: 'gone', reason: 'nothing is there' };
  const gitDir = join(path, '.git');
  const foreign = { kind: 'foreign', reason: 'no clone of its own is there' } as const;
  if (lstatSync(gitDir, { throwIfNoEntry: false })?.isDirectory() !== true) return foreign;
  try {
    const checkout = await openRepository(git, path);
    // Whatever its configuration says, it is its own repository, here.
    const isOwn = checkout.topLevel === path && checkout.gitDir === gitDir && checkout.commonDir === gitDir;
    return isOwn ? { kind: 'here', site: { checkout, home: gitDir, hasFiles: true } } : foreign;
  } catch (error) {
    if (isDroverError(error)) return { kind: 'foreign', reason: error.message };
    throw error;
  }
}

async function takeBack(source: Repository, entry: Entry): Promise<void> {
  const { record, folders } = entry;
  const found = await find(source, record);
  if (found.kind === 'here' && found.site.checkout !== undefined && isOurs(source, record, found.site)) {
    await takeBackClone(source, found.site.checkout, entry);
  }
  await finishCloneRemoval(record.path);
  await removeEmpty([...folders, record.path]);
}

async function takeBackClone(source: Repository, clone: Repository, entry: Entry): Promise<void> {
  if (await isBare(clone)) return removeBare(clone);
  const outcome = await removeClone(source, clone, removalFor(source, entry));
  if (outcome.kind === 'refused') throw workspaceHalfMade({ ...entry.record, reason: reasonOf(outcome) });
}

/** Before it is marked: by the objects that it reads. A repository that git just made has none, nor anything else. */
function isOurs({ commonDir }: Repository, record: WorkspaceRecord, { home }: Site): boolean {
  const marker = readMarker(home);
  if (marker !== undefined) return isSameWorkspace(marker, record);
  const alternates = readBytesIfPresent(join(home, 'objects/info/alternates'), { maxBytes: 64 * 1024 });
  if (alternates === undefined) return readdirSync(record.path).length === 1;
  return Buffer.from(alternates).toString().includes(commonDir);
}

/** Nothing but what git makes at first: there is no ref, and no file beside the git folder. */
async function isBare(clone: Repository): Promise<boolean> {
  return readdirSync(clone.topLevel ?? clone.gitDir).length === 1 && (await listRefs(clone)).length === 0 && objectFolders(clone) === 0;
}

function objectFolders({ gitDir }: Repository): number {
  return readdirSync(join(gitDir, 'objects')).filter((name) => /^[0-9a-f]{2}$/.test(name)).length;
}

async function removeBare({ gitDir }: Repository): Promise<void> {
  try {
    durablePoint('clone-remove:before');
    await rm(gitDir, { recursive: true });
    durablePoint('clone-remove:after');
  } catch (error) {
    throw describeSystemError(error, { action: 'remove', path: gitDir });
  }
}

function removalFor(source: Repository, entry: Entry): Parameters<typeof removeClone>[2] {
  const { record, who } = entry;
  return { base: record.base, name: keepName(record), who, expendable: unchangedSeeds(source, entry) };
}

async function remove(source: Repository, entry: Entry): Promise<WorkspaceRemoval> {
  const { record } = entry;
  const found = await find(source, record);
  const clone = found.kind === 'here' ? found.site.checkout : undefined;
  if (clone !== undefined) {
    const outcome = await removeClone(source, clone, removalFor(source, entry));
    return outcome.kind === 'removed' ? { kind: 'removed', kept: outcome.kept?.ref } : removalOf(outcome);
  }
  const paths = await finishCloneRemoval(record.path);
  if (paths.length > 0) return { kind: 'refused', reason: `${record.path} was written in after its work was kept`, paths };
  const base = `refs/drover/keep/${keepName(record)}/${record.base}`;
  return { kind: 'removed', kept: (await readRef(source, base)) === undefined ? undefined : base };
}
