import { accessSync, constants } from 'node:fs';
import { dirname } from 'node:path';
import { describeSystemError } from '../errors/index.ts';
import { constraintFailed, databaseBusy, databaseDamaged, databaseFailed } from './errors.ts';

interface Attempt {
  readonly path: string;
  /** A verb phrase: `read`, `write`, `open`. */
  readonly action: 'open' | 'read' | 'write';
}

type Kind = 'busy' | 'damaged' | 'full' | 'constraint' | 'access' | 'other';

/** SQLite's primary result codes. */
const KINDS = new Map<number, Kind>([
  [3, 'access'],
  [5, 'busy'],
  [6, 'busy'],
  [8, 'access'],
  [10, 'access'],
  [11, 'damaged'],
  [13, 'full'],
  [14, 'access'],
  [19, 'constraint'],
  [26, 'damaged'],
]);

/** One library leaves the code out of some errors; SQLite's texts for them are fixed. */
const TEXTS: readonly (readonly [Kind, RegExp])[] = [
  ['busy', /database( table)? is locked/],
  ['access', /readonly database|disk I\/O error|unable to open database file/],
  ['damaged', /disk image is malformed|file is not a database/],
  ['full', /database or disk is full/],
  ['constraint', /constraint failed/],
];

const IOERR = 10;
const DISK_ERROR = /disk I\/O error/;

/** Making the shared memory of a WAL larger failed, which only a full disk does. */
const IOERR_SHMSIZE = 4874;

/** Turns what SQLite threw into an error of ours with the path; anything else passes unchanged. */
export function describeSqliteError(error: unknown, { path, action }: Attempt): unknown {
  if (!isSqliteError(error)) return error;
  const reason = error.message;
  switch (kindOf(error)) {
    case 'busy':
      return databaseBusy({ path }, error);
    case 'damaged':
      return databaseDamaged({ path, reason }, error);
    case 'full':
      return describeSystemError({ code: 'ENOSPC', cause: error }, { action, path });
    case 'constraint':
      return constraintFailed({ path, reason }, error);
    case 'access':
      return accessRefusal({ path, action }) ?? databaseFailed({ path, action, reason }, error);
    case 'other':
      return databaseFailed({ path, action, reason }, error);
  }
}

/** True when another connection holds a lock that was needed. */
export function isSqliteBusy(error: unknown): boolean {
  return isSqliteError(error) && kindOf(error) === 'busy';
}

/** True when the system failed to read, write or sync a file, other than for want of space. */
export function isSqliteDiskError(error: unknown): boolean {
  if (!isSqliteError(error) || kindOf(error) === 'full') return false;
  return error.errcode === undefined ? DISK_ERROR.test(error.message) : (error.errcode & 0xff) === IOERR;
}

/** True when SQLite could not open or write what it needs beside the file. */
export function isSqliteAccessError(error: unknown): boolean {
  return isSqliteError(error) && kindOf(error) === 'access';
}

interface SqliteError extends Error {
  readonly errcode?: number;
}

/** True for what SQLite itself answered. */
export function isSqliteError(error: unknown): error is SqliteError {
  return error instanceof Error && 'code' in error && error.code === 'ERR_SQLITE_ERROR';
}

function kindOf({ errcode, message }: SqliteError): Kind {
  if (errcode === IOERR_SHMSIZE) return 'full';
  if (errcode !== undefined) return KINDS.get(errcode & 0xff) ?? 'other';
  return TEXTS.find(([, text]) => text.test(message))?.[0] ?? 'other';
}

/** SQLite does not say which permission it missed; the file and its folder do. */
function accessRefusal({ path, action }: Attempt) {
  const needed = action === 'read' ? constants.R_OK : constants.R_OK | constants.W_OK;
  for (const place of [path, dirname(path)]) {
    try {
      accessSync(place, needed);
    } catch (error) {
      return describeSystemError(error, { action, path: place });
    }
  }
  return undefined;
}
