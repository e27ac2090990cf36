import { randomBytes } from 'node:crypto';
import { link, unlink } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { describeSystemError } from '../errors/index.ts';
import { durablePoint, ensurePrivateFile, refuseUnlessRegular, syncPath } from '../files/index.ts';
import { connectSqlite } from './connection.ts';
import { copyExists, databaseMissing } from './errors.ts';
import { describeSqliteError } from './sqlite-error.ts';

/**
 * Copies a SQLite database as it stands at one moment, also while others write to it, whole and durably. This is the
 * only way to copy one: its file alone may lack what is still beside it, and reading it would break this process's
 * locks. Throws `database-missing`, `database-damaged`, `database-busy`, `copy-exists`, `disk-full` and the like.
 *
 * @example
 * await copyDatabase('/project/.state/state.db', '/project/.state/before-upgrade.db');
 */
export async function copyDatabase(path: string, to: string): Promise<void> {
  const [source, target] = [resolve(path), resolve(to)];
  if (refuseUnlessRegular(source) === 'missing') throw databaseMissing({ path: source });
  const temporary = `${target}.${randomBytes(6).toString('hex')}.part`;
  ensurePrivateFile(temporary);
  try {
    await backUp(source, temporary);
    await syncPath(temporary);
    await give(temporary, target);
  } finally {
    // Under its own name it is a second one of the copy, or a part of one.
    await unlink(temporary).catch(() => undefined);
  }
  await syncPath(dirname(target));
}

async function backUp(source: string, copy: string): Promise<void> {
  const connection = connectSqlite(source, { readOnly: true });
  try {
    // The first read makes the files beside it, in which there are locks as well.
    connection.exec('SELECT count(*) FROM sqlite_schema');
    connection.holdSidecars();
    await connection.copyTo(copy);
  } catch (error) {
    throw describeSqliteError(error, { path: source, action: 'read' });
  } finally {
    connection.close();
  }
}

/** By a link, which never takes the place of a file that is there. */
async function give(temporary: string, target: string): Promise<void> {
  try {
    durablePoint('copy:before');
    await link(temporary, target);
    durablePoint('copy:after');
  } catch (error) {
    const isTaken = (error as NodeJS.ErrnoException).code === 'EEXIST';
    throw isTaken ? copyExists({ path: target }, error) : describeSystemError(error, { action: 'create', path: target });
  }
}
