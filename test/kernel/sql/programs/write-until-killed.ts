import { openDatabase } from '../../../../src/kernel/sql/index.ts';
import { systemClock } from '../../../../src/kernel/time/index.ts';

/** Writes row after row into the database of the first argument, and tells of each when it is stored. */
const db = await openDatabase(process.argv[2] ?? '', { clock: systemClock(), busyTimeoutMs: 1000 });
db.run('CREATE TABLE IF NOT EXISTS t (value)');
for (let row = 1; row <= 100_000; row += 1) {
  db.tx(({ run }) => run('INSERT INTO t VALUES (?)', [row]));
  process.stdout.write(`${row}\n`);
}
