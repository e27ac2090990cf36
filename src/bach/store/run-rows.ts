import type { Row, SqlValue, Statements } from '../../kernel/sql/index.ts';
import { formatRfc3339Nano, parseRfc3339 } from '../../kernel/time/index.ts';
import type { ArtifactRecord, RunRecord, RunStatus, TargetRunRecord, TargetStatus } from '../model/index.ts';
import { damagedRow } from './errors.ts';
import type { RunFilter } from './run-store.ts';

const RUN_COLUMNS = 'id, target, force, status, started_at, finished_at, log_dir, message';
const TARGET_COLUMNS =
  'run_id, target, status, started_at, finished_at, log_path, operation, exit_code, message';

const PUT_RUN = `
  INSERT INTO runs (${RUN_COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?, ?)
  ON CONFLICT (id) DO UPDATE SET status = excluded.status, finished_at = excluded.finished_at, message = excluded.message`;

const PUT_TARGET_RUN = `
  INSERT INTO target_runs (${TARGET_COLUMNS})
  VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
  ON CONFLICT (run_id, target) DO UPDATE SET status = excluded.status, finished_at = excluded.finished_at,
    exit_code = excluded.exit_code, message = excluded.message`;

const PUT_ARTIFACT = `
  INSERT OR IGNORE INTO artifacts (run_id, target, kind, path, created_at) VALUES (?, ?, ?, ?, ?)`;

const HAS_ARTIFACT = `
  EXISTS (SELECT 1 FROM artifacts WHERE artifacts.run_id = runs.id AND instr(artifacts.path, ?) > 0)`;

/** Runs read at once. */
const PAGE = 200;

export function putRun(tx: Statements, run: RunRecord): void {
  const { id, target, force, status, startedAt, finishedAt, logFolder, message } = run;
  const params = [id, target, Number(force), status, timeText(startedAt), timeText(finishedAt), logFolder, message];
  tx.run(PUT_RUN, params);
}

export function putTargetRuns(tx: Statements, runId: string, targets: readonly TargetRunRecord[]): void {
  for (const { target, status, startedAt, finishedAt, logPath, operation, exitCode, message } of targets) {
    const times = [timeText(startedAt), timeText(finishedAt)];
    tx.run(PUT_TARGET_RUN, [runId, target, status, ...times, logPath, operation, exitCode ?? null, message]);
  }
}

export function putArtifacts(tx: Statements, run: RunRecord, artifacts: readonly ArtifactRecord[]): void {
  const createdAt = timeText(run.finishedAt);
  for (const { target, kind, path } of artifacts) tx.run(PUT_ARTIFACT, [run.id, target, kind, path, createdAt]);
}

/**
 * All runs, newest first, read page by page as far as they are asked for. Ids sort by time; the times themselves do
 * not sort as texts, since their fractions have no fixed width.
 */
export function* selectRuns(db: Statements, { target, artifact }: Pick<RunFilter, 'target' | 'artifact'>): Iterable<RunRecord> {
  const filters = [...condition('target = ?', target), ...condition(HAS_ARTIFACT, artifact)];
  let below: readonly Condition[] = [];
  for (;;) {
    const conditions = [...filters, ...below];
    const where = conditions.length === 0 ? '' : `WHERE ${conditions.map(({ sql }) => sql).join(' AND ')}`;
    const page = db.query(`SELECT ${RUN_COLUMNS} FROM runs ${where} ORDER BY id DESC LIMIT ${PAGE}`, conditions.map(({ value }) => value));
    yield* page.map(runFrom);
    if (page.length < PAGE) return;
    below = condition('id < ?', textIn(page.at(-1) ?? {}, 'id'));
  }
}

export function selectRun(db: Statements, id: string): RunRecord | undefined {
  return db.query(`SELECT ${RUN_COLUMNS} FROM runs WHERE id = ?`, [id]).map(runFrom)[0];
}

export function selectTargetRuns(db: Statements, runId: string): readonly TargetRunRecord[] {
  return db.query(`SELECT ${TARGET_COLUMNS} FROM target_runs WHERE run_id = ? ORDER BY target`, [runId]).map(targetRunFrom);
}

interface Condition {
  readonly sql: string;
  readonly value: string;
}

function condition(sql: string, value: string | undefined): readonly Condition[] {
  return value === undefined ? [] : [{ sql, value }];
}

function runFrom(row: Row): RunRecord {
  return {
    id: textIn(row, 'id'),
    target: textIn(row, 'target'),
    force: row['force'] === 1,
    status: textIn(row, 'status') as RunStatus,
    startedAt: timeIn(row, 'started_at') ?? 0n,
    finishedAt: timeIn(row, 'finished_at'),
    logFolder: textIn(row, 'log_dir'),
    message: textIn(row, 'message'),
  };
}

function targetRunFrom(row: Row): TargetRunRecord {
  const exitCode = row['exit_code'];
  return {
    target: textIn(row, 'target'),
    status: textIn(row, 'status') as TargetStatus,
    startedAt: timeIn(row, 'started_at') ?? 0n,
    finishedAt: timeIn(row, 'finished_at'),
    logPath: textIn(row, 'log_path'),
    operation: textIn(row, 'operation'),
    exitCode: typeof exitCode === 'number' ? exitCode : undefined,
    message: textIn(row, 'message'),
  };
}

function textIn(row: Row, column: string): string {
  const value: SqlValue = row[column] ?? '';
  return typeof value === 'string' ? value : String(value);
}

/** An empty text is a time that has not come. */
function timeIn(row: Row, column: string): bigint | undefined {
  const text = textIn(row, column);
  if (text === '') return undefined;
  const time = parseRfc3339(text);
  if (time === undefined) throw damagedRow({ column, value: text, id: textIn(row, 'run_id') || textIn(row, 'id') });
  return time;
}

function timeText(nanoseconds: bigint | undefined): string {
  return nanoseconds === undefined ? '' : formatRfc3339Nano(nanoseconds);
}
