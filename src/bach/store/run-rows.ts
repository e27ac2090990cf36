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

const ARTIFACT_COLUMNS = 'run_id, target, kind, path, value, created_at';

const PUT_ARTIFACT = `
  INSERT OR IGNORE INTO artifacts (${ARTIFACT_COLUMNS}) VALUES (?, ?, ?, ?, ?, ?)`;

/** An image has no path; it is found by its tag. */
const AT_PLACE = "instr(CASE artifacts.path WHEN '' THEN artifacts.value ELSE artifacts.path END, ?) > 0";

const HAS_ARTIFACT = `EXISTS (SELECT 1 FROM artifacts WHERE artifacts.run_id = runs.id AND ${AT_PLACE})`;

export interface StoredArtifact extends Required<ArtifactRecord> {
  readonly runId: string;
  /** Nanoseconds since 1970. */
  readonly createdAt: bigint;
}

export interface SoughtArtifact {
  readonly target: string | undefined;
  /** A part of its path, or of its value where it has none. */
  readonly artifact: string | undefined;
}

/** Runs read at once. */
const PAGE = 200;

export function putRun(tx: Statements, run: RunRecord): void {
  const { id, target, force, status, startedAt, finishedAt, logFolder, message } = run;
  const params = [id, target, Number(force), status, timeText(startedAt), timeText(finishedAt), logFolder, message];
  tx.run(PUT_RUN, params);
}

/** Thousands of cached targets differ in nothing but these two, and are written in one statement. */
const PUT_CACHED = `
  INSERT OR REPLACE INTO target_runs (${TARGET_COLUMNS})
  SELECT ?, json_extract(value, '$[0]'), 'cached', ?, ?, json_extract(value, '$[1]'), '', NULL, '' FROM json_each(?)`;

const REPEAT_TARGET_RUNS = `
  INSERT INTO target_runs (${TARGET_COLUMNS})
  SELECT ?, target, status, ?, ?, log_path, operation, exit_code, message FROM target_runs WHERE run_id = ?`;

export function putTargetRuns(tx: Statements, runId: string, targets: readonly TargetRunRecord[]): void {
  const cached = targets.filter(({ status }) => status === 'cached');
  const [first] = cached;
  if (first !== undefined) {
    const rows = JSON.stringify(cached.map(({ target, logPath }) => [target, logPath]));
    tx.run(PUT_CACHED, [runId, timeText(first.startedAt), timeText(first.finishedAt), rows]);
  }
  putOneByOne(tx, runId, cached.length === 0 ? targets : targets.filter(({ status }) => status !== 'cached'));
}

/** Rows that tell of each target what those of an earlier run do, all of one moment. */
export function repeatTargetRuns(tx: Statements, run: RunRecord, earlier: string): void {
  const times = [timeText(run.startedAt), timeText(run.finishedAt)];
  tx.run(REPEAT_TARGET_RUNS, [run.id, ...times, earlier]);
}

function putOneByOne(tx: Statements, runId: string, targets: readonly TargetRunRecord[]): void {
  for (const { target, status, startedAt, finishedAt, logPath, operation, exitCode, message } of targets) {
    const times = [timeText(startedAt), timeText(finishedAt)];
    tx.run(PUT_TARGET_RUN, [runId, target, status, ...times, logPath, operation, exitCode ?? null, message]);
  }
}

export function putArtifacts(tx: Statements, run: RunRecord, artifacts: readonly ArtifactRecord[]): void {
  const createdAt = timeText(run.finishedAt);
  for (const { target, kind, path, value = '' } of artifacts) tx.run(PUT_ARTIFACT, [run.id, target, kind, path, value, createdAt]);
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
    const where = conditions.map(({ sql }) => sql).join(' AND ') || 'TRUE';
    const page = selectRunsWhere(db, `${where} ORDER BY id DESC LIMIT ${PAGE}`, conditions.map(({ value }) => value));
    yield* page;
    if (page.length < PAGE) return;
    below = condition('id < ?', page.at(-1)?.id);
  }
}

/** `where` may go on with an order and a limit. */
export function selectRunsWhere(db: Statements, where: string, values: readonly string[]): readonly RunRecord[] {
  return db.query(`SELECT ${RUN_COLUMNS} FROM runs WHERE ${where}`, values).map(runFrom);
}

export function selectRun(db: Statements, id: string): RunRecord | undefined {
  return selectRunsWhere(db, 'id = ?', [id])[0];
}

export function selectTargetRuns(db: Statements, runId: string): readonly TargetRunRecord[] {
  return db.query(`SELECT ${TARGET_COLUMNS} FROM target_runs WHERE run_id = ? ORDER BY target`, [runId]).map(targetRunFrom);
}

/** In the order of their targets, and for each in the order they were recorded. */
export function selectArtifacts(db: Statements, runId: string, { target, artifact }: Partial<SoughtArtifact> = {}): readonly StoredArtifact[] {
  const conditions = [...condition('run_id = ?', runId), ...condition('target = ?', target), ...condition(AT_PLACE, artifact)];
  const where = conditions.map(({ sql }) => sql).join(' AND ');
  const sql = `SELECT ${ARTIFACT_COLUMNS} FROM artifacts WHERE ${where} ORDER BY target, id`;
  return db.query(sql, conditions.map(({ value }) => value)).map(artifactFrom);
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

function artifactFrom(row: Row): StoredArtifact {
  return {
    runId: textIn(row, 'run_id'),
    target: textIn(row, 'target'),
    kind: textIn(row, 'kind') as ArtifactRecord['kind'],
    path: textIn(row, 'path'),
    value: textIn(row, 'value'),
    createdAt: timeIn(row, 'created_at') ?? 0n,
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
