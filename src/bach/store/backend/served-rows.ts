import { isDeepStrictEqual } from 'node:util';
import type { Row, SqlValue, Statements } from '../../../kernel/sql/index.ts';
import { formatRfc3339Nano, parseRfc3339 } from '../../../kernel/time/index.ts';
import type { Evidence, EvidenceQuery, Metadata, RunQuery, RunStatus, ServedRun, ServedTargetRun } from '../../model/index.ts';
import { damagedRow } from '../errors.ts';

const RUN_COLUMNS = 'id, target, dry_run, force, status, started_at, finished_at, log_dir, message, metadata';

const PUT_RUN = `
  INSERT INTO runs (${RUN_COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
  ON CONFLICT (id) DO UPDATE SET target = excluded.target, dry_run = excluded.dry_run, force = excluded.force,
    status = excluded.status, started_at = excluded.started_at, finished_at = excluded.finished_at,
    log_dir = ifnull(nullif(excluded.log_dir, ''), log_dir), message = excluded.message, metadata = excluded.metadata`;

/** The end of a target tells what its start did not, and may leave out what that did. */
const PUT_TARGET_RUN = `
  INSERT INTO target_runs (run_id, target, status, started_at, finished_at, log_path, operation, exit_code, message, metadata)
  VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
  ON CONFLICT (run_id, target) DO UPDATE SET status = excluded.status, started_at = excluded.started_at,
    finished_at = excluded.finished_at, log_path = ifnull(nullif(excluded.log_path, ''), log_path),
    operation = ifnull(nullif(excluded.operation, ''), operation), exit_code = excluded.exit_code,
    message = excluded.message, metadata = excluded.metadata`;

const EVIDENCE_COLUMNS = 'run_id, target, kind, path, value, created_at, evidence_id, metadata';

/** The same reference a second time is the same row. */
const PUT_EVIDENCE = `
  INSERT INTO artifacts (${EVIDENCE_COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?, ?)
  ON CONFLICT (run_id, target, kind, path, value) DO UPDATE SET created_at = excluded.created_at,
    evidence_id = excluded.evidence_id, metadata = excluded.metadata`;

/** Texts of times sort once their last letter is off: a fraction then stands behind the whole second. */
const BY_TIME = "rtrim(started_at, 'Z')";

const PAGE = 200;
/** An image has no path: its tag is what it is found by. */
const IMAGE_TAG = 'image-tag';

export function putRun(tx: Statements, run: ServedRun): void {
  const { id, target, dryRun, force, status, startedAt, finishedAt, logFolder, message, metadata } = run;
  const times = [timeText(startedAt), timeText(finishedAt)];
  tx.run(PUT_RUN, [id, target, Number(dryRun), Number(force), status, ...times, logFolder, message, JSON.stringify(metadata)]);
}

export function putTargetRun(tx: Statements, runId: string, run: ServedTargetRun): void {
  const { target, status, startedAt, finishedAt, logPath, operation, exitCode, message, metadata } = run;
  const times = [timeText(startedAt), timeText(finishedAt)];
  tx.run(PUT_TARGET_RUN, [runId, target, status, ...times, logPath, operation, exitCode ?? null, message, JSON.stringify(metadata)]);
}

export function putEvidence(tx: Statements, { runId, target, kind, uri, hash, createdAt, id, metadata }: Evidence): void {
  const place = kind === IMAGE_TAG && hash === '' ? ['', uri] : [uri, hash];
  tx.run(PUT_EVIDENCE, [runId, target, kind, ...place, timeText(createdAt), id, JSON.stringify(metadata)]);
}

export function selectRun(db: Statements, id: string): ServedRun | undefined {
  return runsOf(db, id)[0];
}

function runsOf(db: Statements, id: string): readonly ServedRun[] {
  return db.query(`SELECT ${RUN_COLUMNS} FROM runs WHERE id = ?`, [id]).map(runFrom);
}

/** Whether two runs say the same, whatever the order of their metadata. */
export function isSameRun(one: ServedRun, other: ServedRun): boolean {
  return isDeepStrictEqual(one, other);
}

/** Newest first, read as far as they are asked for: keys page by page, rows one by one, for a row may be large. */
export function* selectRuns(db: Statements, { id, target, since }: Omit<RunQuery, 'status' | 'limit'>): Iterable<ServedRun> {
  const wanted = [...equal('id', id), ...equal('target', target), ...condition(`${BY_TIME} >= rtrim(?, 'Z')`, since === undefined ? [] : [timeText(since)])];
  let below: readonly Condition[] = [];
  for (;;) {
    const page = selectKeys(db, [...wanted, ...below], { columns: `id, ${BY_TIME} AS moment`, from: 'runs', order: `${BY_TIME} DESC, id DESC` });
    for (const key of page) yield* runsOf(db, textIn(key, 'id'));
    const last = page.at(-1);
    if (last === undefined || page.length < PAGE) return;
    below = condition(`(${BY_TIME}, id) < (?, ?)`, [textIn(last, 'moment'), textIn(last, 'id')]);
  }
}

/** As `selectRuns`. */
export function* selectEvidence(db: Statements, { runId, target }: Omit<EvidenceQuery, 'limit'>): Iterable<Evidence> {
  const wanted = [...equal('run_id', runId), ...equal('target', target)];
  let below: readonly Condition[] = [];
  for (;;) {
    const page = selectKeys(db, [...wanted, ...below], { columns: 'id', from: 'artifacts', order: 'id DESC' });
    for (const { id = null } of page) yield* db.query(`SELECT id, ${EVIDENCE_COLUMNS} FROM artifacts WHERE id = ?`, [id]).map(evidenceFrom);
    const last = page.at(-1);
    if (last === undefined || page.length < PAGE) return;
    below = condition('id < ?', [last['id'] ?? null]);
  }
}

interface Condition {
  readonly sql: string;
  readonly values: readonly SqlValue[];
}

function condition(sql: string, values: readonly SqlValue[]): readonly Condition[] {
  return values.length === 0 ? [] : [{ sql, values }];
}

/** Anything goes where the wish is empty. */
function equal(column: string, value: string): readonly Condition[] {
  return condition(`${column} = ?`, value === '' ? [] : [value]);
}

interface Selection {
  readonly columns: string;
  readonly from: string;
  readonly order: string;
}

function selectKeys(db: Statements, conditions: readonly Condition[], { columns, from, order }: Selection): readonly Row[] {
  const where = conditions.map(({ sql }) => sql).join(' AND ') || 'TRUE';
  const sql = `SELECT ${columns} FROM ${from} WHERE ${where} ORDER BY ${order} LIMIT ${PAGE}`;
  return db.query(sql, conditions.flatMap(({ values }) => values));
}

function runFrom(row: Row): ServedRun {
  return {
    id: textIn(row, 'id'),
    target: textIn(row, 'target'),
    dryRun: row['dry_run'] === 1,
    force: row['force'] === 1,
    status: textIn(row, 'status') as RunStatus,
    startedAt: timeIn(row, 'started_at') ?? 0n,
    finishedAt: timeIn(row, 'finished_at'),
    logFolder: textIn(row, 'log_dir'),
    message: textIn(row, 'message'),
    metadata: metadataIn(row),
  };
}

function evidenceFrom(row: Row): Evidence {
  const [path, value] = [textIn(row, 'path'), textIn(row, 'value')];
  return {
    id: textIn(row, 'evidence_id') || `artifact-${textIn(row, 'id')}`,
    kind: textIn(row, 'kind'),
    uri: path || value,
    hash: path === '' ? '' : value,
    runId: textIn(row, 'run_id'),
    target: textIn(row, 'target'),
    createdAt: timeIn(row, 'created_at'),
    metadata: metadataIn(row),
  };
}

function textIn(row: Row, column: string): string {
  return String(row[column] ?? '');
}

function metadataIn(row: Row): Metadata {
  const text = textIn(row, 'metadata');
  const value = parsed(text);
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw damaged(row, 'metadata', text);
  return value as Metadata;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // Told as a damaged row, with what it holds.
    return undefined;
  }
}

/** An empty text is a time that has not come. */
function timeIn(row: Row, column: string): bigint | undefined {
  const text = textIn(row, column);
  if (text === '') return undefined;
  const time = parseRfc3339(text);
  if (time === undefined) throw damaged(row, column, text);
  return time;
}

function damaged(row: Row, column: string, value: string): Error {
  return damagedRow({ column, value, id: textIn(row, 'run_id') || textIn(row, 'id') });
}

function timeText(nanoseconds: bigint | undefined): string {
  return nanoseconds === undefined ? '' : formatRfc3339Nano(nanoseconds);
}
