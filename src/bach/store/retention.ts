import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { describeSystemError, isDroverError } from '../../kernel/errors/index.ts';
import { durablePoint, openFolder } from '../../kernel/files/index.ts';
import { parseRfc3339 } from '../../kernel/time/index.ts';
import type { RunRecord } from '../model/index.ts';
import { isOld, NEWEST_KEPT, type RemovableRun } from './retention-rows.ts';
import { mayBeAlive } from './run-lock.ts';
import { logsFolder, storedPath, type RunStore, type StatePlace } from './run-store.ts';

/** What a project can do without, or did. */
export interface Prunable {
  /** Newest first. */
  readonly runs: readonly RunRecord[];
  /** Folders of runs that are no longer recorded, relative to the root, newest first. */
  readonly leftovers: readonly string[];
  /** Runs that stay. */
  readonly kept: number;
}

/** What was removed, and what kept the rest. */
export interface Pruned extends Prunable {
  /** Folders that could not be removed whole: path and reason. The next prune tries again. */
  readonly faults: readonly string[];
}

/** What `prune` would remove at this moment. Changes nothing. */
export async function prunable(place: StatePlace, store: RunStore): Promise<Prunable> {
  const now = place.clock.wall();
  const runs = store.removableRuns(now).map(({ run }) => run);
  const leftovers = await leftoversOf(place, store, now);
  return { runs, leftovers: leftovers.map((id) => shown(place, id)), kept: store.runIds().size - runs.length };
}

/**
 * Removes every run that is neither among the newest 50 nor younger than 14 days, that no process holds and that
 * nothing names, with its folder; and such folders whose runs are not recorded.
 *
 * The rows go first, so that a run that is listed has its logs whenever this is killed. What is left of the folders
 * then is found by the next prune.
 */
export async function prune(place: StatePlace, store: RunStore): Promise<Pruned> {
  const now = place.clock.wall();
  const leftovers = await leftoversOf(place, store, now);
  const runs = await store.removeRuns({ now, choose: (removable) => removable.map(({ run }) => run), waits: true });
  const faults: string[] = [];
  for (const id of [...runs.map((run) => run.id), ...leftovers]) faults.push(...(await removeFolder(place, id)));
  return { runs, leftovers: leftovers.map((id) => shown(place, id)), kept: store.runIds().size, faults };
}

/**
 * Removes one such run, after another one was recorded: nobody has to clean up by hand, and no run pays for more.
 * Never fails, since that says nothing about the run that ended: what has to be told comes back as a sentence.
 */
export async function pruneOne(place: StatePlace, store: RunStore): Promise<string | undefined> {
  try {
    const now = place.clock.wall();
    // Nearly always there is none, and then nothing is written.
    if (store.removableRuns(now).length === 0) return undefined;
    const [run] = await store.removeRuns({ now, choose: oldestUnnamed, waits: false });
    return run === undefined ? undefined : (await removeFolder(place, run.id))[0];
  } catch (error) {
    // Somebody else is writing: there will be another run. Who lost the state was told so when the run was recorded.
    if (isDroverError(error) && PASSED_OVER.includes(error.code)) return undefined;
    return `an old run could not be removed: ${describeSystemError(error, { action: 'remove a run of', path: place.statePath }).message}`;
  }
}

const PASSED_OVER = ['database-busy', 'database-removed'];

function oldestUnnamed(removable: readonly RemovableRun[]): readonly RunRecord[] {
  const oldest = removable.findLast(({ isNamed }) => !isNamed);
  return oldest === undefined ? [] : [oldest.run];
}

/** As run ids are made. Only such a name says how old the folder is. */
const RUN_ID = /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d\.\d{9}Z)$/;

/** Folders without a row: a prune was killed between the two, or the database was removed. */
async function leftoversOf(place: StatePlace, store: RunStore, now: bigint): Promise<readonly string[]> {
  // The folder of a new run is there before its row: looked at in this order, none is taken for a leftover.
  const folders = await runFolders(place);
  const recorded = store.runIds();
  const ids = [...new Set([...folders, ...recorded])].toSorted().toReversed().slice(NEWEST_KEPT);
  return ids.filter((id) => !recorded.has(id) && isOld(momentOf(id) ?? now, now) && !mayBeAlive(folderOf(place, id)));
}

async function runFolders(place: StatePlace): Promise<readonly string[]> {
  const root = await openFolder(place.root);
  try {
    const entries = await root.list(logsFolder(place));
    return entries.flatMap(({ kind, name }) => (kind === 'folder' && name !== undefined && RUN_ID.test(name) ? [name] : []));
  } catch (error) {
    if (isDroverError(error) && error.code === 'not-found') return [];
    throw error;
  } finally {
    await root.close();
  }
}

function momentOf(id: string): bigint | undefined {
  return parseRfc3339(id.replace(RUN_ID, '$1-$2-$3T$4:$5:$6'));
}

function folderOf(place: StatePlace, id: string): string {
  return join(logsFolder(place), id);
}

/** Relative to the root, as rows hold it. */
function shown(place: StatePlace, id: string): string {
  return storedPath(place.root, folderOf(place, id));
}

/** A name that leads to one folder below that of all runs; ids may come from other programs. */
const PLAIN_NAME = /^[A-Za-z0-9][\w.-]*$/;

/** What the row calls its log folder is not looked at: it could name anything. */
async function removeFolder(place: StatePlace, id: string): Promise<readonly string[]> {
  if (!PLAIN_NAME.test(id)) return [];
  const path = folderOf(place, id);
  try {
    durablePoint('run-folder:before');
    // A link in its place is removed itself, and links in it are not followed.
    await rm(path, { recursive: true, force: true });
    durablePoint('run-folder:after');
    return [];
  } catch (error) {
    const { message, remedy } = describeSystemError(error, { action: 'remove', path: shown(place, id) });
    return [`${message}; ${remedy}`];
  }
}
