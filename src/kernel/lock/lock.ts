import { accessSync, constants, statSync, unlinkSync } from 'node:fs';
import { resolve } from 'node:path';
import { describeSystemError, isDroverError } from '../errors/index.ts';
import { durablePoint, ensurePrivateFile, refuseUnlessRegular } from '../files/index.ts';
import { connectSqlite, describeSqliteError, isSqliteBusy, type Connection } from '../sql/index.ts';
import { lockDamaged, lockDisturbed, lockLost } from './errors.ts';

/** Held by this process until it is released or the process ends, however it ends. */
export interface Lock {
  /** Absolute. */
  readonly path: string;
  /** Tells this lock file from every other one of the machine, also from a later one at its path. */
  readonly identity: string;
  /**
   * Throws `lock-lost` when the lock was released, or its file no longer stands at its path, since whoever comes next
   * then holds another one. To be called before each thing that only a holder may do. Costs one look at the file.
   */
  confirm(): void;
  /** Gives the lock free; `remove` takes the file away with it. A second call does nothing. */
  release(options?: { readonly remove?: boolean }): void;
}

/** How long a taker waits for those who only look, in milliseconds: a looker is done at once, if the system lets it run. */
const LOOKERS_WAIT_MS = 40;

/** Takers that found the file removed under them begin again; more often than this is no accident. */
const MAX_ATTEMPTS = 100;

/**
 * Takes the lock at `path`, or says at once that it is held (also by this very process). The file is made when it is
 * missing (its folder must exist) and has no content; only this room may open it. It blocks, for less than 50 ms,
 * only when another process was stopped while it looked; `takeLock` waits longer for that, without blocking.
 * Throws `lock-damaged`, `lock-disturbed`, `symlink-refused`, `permission-denied` and the like, with the path.
 *
 * @example
 * const lock = tryLock('/project/.state/runs/20260608T120000.000000000Z/lock');
 * if (lock === 'held') return;
 * lock.release({ remove: true });
 */
export function tryLock(path: string): Lock | 'held' {
  const file = resolve(path);
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt += 1) {
    ensurePrivateFile(file);
    requireWritable(file);
    const outcome = attemptLock(file);
    if (outcome !== 'moved') return outcome;
  }
  throw lockDisturbed({ path: file });
}

/**
 * Tells whether any process holds the lock at `path`, without taking it; a missing file is not held.
 * Throws `lock-damaged`, `permission-denied` and the like: what cannot be read is not called free.
 */
export function isHeld(path: string): boolean {
  const file = resolve(path);
  if (refuseUnlessRegular(file) === 'missing') return false;
  return withConnection(file, { readOnly: true }, (connection) => {
    connection.exec('PRAGMA busy_timeout = 0');
    return !canRead(connection);
  });
}

/** In a file that cannot be written SQLite begins an exclusive transaction without the exclusive lock. */
function requireWritable(file: string): void {
  try {
    accessSync(file, constants.R_OK | constants.W_OK);
  } catch (error) {
    // Gone again already: the attempt finds that out.
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return;
    throw describeSystemError(error, { action: 'write', path: file });
  }
}

function attemptLock(file: string): Lock | 'held' | 'moved' {
  const before = identityOf(file);
  const connection = open(file, {});
  let kept = false;
  try {
    if (!takeExclusive(connection, file)) return 'held';
    // A holder that removed the file on release leaves us with a lock on a file that nobody will look at.
    if (before === undefined || identityOf(file) !== before) return 'moved';
    kept = true;
    return heldLock({ file, identity: before, connection });
  } catch (error) {
    throw describeLockError(error, file);
  } finally {
    if (!kept) connection.close();
  }
}

function takeExclusive(connection: Connection, file: string): boolean {
  connection.exec('PRAGMA busy_timeout = 0');
  if (!canRead(connection)) return false;
  if (beginExclusive(connection)) return true;
  // Whoever was in the way may have been a taker that was faster.
  connection.exec('PRAGMA busy_timeout = 0');
  if (!canRead(connection)) return false;
  throw lockDisturbed({ path: file });
}

function beginExclusive(connection: Connection): boolean {
  try {
    // The journal is kept in memory: one beside the lock would outlive a killed holder.
    connection.exec(`PRAGMA journal_mode = MEMORY; PRAGMA busy_timeout = ${LOOKERS_WAIT_MS}; BEGIN EXCLUSIVE`);
    return true;
  } catch (error) {
    if (isSqliteBusy(error)) return false;
    throw error;
  }
}

/** A shared read, which only an exclusive holder refuses; lookers do not refuse each other. */
function canRead(connection: Connection): boolean {
  try {
    // Not as a prepared statement, which could keep the lock file open after it is closed.
    connection.exec('SELECT count(*) FROM sqlite_schema');
    return true;
  } catch (error) {
    if (isSqliteBusy(error)) return false;
    throw error;
  }
}

interface Holding {
  readonly file: string;
  readonly identity: string;
  readonly connection: Connection;
}

function heldLock({ file, identity, connection }: Holding): Lock {
  let released = false;
  return {
    path: file,
    identity,
    confirm() {
      if (released || identityOf(file) !== identity) throw lockLost({ path: file });
    },
    release({ remove = false } = {}) {
      if (released) return;
      released = true;
      try {
        // While it is still held, afterwards it may be another's; what somebody put in its place is not ours.
        if (remove && identityOf(file) === identity) removeFile(file);
      } finally {
        connection.close();
      }
    },
  };
}

function removeFile(file: string): void {
  try {
    durablePoint('lock-remove:before');
    unlinkSync(file);
    durablePoint('lock-remove:after');
  } catch (error) {
    throw describeSystemError(error, { action: 'remove', path: file });
  }
}

function withConnection<Result>(
  file: string,
  options: { readonly readOnly?: boolean },
  work: (connection: Connection) => Result,
): Result {
  const connection = open(file, options);
  try {
    return work(connection);
  } catch (error) {
    throw describeLockError(error, file);
  } finally {
    connection.close();
  }
}

function open(file: string, options: { readonly readOnly?: boolean }): Connection {
  try {
    return connectSqlite(file, options);
  } catch (error) {
    throw describeLockError(error, file);
  }
}

function describeLockError(error: unknown, path: string): unknown {
  const described = describeSqliteError(error, { path, action: 'open' });
  const isDamaged = isDroverError(described) && described.code === 'database-damaged';
  return isDamaged ? lockDamaged({ path }, error) : described;
}

/** The birth time tells a file from a later one with the same inode number. */
function identityOf(file: string): string | undefined {
  const stats = statSync(file, { bigint: true, throwIfNoEntry: false });
  return stats === undefined ? undefined : `${stats.dev}:${stats.ino}:${stats.birthtimeNs}`;
}
