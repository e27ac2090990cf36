import { chownSync, existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { runIdAt } from '../../../src/kernel/ids/run-id.ts';
import { connectSqlite, openDatabase, type Statements } from '../../../src/kernel/sql/index.ts';
import { systemClock, type Clock } from '../../../src/kernel/time/index.ts';
import type { ArtifactRecord, RunRecord, TargetRunRecord } from '../../../src/bach/model/index.ts';
import { putArtifacts, putRun, putTargetRuns } from '../../../src/bach/store/run-rows.ts';
import { RunStore, type StatePlace } from '../../../src/bach/store/index.ts';

export const DAY = 24n * 3600n * 1_000_000_000n;
/** The moment at which the tests that own the time look: 2026-06-08T12:00:00Z. */
export const NOW = 1_780_920_000n * 1_000_000_000n;

const { signal } = new AbortController();

export interface RunFields extends Partial<RunRecord> {
  readonly targets?: readonly (Partial<TargetRunRecord> & Pick<TargetRunRecord, 'target'>)[];
  readonly artifacts?: readonly ArtifactRecord[];
  /** Without its folder. */
  readonly rowOnly?: boolean;
}

/** A state in a folder, at a time that stands still. */
export function placeAt(root: string, now: bigint = NOW): StatePlace {
  const clock: Clock = { ...systemClock(), wall: () => now };
  return { root, statePath: '.bach/state.db', clock };
}

/** Records runs as they stand after their end, each with its folder and one log. Answers their ids. */
export async function recordRuns(place: StatePlace, runs: readonly RunFields[]): Promise<readonly string[]> {
  (await RunStore.open(place, signal)).close();
  const database = await openDatabase(join(place.root, place.statePath), { clock: place.clock, busyTimeoutMs: 0 });
  try {
    // In one transaction, since most tests need dozens of runs.
    return database.tx((tx) => runs.map((run) => recordRun(tx, place.root, run)));
  } finally {
    database.close();
  }
}

function recordRun(tx: Statements, root: string, { targets = [], artifacts = [], rowOnly = false, ...fields }: RunFields): string {
  const startedAt = fields.startedAt ?? NOW;
  const id = fields.id ?? runIdAt(startedAt);
  const rest = { target: 'shell/test', force: false, status: 'success' as const, logFolder: `.bach/runs/${id}`, message: '' };
  const run: RunRecord = { ...rest, id, startedAt, finishedAt: startedAt + 1n, ...fields };
  if (!rowOnly) folderOf(root, id);
  putRun(tx, run);
  putTargetRuns(tx, id, targets.map((target) => ({ ...emptyTarget(startedAt), ...target })));
  putArtifacts(tx, run, artifacts);
  return id;
}

/** A folder of a run with a log in it, and something deeper. */
export function folderOf(root: string, id: string): void {
  mkdirSync(join(root, '.bach/runs', id, 'shell__test/deep'), { recursive: true });
  writeFileSync(join(root, '.bach/runs', id, 'shell__test.log'), `log of ${id}\n`);
  writeFileSync(join(root, '.bach/runs', id, 'shell__test/deep/file'), '');
}

function emptyTarget(startedAt: bigint): Omit<TargetRunRecord, 'target'> {
  return { status: 'success', startedAt, finishedAt: startedAt, logPath: '', operation: '', exitCode: undefined, message: '' };
}

/** `count` runs, one a day, the youngest `days` days old; the oldest first. */
export function daily(count: number, days: number): readonly RunFields[] {
  return Array.from({ length: count }, (_, index) => ({ startedAt: NOW - DAY * BigInt(days + count - 1 - index) }));
}

/** `count` runs of the last hours. */
export function recent(count: number): readonly RunFields[] {
  return Array.from({ length: count }, (_, index) => ({ startedAt: NOW - DAY / 24n + BigInt(index) }));
}

/** What is recorded and what lies there, oldest first. */
export function stateOf(root: string): { readonly rows: readonly string[]; readonly folders: readonly string[] } {
  const folders = existsSync(join(root, '.bach/runs')) ? readdirSync(join(root, '.bach/runs')).toSorted() : [];
  return { rows: query(root, 'SELECT id FROM runs ORDER BY id').map(({ id }) => String(id)), folders };
}

export function query(root: string, sql: string, state = '.bach/state.db'): readonly Readonly<Record<string, unknown>>[] {
  const connection = connectSqlite(join(root, state));
  try {
    return connection.prepare(sql).all() as readonly Readonly<Record<string, unknown>>[];
  } finally {
    connection.close();
  }
}

export function execute(root: string, sql: string): void {
  const connection = connectSqlite(join(root, '.bach/state.db'));
  try {
    connection.exec(sql);
  } finally {
    connection.close();
  }
}

const NOBODY = 65_534;

/** Everything in a folder to the user of `asOrdinaryUser`, with the database closed as its last writer leaves it. */
export function giveAway(path: string): void {
  execute(path, 'PRAGMA wal_checkpoint(TRUNCATE)');
  if (process.geteuid?.() !== 0) return;
  for (const each of ['', ...readdirSync(path, { recursive: true, encoding: 'utf8' })]) chownSync(join(path, each), NOBODY, NOBODY);
}
