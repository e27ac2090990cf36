import { openStore } from '../../../../src/kernel/sql/index.ts';
import { systemClock } from '../../../../src/kernel/time/index.ts';

/**
 * Opens the store of the first argument, on PostgreSQL, as all its siblings do at the same moment, and raises one
 * number by one. Prints `done` or what went wrong.
 */
const url = process.argv[2] ?? '';
const schema = {
  table: 'migrations',
  namespace: 'raised together',
  migrations: [
    { id: '001-numbers', sql: 'CREATE TABLE numbers (value BIGINT NOT NULL); INSERT INTO numbers VALUES (0)' },
    { id: '002-names', sql: 'CREATE TABLE names (name TEXT PRIMARY KEY)' },
  ],
};

try {
  const sql = await openStore({ url, clock: systemClock(), connectTimeoutMs: 60_000, statementTimeoutMs: 60_000, busyTimeoutMs: 60_000, schema });
  await sql.tx(function* (t) {
    const [row] = yield* t.query('SELECT value FROM numbers');
    yield* t.run('UPDATE numbers SET value = ?', [Number(row?.['value']) + 1]);
  });
  await sql.close();
  process.stdout.write('done');
} catch (error) {
  process.stdout.write(JSON.stringify(error) + String(error));
}
