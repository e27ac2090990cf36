import { statSync } from 'node:fs';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { describeSystemError, isDroverError } from '../../kernel/errors/index.ts';
import { ensureFolder, ensureFolderDurably, resolveInside } from '../../kernel/files/index.ts';
import { openDatabase, type Database, type Schema, type Statements } from '../../kernel/sql/index.ts';
import type { Clock } from '../../kernel/time/index.ts';
import type { ArtifactRecord, RunRecord, RunStatus, TargetRunRecord } from '../model/index.ts';
import { dropOutputs, readCache, readCacheStamp, readParts, writeCache, type CacheChanges, type CacheRecords, type TargetState } from './cache-rows.ts';
import { runNotFound, stateRemoved } from './errors.ts';
import { deleteRuns, selectRemovable, selectRunIds, type RemovableRun } from './retention-rows.ts';
import { mayBeAlive, runIsAlive } from './run-lock.ts';
import { selectRunsWhere } from './run-rows.ts';
import * as rows from './run-rows.ts';
import { MIGRATIONS, MIGRATIONS_TABLE } from './schema.ts';

/** How long other processes that write the same state are waited for. */
const BUSY_TIMEOUT_MS = 30_000;
const RUNS = 'runs';
const SCHEMA: Schema = { table: MIGRATIONS_TABLE, migrations: MIGRATIONS };

export interface StatePlace {
  /** The project's folder, absolute. */
  readonly root: string;
  /** Relative to the root. */
  readonly statePath: string;
  readonly clock: Clock;
}

const NO_HASHES: CacheChanges['hashes'] = { put: new Map(), drop: [] };

/** What a run leaves to be written at its end. */
export interface RunEnd {
  readonly targets: readonly TargetRunRecord[];
  readonly artifacts: readonly ArtifactRecord[];
  /** Without it the cache stays as it is. */
  readonly cache?: CacheChanges | undefined;
}

/** What is written while a run goes on: what was finished is not lost with it. */
export interface RunProgress {
  readonly targets: readonly TargetRunRecord[];
  readonly kept?: Pick<CacheChanges, 'states' | 'outputs'> | undefined;
}

export interface RunFilter {
  /** The newest so many; 0 for all. */
  readonly limit: number;
  /** Equals the requested targets, joined by one space. */
  readonly target?: string;
  readonly status?: RunStatus;
  /** Started at or after, in nanoseconds since 1970. */
  readonly since?: bigint;
  /** A part of the path of something the run made, or of the tag of an image. */
  readonly artifact?: string;
}

/** The limit counts artifacts; `target` is what made them or what was asked for. */
export interface ArtifactFilter extends RunFilter {
  /** Only of this run. */
  readonly runId?: string;
}

/** A run in which nothing had to run, and what the cache was then. */
export interface Repeatable {
  readonly runId: string;
  readonly cacheStamp: string;
}

export interface WholeRun {
  readonly run: RunRecord;
  /** In the order of their names. */
  readonly targets: readonly RecordedTarget[];
  /** In the order of their targets. */
  readonly artifacts: readonly rows.StoredArtifact[];
}

export interface RecordedTarget extends TargetRunRecord {
  /** The run that made what a cached target stands for, when that run is still recorded. */
  readonly madeBy: string | undefined;
}

export interface Removal {
  /** Nanoseconds since 1970. */
  readonly now: bigint;
  /** Picks what is removed. */
  readonly choose: (removable: readonly RemovableRun[]) => readonly RunRecord[];
  /** Others that write are waited for; without that they are `database-busy`. */
  readonly waits: boolean;
}

/** The folder of the logs of all runs, beside the database. */
export function logsFolder({ root, statePath }: Pick<StatePlace, 'root' | 'statePath'>): string {
  return join(dirname(resolve(root, statePath)), RUNS);
}

/** The state of a project: its runs, what they ran and what they made. Each method is one transaction. */
export class RunStore {
  readonly #database: Database;
  readonly #root: string;
  readonly #identity: string | undefined;

  private constructor(database: Database, root: string) {
    this.#database = database;
    this.#root = root;
    this.#identity = identityOf(database.path);
  }

  /** Opens the state for a run, and makes it where there is none. */
  static async open(place: StatePlace, signal: AbortSignal): Promise<RunStore> {
    const path = databasePath(place);
    await ensureFolderDurably(dirname(path), { root: place.root });
    const options = { clock: place.clock, busyTimeoutMs: BUSY_TIMEOUT_MS, schema: SCHEMA, signal };
    return new RunStore(await openDatabase(path, options), place.root);
  }

  /** Opens the state for reading alone; `undefined` where nothing has run yet. Creates nothing. */
  static async openExisting(place: StatePlace): Promise<RunStore | undefined> {
    const path = databasePath(place);
    if (identityOf(path) === undefined) return undefined;
    // Makes nothing, since it is all there, but refuses links on the way.
    ensureFolder(dirname(path), { root: place.root });
    try {
      return new RunStore(await openForReading(path, place.clock), place.root);
    } catch (error) {
      if (isCode(error, 'database-missing')) return undefined;
      throw error;
    }
  }

  /** An aborted signal ends the waiting for other processes, here and below, with its reason. */
  async startRun(run: RunRecord, signal: AbortSignal): Promise<void> {
    await this.#written(signal, (tx) => rows.putRun(tx, run));
  }

  async recordProgress(runId: string, { targets, kept }: RunProgress): Promise<void> {
    await this.#database.txRetry((tx) => {
      rows.putTargetRuns(tx, runId, targets);
      if (kept !== undefined) writeCache(tx, { ...kept, hashes: NO_HASHES });
    });
  }

  /** Outputs of a target of which nobody can tell any more whether they are what it made. */
  async forgetOutputs(target: string, paths: readonly string[]): Promise<void> {
    await this.#database.txRetry((tx) => dropOutputs(tx, target, paths));
  }

  /** What earlier runs have made, from one moment. Throws `damaged-cache-row`. */
  cacheRecords(): CacheRecords {
    return readCache(this.#database);
  }

  /** Another one with each change of what `cacheRecords` gives. */
  cacheStamp(): string {
    return readCacheStamp(this.#database);
  }

  /** The hash of each part of the stored fingerprint of a target by its name. */
  fingerprintParts(target: string): TargetState['parts'] {
    return readParts(this.#database, target);
  }

  /**
   * The end of a run, with what is still to be written of it. Throws `state-removed` when the file was taken away
   * while it was open, since then nobody will read what was written.
   */
  async finishRun(run: RunRecord, { targets, artifacts, cache }: RunEnd, signal: AbortSignal): Promise<void> {
    await this.#written(signal, (tx) => {
      rows.putRun(tx, run);
      rows.putTargetRuns(tx, run.id, targets);
      rows.putArtifacts(tx, run, artifacts);
      if (cache !== undefined) writeCache(tx, cache);
    });
    this.#refuseRemoved();
  }

  /**
   * A whole run that came out as an earlier one did. False, and nothing is written, where that one is no longer recorded
   * or the cache knows something else since. Throws `state-removed`.
   */
  async repeatRun(run: RunRecord, earlier: Repeatable, signal: AbortSignal): Promise<boolean> {
    let isWritten = false;
    await this.#written(signal, (tx) => {
      isWritten = isRepeatable(tx, earlier);
      if (!isWritten) return;
      rows.putRun(tx, run);
      rows.repeatTargetRuns(tx, run, earlier.runId);
    });
    this.#refuseRemoved();
    return isWritten;
  }

  isRepeatable(earlier: Repeatable): boolean {
    return isRepeatable(this.#database, earlier);
  }

  /** Newest first. A run that nobody runs any more reads as `interrupted`. */
  listRuns({ limit, ...filter }: RunFilter): readonly RunRecord[] {
    return firstOf(this.#runs(filter), limit);
  }

  /** Those of the newest runs first. Throws `run-not-found`. */
  listArtifacts({ limit, runId, target, artifact, ...filter }: ArtifactFilter): readonly rows.StoredArtifact[] {
    const runs = runId === undefined ? this.#runs(filter) : [this.run(runId)].filter((run) => passes(run, filter));
    return firstOf(this.#artifacts(runs, { target, artifact }), limit);
  }

  /** Throws `not-found`. */
  run(id: string): RunRecord {
    const found = rows.selectRun(this.#database, id);
    if (found === undefined) throw runNotFound({ id });
    return this.#withTruth(found);
  }

  /** In the order of their names. */
  targetRuns(run: RunRecord): readonly TargetRunRecord[] {
    const found = rows.selectTargetRuns(this.#database, run.id);
    if (run.status !== 'interrupted') return found;
    return found.map((target) => (target.status === 'running' ? { ...target, status: 'interrupted' } : target));
  }

  /** A run with everything that is recorded of it, from one moment. Throws `run-not-found`. */
  wholeRun(id: string): WholeRun {
    return this.#database.tx((db) => {
      const run = this.run(id);
      const targets = this.targetRuns(run);
      const makers = new Set([...new Set(targets.map(makerOf))].filter((maker) => maker !== undefined && rows.selectRun(db, maker) !== undefined));
      return { run, targets: targets.map((target) => madeByOneOf(makers, target)), artifacts: rows.selectArtifacts(db, id) };
    });
  }

  /** Those without an end, whether their process is there or not. */
  unendedRuns(): readonly RunRecord[] {
    return selectRunsWhere(this.#database, "status = 'running'", []);
  }

  runIds(): ReadonlySet<string> {
    return new Set(selectRunIds(this.#database));
  }

  /** The runs that nothing needs any more at a moment, newest first. */
  removableRuns(now: bigint): readonly RemovableRun[] {
    return this.#removable(this.#database, now);
  }

  /**
   * Takes what `choose` picks of the removable runs out of the records, and tells which. Looked at and written in one
   * transaction, so that of two who do this at once the second one finds nothing of the first.
   */
  async removeRuns({ now, choose, waits }: Removal): Promise<readonly RunRecord[]> {
    const remove = (tx: Statements): readonly RunRecord[] => {
      const runs = choose(this.#removable(tx, now));
      deleteRuns(tx, runs);
      return runs;
    };
    return waits ? this.#database.txRetry(remove) : this.#database.tx(remove);
  }

  close(): void {
    this.#database.close();
  }

  #removable(db: Statements, now: bigint): readonly RemovableRun[] {
    const logs = storedPath(this.#root, join(dirname(this.#database.path), RUNS));
    return selectRemovable(db, { now, logs, isAlive: ({ logFolder }) => mayBeAlive(resolve(this.#root, logFolder)) });
  }

  *#runs({ status, since, ...filter }: Omit<RunFilter, 'limit'>): Iterable<RunRecord> {
    for (const run of rows.selectRuns(this.#database, filter)) {
      const current = this.#withTruth(run);
      if (passes(current, { status, since })) yield current;
    }
  }

  /** What was asked for stands for everything that the run made. */
  *#artifacts(runs: Iterable<RunRecord>, { target, artifact }: rows.SoughtArtifact): Iterable<rows.StoredArtifact> {
    for (const run of runs) {
      yield* rows.selectArtifacts(this.#database, run.id, { artifact, target: run.target === target ? undefined : target });
    }
  }

  #refuseRemoved(): void {
    const { path } = this.#database;
    if (identityOf(path) !== this.#identity) throw stateRemoved({ path });
  }

  /** Tried once also when the signal is aborted already: it ends the waiting for others, not the writing. */
  async #written(signal: AbortSignal, work: (tx: Statements) => void): Promise<void> {
    try {
      this.#database.tx(work);
    } catch (error) {
      if (!isCode(error, 'database-busy')) throw error;
      await this.#database.txRetry(work, { signal });
    }
  }

  /**
   * The row says `running` until its process writes the end. The lock tells whether there is still such a process;
   * since that process may end between the two looks, the row is read once more before it is called interrupted.
   */
  #withTruth(run: RunRecord): RunRecord {
    if (run.status !== 'running' || runIsAlive(resolve(this.#root, run.logFolder))) return run;
    const again = rows.selectRun(this.#database, run.id) ?? run;
    return again.status === 'running' ? { ...again, status: 'interrupted' } : again;
  }
}

/** A state of an earlier release is read as it is: only a run brings it up to date. */
async function openForReading(path: string, clock: Clock): Promise<Database> {
  for (let known = MIGRATIONS.length; ; known--) {
    const schema: Schema = { ...SCHEMA, migrations: MIGRATIONS.slice(0, known) };
    try {
      return await openDatabase(path, { clock, busyTimeoutMs: BUSY_TIMEOUT_MS, schema, readOnly: true });
    } catch (error) {
      if (known === 1 || !isCode(error, 'database-outdated')) throw error;
    }
  }
}

function isRepeatable(db: Statements, { runId, cacheStamp }: Repeatable): boolean {
  return cacheStamp !== '' && readCacheStamp(db) === cacheStamp && rows.selectRun(db, runId)?.status === 'success';
}

function isCode(error: unknown, code: string): boolean {
  return isDroverError(error) && error.code === code;
}

interface Wanted {
  readonly status?: RunStatus | undefined;
  readonly since?: bigint | undefined;
}

function passes(run: RunRecord, { status, since }: Wanted): boolean {
  return (since === undefined || run.startedAt >= since) && (status === undefined || run.status === status);
}

/** All of them for 0. */
function firstOf<Item>(items: Iterable<Item>, limit: number): readonly Item[] {
  const found: Item[] = [];
  for (const item of items) {
    found.push(item);
    if (found.length === limit) break;
  }
  return found;
}

/** The run whose log the row of a cached target points at; its id is the name of the log's folder. */
function makerOf({ status, logPath }: TargetRunRecord): string | undefined {
  return status === 'cached' && logPath !== '' ? basename(dirname(logPath)) : undefined;
}

function madeByOneOf(makers: ReadonlySet<string | undefined>, target: TargetRunRecord): RecordedTarget {
  const maker = makerOf(target);
  return { ...target, madeBy: makers.has(maker) ? maker : undefined };
}

/** Links are followed here, so that the state cannot be led out of the project. */
function databasePath({ root, statePath }: StatePlace): string {
  resolveInside(root, statePath);
  return resolve(root, statePath);
}

/** Tells a file from another one at the same path. */
function identityOf(path: string): string | undefined {
  try {
    const stats = statSync(path, { bigint: true, throwIfNoEntry: false });
    return stats === undefined ? undefined : `${stats.dev}:${stats.ino}`;
  } catch (error) {
    throw describeSystemError(error, { action: 'open', path });
  }
}

/** The path as the rows hold it: relative to the project's root where it lies below. */
export function storedPath(root: string, path: string): string {
  const below = relative(root, path);
  return below === '' || below.startsWith('..') ? path : below;
}
