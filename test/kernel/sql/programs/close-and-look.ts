import { readdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { openDatabase } from '../../../../src/kernel/sql/index.ts';
import { systemClock } from '../../../../src/kernel/time/index.ts';

/** Opens, writes, reads and closes the database of the first argument, then ends; prints what stands there meanwhile. */
const path = process.argv[2] ?? '';
const db = await openDatabase(path, { clock: systemClock(), busyTimeoutMs: 1000 });
db.run('CREATE TABLE t (value)');
db.run('INSERT INTO t VALUES (?)', ['kept']);
db.query('SELECT * FROM t');
process.stdout.write(JSON.stringify(readdirSync(dirname(path))));
db.close();
