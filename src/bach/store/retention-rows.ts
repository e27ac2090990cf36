import type { Row, Statements } from '../../kernel/sql/index.ts';
import { formatRfc3339 } from '../../kernel/time/index.ts';
import type { RunRecord } from '../model/index.ts';
import { selectRunsWhere } from './run-rows.ts';

/** Kept whatever their age. */
export const NEWEST_KEPT = 50;
/** Kept however many there are: 14 days, in nanoseconds. */
export const YOUNG = 14n * 24n * 3600n * 1_000_000_000n;

const SECOND = 1_000_000_000n;

/** Rows of these go with their run. In every other table a `run_id` names a run that is still needed. */
const OF_THE_RUN_ITSELF = ['target_runs', 'artifacts'];

const NAMING_TABLES = `
  SELECT tables.name AS name FROM sqlite_schema AS tables, pragma_table_info(tables.name) AS columns
  WHERE tables.type = 'table' AND columns.name = 'run_id' AND tables.name NOT IN (${OF_THE_RUN_ITSELF.map(() => '?').join(', ')})`;

/** The part of a log path behind the folder of all runs: the run that wrote the log. */
const MADE_BY = `substr(log_path, ?, instr(substr(log_path, ?), '/') - 1)`;
const CACHED = `SELECT DISTINCT run_id AS user, ${MADE_BY} AS made_by FROM target_runs WHERE status = 'cached'`;

export interface RetentionFacts {
  /** Nanoseconds since 1970. */
  readonly now: bigint;
  /** The folder of all runs as log paths begin with it. */
  readonly logs: string;
  /** Whether a process still holds the run. */
  readonly isAlive: (run: RunRecord) => boolean;
}

/** A run that may be removed. */
export interface RemovableRun {
  readonly run: RunRecord;
  /** Other removable runs have cached results of it: it goes with them or after them. */
  readonly isNamed: boolean;
}

/** The runs that nothing needs any more, newest first: old, not alive, and named by no run or row that stays. */
export function selectRemovable(db: Statements, facts: RetentionFacts): readonly RemovableRun[] {
  const old = selectOld(db, facts);
  // Nearly always there is none, and then no row of a target is looked at.
  if (old.length === 0) return [];
  const users = usersByRun(db, facts.logs);
  const removable = new Map<string, RemovableRun>();
  for (const run of old) {
    const named = users.get(run.id) ?? [];
    // Results are of earlier runs, so that whoever names this one was decided before.
    if (named.every((user) => removable.has(user))) removable.set(run.id, { run, isNamed: named.length > 0 });
  }
  return [...removable.values()];
}

/** With all their rows. */
export function deleteRuns(tx: Statements, runs: readonly RunRecord[]): void {
  for (const { id } of runs) tx.run('DELETE FROM runs WHERE id = ?', [id]);
}

export function selectRunIds(db: Statements): readonly string[] {
  return db.query('SELECT id FROM runs').map((row) => text(row, 'id'));
}

/** Whether a moment is long enough ago. */
export function isOld(moment: bigint, now: bigint): boolean {
  return moment <= now - YOUNG;
}

function selectOld(db: Statements, { now, isAlive }: RetentionFacts): readonly RunRecord[] {
  const unnamed = namingTables(db).map((table) => `AND id NOT IN (SELECT run_id FROM "${table}" WHERE run_id IS NOT NULL)`);
  // Times sort as texts from one second to the next, not within one.
  const border = formatRfc3339(now - YOUNG + SECOND);
  const where = `started_at < ? AND id NOT IN (SELECT id FROM runs ORDER BY id DESC LIMIT ${NEWEST_KEPT}) ${unnamed.join(' ')}`;
  return selectRunsWhere(db, where, [border]).filter((run) => isOld(run.startedAt, now) && !isAlive(run));
}

/** Tables come with later releases; a state that an earlier one wrote has fewer. */
function namingTables(db: Statements): readonly string[] {
  return db.query(NAMING_TABLES, OF_THE_RUN_ITSELF).map((row) => text(row, 'name'));
}

/** For each run the runs with cached results of it. */
function usersByRun(db: Statements, logs: string): ReadonlyMap<string, readonly string[]> {
  const users = new Map<string, string[]>();
  const begin = logs.length + 2;
  for (const row of db.query(CACHED, [begin, begin])) {
    const madeBy = text(row, 'made_by');
    const known = users.get(madeBy) ?? [];
    known.push(text(row, 'user'));
    users.set(madeBy, known);
  }
  return users;
}

function text(row: Row, column: string): string {
  return String(row[column] ?? '');
}
