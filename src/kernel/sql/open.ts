import { accessSync, constants, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { describeSystemError } from '../errors/index.ts';
import { ensurePrivateFile, refuseUnlessRegular } from '../files/index.ts';
import type { Clock } from '../time/index.ts';
import { connectSqlite, type Connection } from './connection.ts';
import type { Database } from './contract.ts';
import { SqliteDatabase } from './database.ts';
import { databaseMissing, databaseOutdated, databaseUnfinished } from './errors.ts';
import { OpenFiles } from './open-files.ts';
import { applyMigration, schemaState, type Schema, type SchemaState } from './migrate.ts';
import { BLOCKING_WAIT_MS, retryWhileBusy } from './retry.ts';
import { describeSqliteError, isSqliteAccessError, isSqliteBusy } from './sqlite-error.ts';

export interface OpenOptions {
  readonly clock: Clock;
  /** How long other processes are waited for, in milliseconds, when opening and in `txRetry`. */
  readonly busyTimeoutMs: number;
  /**
   * No database is made and no content changed: a missing one is `database-missing`, an older one `database-outdated`.
   * Where the folder can be written SQLite puts its own two files beside the database.
   */
  readonly readOnly?: boolean;
  /** Brought up to date before the database is given out. */
  readonly schema?: Schema;
  /** Integers past 2^53 are read as bigint; without it reading one fails. */
  readonly exactIntegers?: boolean;
  /** Ends the waiting for others. */
  readonly signal?: AbortSignal;
}

/**
 * Opens a SQLite file, made with mode 0600 when it is missing, in WAL mode with foreign keys and full durability.
 * Any number of processes may do so at once. Its folder must exist.
 * Throws `database-missing` (reading only), `database-damaged`, `database-foreign`, `database-newer`,
 * `database-outdated`, `database-busy`, `symlink-refused`, `permission-denied`, `read-only`, `disk-full`, `not-found`.
 * None of them changes what is in the file.
 *
 * @example
 * const schema = { table: 'schema_migrations', migrations: [{ id: '001-runs', sql: 'CREATE TABLE runs (id TEXT)' }] };
 * const db = await openDatabase('/project/.state/state.db', { clock, busyTimeoutMs: 30_000, schema });
 */
export async function openDatabase(path: string, options: OpenOptions): Promise<Database> {
  const file = resolve(path);
  const open = options.readOnly === true ? openForReading : openForWriting;
  try {
    return await open({ ...options, path: file });
  } catch (error) {
    throw describeSqliteError(error, { path: file, action: 'open' });
  }
}

interface Opening extends OpenOptions {
  readonly path: string;
}

async function openForWriting(opening: Opening): Promise<Database> {
  const { path } = opening;
  ensurePrivateFile(path);
  requireWritable(path);
  const files = new OpenFiles(path);
  const connection = connectSqlite(path);
  try {
    await prepareForWriting(connection, opening);
    files.watchSidecars();
    files.requireInPlace();
    return new SqliteDatabase({ ...opening, connection, files, access: 'write' });
  } catch (error) {
    connection.close();
    throw error;
  }
}

/** SQLite would open what it cannot write for reading, and say so only at the first write. */
function requireWritable(path: string): void {
  for (const place of [path, dirname(path)]) {
    try {
      accessSync(place, constants.R_OK | constants.W_OK);
    } catch (error) {
      throw describeSystemError(error, { action: 'write', path: place });
    }
  }
}

async function prepareForWriting(connection: Connection, opening: Opening): Promise<void> {
  const { path, schema, clock } = opening;
  connection.exec(`PRAGMA busy_timeout = ${BLOCKING_WAIT_MS}`);
  // A file that is not ours is left before the switch to WAL, which would change it.
  const { pending } = await patiently(opening, () => inspect(connection, opening));
  await patiently(opening, () => settle(connection));
  for (const migration of pending) {
    await patiently(opening, () => {
      if (schema !== undefined) applyMigration({ connection, path, schema }, migration, clock);
    });
  }
}

function patiently<Result>(opening: Opening, work: () => Result): Promise<Result> {
  return retryWhileBusy(work, { ...opening, isBusy: isSqliteBusy });
}

function inspect(connection: Connection, { path, schema }: Opening): SchemaState {
  // Any first read tells a damaged file, and makes the files beside a WAL database.
  connection.prepare('SELECT count(*) FROM sqlite_schema').all();
  connection.holdSidecars();
  return schema === undefined ? { isEmpty: false, pending: [] } : schemaState({ connection, path, schema });
}

function settle(connection: Connection): void {
  connection.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON');
  connection.prepare('SELECT count(*) FROM sqlite_schema').all();
  connection.holdSidecars();
}

async function openForReading(opening: Opening): Promise<Database> {
  const { path } = opening;
  if (refuseUnlessRegular(path) === 'missing') throw databaseMissing({ path });
  try {
    return await readWith(connectSqlite(path, { readOnly: true }), opening, 'read');
  } catch (error) {
    if (!isSqliteAccessError(error)) throw error;
    requireReadable(path);
  }
  // The folder does not let a reader write its part of the WAL. Without one, the file alone is the truth.
  if (hasUnfinishedWal(path)) throw databaseUnfinished({ path });
  return readWith(connectSqlite(path, { readOnly: true, immutable: true }), opening, 'frozen');
}

async function readWith(connection: Connection, opening: Opening, access: 'read' | 'frozen'): Promise<Database> {
  const { path, schema } = opening;
  try {
    connection.exec(`PRAGMA busy_timeout = ${BLOCKING_WAIT_MS}`);
    const { isEmpty, pending } = await patiently(opening, () => inspect(connection, opening));
    if (schema !== undefined && isEmpty) throw databaseMissing({ path });
    if (pending[0] !== undefined) throw databaseOutdated({ path, migration: pending[0].id });
    return new SqliteDatabase({ ...opening, connection, access });
  } catch (error) {
    connection.close();
    throw error;
  }
}

function requireReadable(path: string): void {
  try {
    accessSync(path, constants.R_OK);
  } catch (error) {
    throw describeSystemError(error, { action: 'read', path });
  }
}

function hasUnfinishedWal(path: string): boolean {
  const stats = statSync(`${path}-wal`, { throwIfNoEntry: false });
  return stats !== undefined && stats.size > 0;
}
