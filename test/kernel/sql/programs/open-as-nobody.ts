import { isDroverError } from '../../../../src/kernel/errors/index.ts';
import { openDatabase } from '../../../../src/kernel/sql/index.ts';
import { sqliteLibrary } from '../../../../src/kernel/sql/driver.ts';
import { systemClock } from '../../../../src/kernel/time/index.ts';

/**
 * Opens the database of the first argument without the rights of root (`read` or `write` is the second), counts its
 * rows, adds one when writing, and prints what it met. The permissions that SQLite asks for are those of the real user,
 * so that only a process of its own can show them.
 */
const [path = '', access] = process.argv.slice(2);
sqliteLibrary();
if (process.getuid?.() === 0) {
  process.setgid?.(65_534);
  process.setuid?.(65_534);
}

try {
  const db = await openDatabase(path, { clock: systemClock(), busyTimeoutMs: 100, readOnly: access === 'read' });
  if (access === 'write') db.run("INSERT INTO t VALUES ('nobody')");
  print({ access: db.access, rows: db.query('SELECT count(*) AS rows FROM t')[0]?.['rows'] });
  db.close();
} catch (error) {
  print(isDroverError(error) ? { code: error.code, message: error.message } : { thrown: String(error) });
}

function print(found: object): void {
  process.stdout.write(JSON.stringify(found));
}
