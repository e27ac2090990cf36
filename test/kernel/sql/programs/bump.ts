import { openDatabase } from '../../../../src/kernel/sql/index.ts';
import { systemClock } from '../../../../src/kernel/time/index.ts';

/**
 * Opens the database of the first argument, as all its siblings do at the same moment, and raises one number as often
 * as the second argument says. Prints `done` or what went wrong.
 */
const [path = '', times = '1'] = process.argv.slice(2);
const schema = {
  table: 'test_schema_migrations',
  migrations: [
    { id: '001-numbers', sql: 'CREATE TABLE numbers (value INTEGER NOT NULL); INSERT INTO numbers VALUES (0);' },
    { id: '002-names', sql: 'CREATE TABLE names (name TEXT PRIMARY KEY)' },
  ],
};

try {
  const db = await openDatabase(path, { clock: systemClock(), busyTimeoutMs: 30_000, schema });
  for (let round = 0; round < Number(times); round += 1) {
    await db.txRetry(({ run, query }) => {
      const value = Number(query('SELECT value FROM numbers')[0]?.['value']);
      run('UPDATE numbers SET value = ?', [value + 1]);
    });
  }
  db.close();
  process.stdout.write('done');
} catch (error) {
  process.stdout.write(JSON.stringify(error) + String(error));
}
