import { isHeld } from '../../../../src/kernel/lock/index.ts';
import { connectSqlite, isSqliteBusy } from '../../../../src/kernel/sql/index.ts';

/** Prints whether another process may write the database (first argument) and whether the lock (second) is held. */
const [database = '', lock = ''] = process.argv.slice(2);
process.stdout.write(JSON.stringify({ canWrite: canWrite(), lockHeld: isHeld(lock) }));

function canWrite(): boolean {
  const connection = connectSqlite(database);
  try {
    connection.exec('PRAGMA busy_timeout = 0; BEGIN IMMEDIATE; ROLLBACK');
    return true;
  } catch (error) {
    if (isSqliteBusy(error)) return false;
    throw error;
  } finally {
    connection.close();
  }
}
