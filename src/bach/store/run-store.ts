import { statSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { describeSystemError, isDroverError } from '../../kernel/errors/index.ts';
import { ensureFolder, ensureFolderDurably, resolveInside } from '../../kernel/files/index.ts';
import { openDatabase, type Database, type Statements } from '../../kernel/sql/index.ts';
import type { Clock } from '../../kernel/time/index.ts';
import type { ArtifactRecord, RunRecord, RunStatus, TargetRunRecord } from '../model/index.ts';
import { runNotFound, stateRemoved } from './errors.ts';
import { runIsAlive } from './run-lock.ts';
import * as rows from './run-rows.ts';
import { MIGRATIONS, MIGRATIONS_TABLE } from './schema.ts';

/** How long other processes that write the same state are waited for. */
const BUSY_TIMEOUT_MS = 30_000;
const SCHEMA = { table: MIGRATIONS_TABLE, migrations: MIGRATIONS };

export interface StatePlace {
  /** The project's folder, absolute. */
  readonly root: string;
  /** Relative to the root. */
  readonly statePath: string;
  readonly clock: Clock;
}

/** What a run leaves to be written at its end. */
export interface RunEnd {
  readonly targets: readonly TargetRunRecord[];
  readonly artifacts: readonly ArtifactRecord[];
}

export interface RunFilter {
  /** The newest so many; 0 for all. */
  readonly limit: number;
  /** Equals the requested targets, joined by one space. */
  readonly target?: string;
  readonly status?: RunStatus;
  /** Started at or after, in nanoseconds since 1970. */
  readonly since?: bigint;
  /** A part of the path of something the run made. */
  readonly artifact?: string;
}

/** The folder of the logs of all runs, beside the database. */
export function logsFolder({ root, statePath }: Pick<StatePlace, 'root' | 'statePath'>): string {
  return join(dirname(resolve(root, statePath)), 'runs');
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
    const options = { clock: place.clock, busyTimeoutMs: BUSY_TIMEOUT_MS, schema: SCHEMA, readOnly: true };
    if (identityOf(path) === undefined) return undefined;
    // Makes nothing, since it is all there, but refuses links on the way.
    ensureFolder(dirname(path), { root: place.root });
    try {
      return new RunStore(await openDatabase(path, options), place.root);
    } catch (error) {
      if (isDroverError(error) && error.code === 'database-missing') return undefined;
      throw error;
    }
  }

  /** An aborted signal ends the waiting for other processes, here and below, with its reason. */
  async startRun(run: RunRecord, signal: AbortSignal): Promise<void> {
    await this.#written(signal, (tx) => rows.putRun(tx, run));
  }

  async recordTargets(runId: string, targets: readonly TargetRunRecord[]): Promise<void> {
    await this.#database.txRetry((tx) => rows.putTargetRuns(tx, runId, targets));
  }

  /**
   * The end of a run, with what is still to be written of it. Throws `state-removed` when the file was taken away
   * while it was open, since then nobody will read what was written.
   */
  async finishRun(run: RunRecord, { targets, artifacts }: RunEnd, signal: AbortSignal): Promise<void> {
    await this.#written(signal, (tx) => {
      rows.putTargetRuns(tx, run.id, targets);
      rows.putArtifacts(tx, run, artifacts);
      rows.putRun(tx, run);
    });
    const { path } = this.#database;
    if (identityOf(path) !== this.#identity) throw stateRemoved({ path });
  }

  /** Newest first. A run that nobody runs any more reads as `interrupted`. */
  listRuns({ limit, status, since, ...filter }: RunFilter): readonly RunRecord[] {
    const found: RunRecord[] = [];
    for (const run of rows.selectRuns(this.#database, filter)) {
      if (since !== undefined && run.startedAt < since) continue;
      const current = this.#withTruth(run);
      if (status !== undefined && current.status !== status) continue;
      found.push(current);
      if (found.length === limit) break;
    }
    return found;
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

  close(): void {
    this.#database.close();
  }

  /** Tried once also when the signal is aborted already: it ends the waiting for others, not the writing. */
  async #written(signal: AbortSignal, work: (tx: Statements) => void): Promise<void> {
    try {
      this.#database.tx(work);
    } catch (error) {
      if (!isDroverError(error) || error.code !== 'database-busy') throw error;
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
