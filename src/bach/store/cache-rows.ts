import type { FileStamp } from '../../kernel/files/index.ts';
import type { SqlValue, Statements } from '../../kernel/sql/index.ts';
import { formatRfc3339Nano } from '../../kernel/time/index.ts';
import { damagedCacheRow } from './errors.ts';
import type { HashChanges, OutputKind, OutputRecord, RememberedHashes } from './inputs/index.ts';
import { StoredFile, StoredOutput } from './stored-stamps.ts';

/** What is stored of the last success of a target. */
export interface TargetState {
  /** Canonical. */
  readonly target: string;
  readonly fingerprint: string;
  /** The hash of each part by its name; none in a record of an older implementation. */
  readonly parts: Readonly<Record<string, string>>;
  /** Nanoseconds since 1970. */
  readonly completedAt: bigint;
  /** The run that made the result. */
  readonly runId: string;
}

/** What tells whether the last success of a target still stands. */
export interface StoredResult {
  readonly fingerprint: string;
  /** The run that made the result. */
  readonly runId: string;
  /** Where that run wrote the log of the target, as its row has it; empty where the row or the log is no more. */
  readonly logPath: string;
}

/** What the cache knows, from one moment; parts of fingerprints are read one by one, for few are needed. */
export interface CacheRecords {
  /** By target. */
  readonly results: ReadonlyMap<string, StoredResult>;
  /** By target; none where it has no outputs. */
  readonly outputs: ReadonlyMap<string, readonly OutputRecord[]>;
  readonly hashes: RememberedHashes;
}

/** What a run has to say to the cache at its end. */
export interface CacheChanges {
  /** Of the targets that succeeded; each replaces what was stored. */
  readonly states: readonly TargetState[];
  /** All outputs of a target at a time, in place of those that were stored. */
  readonly outputs: ReadonlyMap<string, readonly OutputRecord[]>;
  readonly hashes: HashChanges;
}

/** Of a project in which nothing has run. */
export const NOTHING_KEPT: CacheRecords = { results: new Map(), outputs: new Map(), hashes: new Map() };

const STAMP_COLUMNS = 'size, mtime, ctime, ino, dev';

/** As one text: a number of JavaScript cannot hold nanoseconds of our days, nor numbers of files. */
const STAMP_FACTS = ['size', 'mtime', 'ctime', 'ino', 'dev', 'hashed_at'].join(" || ' ' || ");

const PUT_STATE = `
  INSERT INTO target_state (name, fingerprint, fingerprint_parts, completed_at, run_id) VALUES (?, ?, ?, ?, ?)
  ON CONFLICT (name) DO UPDATE SET fingerprint = excluded.fingerprint, fingerprint_parts = excluded.fingerprint_parts,
    completed_at = excluded.completed_at, run_id = excluded.run_id`;

const PUT_HASH = `
  INSERT OR REPLACE INTO file_hash (path, ${STAMP_COLUMNS}, hash, hashed_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?)`;

const PUT_OUTPUT = `
  INSERT OR REPLACE INTO output_record (target, path, kind, ${STAMP_COLUMNS}, hash, entries_hash, hashed_at)
  VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`;

/** Reads all of it at once. A state that was written before there was a cache holds nothing. Throws `damaged-cache-row`. */
export function readCache(db: Statements): CacheRecords {
  if (!hasCache(db)) return NOTHING_KEPT;
  const rows = readPacked(db);
  return { results: resultsOf(rows.results), outputs: outputsOf(rows.outputs), hashes: hashesOf(rows.hashes) };
}

/** The hash of each part of the stored fingerprint by its name; none where there is none. Throws `damaged-cache-row`. */
export function readParts(db: Statements, target: string): TargetState['parts'] {
  if (!hasCache(db)) return {};
  const [row] = db.query('SELECT fingerprint_parts FROM target_state WHERE name = ?', [target]);
  return row === undefined ? {} : partsOf(target, String(row['fingerprint_parts']));
}

/** To be called in the transaction that ends a run. */
export function writeCache(tx: Statements, { states, outputs, hashes }: CacheChanges): void {
  for (const { target, fingerprint, parts, completedAt, runId } of states) {
    tx.run(PUT_STATE, [target, fingerprint, JSON.stringify(parts), formatRfc3339Nano(completedAt), runId]);
  }
  for (const [target, records] of outputs) writeOutputs(tx, target, records);
  for (const path of hashes.drop) tx.run('DELETE FROM file_hash WHERE path = ?', [path]);
  for (const [path, file] of hashes.put) tx.run(PUT_HASH, [path, ...stampValues(file.stamp), file.hash, file.startedNs]);
}

/** Another text after each change of what the cache knows, whoever makes it, and never the same again. */
export function readCacheStamp(db: Statements): string {
  const [row] = db.query('SELECT stamp FROM cache_stamp');
  return row === undefined ? '' : String(row['stamp']);
}

/** Of outputs of a target, so that they count as changed until it succeeds again. */
export function dropOutputs(tx: Statements, target: string, paths: readonly string[]): void {
  for (const path of paths) tx.run('DELETE FROM output_record WHERE target = ? AND path = ?', [target, path]);
}

function writeOutputs(tx: Statements, target: string, records: readonly OutputRecord[]): void {
  tx.run('DELETE FROM output_record WHERE target = ?', [target]);
  for (const { path, kind, stamp, hash, entriesHash, startedNs } of records) {
    tx.run(PUT_OUTPUT, [target, path, kind, ...stampValues(stamp), hash, entriesHash, startedNs]);
  }
}

function hasCache(db: Statements): boolean {
  return db.query("SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = 'target_state'").length > 0;
}

function resultsOf(rows: readonly Packed[]): CacheRecords['results'] {
  return new Map(rows.map(([target = '', fingerprint = '', runId = '', logPath = '']) => [target, { fingerprint, runId, logPath }]));
}

function hashesOf(rows: readonly Packed[]): RememberedHashes {
  return new Map(rows.map(([path = '', hash = '', facts = '']) => [path, new StoredFile(hash, facts)]));
}

function outputsOf(rows: readonly Packed[]): CacheRecords['outputs'] {
  const found = new Map<string, OutputRecord[]>();
  for (const [target = '', path = '', kind = '', entriesHash = '', hash = '', facts = ''] of rows) {
    if (!isKind(kind)) throw damagedCacheRow({ key: target, column: 'kind', value: kind });
    const record = new StoredOutput({ path, kind, entriesHash, hash, facts });
    const records = found.get(target);
    if (records === undefined) found.set(target, [record]);
    else records.push(record);
  }
  return found;
}

type Part = keyof CacheRecords;

const RESULTS = packed('results', {
  columns: "s.name, s.fingerprint, s.run_id, coalesce(r.log_path, '')",
  from: 'target_state s LEFT JOIN target_runs r ON r.run_id = s.run_id AND r.target = s.name',
});
const HASHES = packed('hashes', { columns: `path, hash, ${STAMP_FACTS}`, from: 'file_hash' });
const OUTPUTS = packed('outputs', { columns: `target, path, kind, entries_hash, hash, ${STAMP_FACTS}`, from: 'output_record' });

/** All rows as one text, which is several times faster than to be given each. */
function packed(part: Part, { columns, from }: { readonly columns: string; readonly from: string }): string {
  return `SELECT '${part}' AS part, json_group_array(json_array(${columns})) AS packed FROM ${from}`;
}

/** One statement, so that all of it is of one moment without keeping others from writing. */
function readPacked(db: Statements): Readonly<Record<Part, readonly Packed[]>> {
  const found: Record<Part, readonly Packed[]> = { results: [], hashes: [], outputs: [] };
  for (const row of db.query([RESULTS, HASHES, OUTPUTS].join(' UNION ALL '))) {
    found[row['part'] as Part] = unpacked(String(row['packed']));
  }
  return found;
}

/** All columns are texts, but for those that somebody else has put something into. */
type Packed = readonly string[];

function unpacked(text: string): readonly Packed[] {
  // SQLite wrote it itself, of rows of texts.
  return JSON.parse(text) as readonly Packed[];
}

function partsOf(target: string, text: string): Readonly<Record<string, string>> {
  const parts = parsed(text);
  const isWhole = typeof parts === 'object' && parts !== null && Object.values(parts).every((part) => typeof part === 'string');
  if (!isWhole) throw damagedCacheRow({ key: target, column: 'fingerprint_parts', value: text });
  return Object.fromEntries(Object.entries(parts));
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // Told as a damaged row, with what it holds.
    return undefined;
  }
}

function stampValues({ size, mtimeNs, ctimeNs, ino, dev }: FileStamp): readonly SqlValue[] {
  return [size, mtimeNs, ctimeNs, ino, dev];
}

function isKind(kind: string): kind is OutputKind {
  return kind === 'file' || kind === 'folder' || kind === 'other';
}
