import { unlinkSync, writeFileSync, writeSync } from 'node:fs';
import { isDroverError } from '../../../../src/kernel/errors/index.ts';
import { openStore, type Sql } from '../../../../src/kernel/sql/index.ts';
import { systemClock } from '../../../../src/kernel/time/index.ts';

/**
 * Stores rows one after the other, alone and in transactions in turn, and prints a line for each, right after it was
 * acknowledged or refused. The argument is a JSON object: the `path` of the database, the number of rows, after how
 * many refusals it is opened again, and the file that is there whenever the database is neither opened nor closed.
 */
interface Task {
  readonly path: string;
  readonly count: number;
  readonly reopenAfter: number;
  readonly whileFile: string;
}

const task = JSON.parse(process.argv[2] ?? '') as Task;
const INSERT = 'INSERT INTO rows (n) VALUES (?)';
const schema = { table: 'migrations', migrations: [{ id: '001', sql: 'CREATE TABLE rows (n BIGINT NOT NULL)' }] };
let store = await open();
let refused = 0;
for (let n = 0; n < task.count; n += 1) {
  await storeOne(store, n);
  if (refused !== task.reopenAfter) continue;
  await close();
  store = await open();
  refused = 0;
  say('reopened');
}
await close();
say('closed');

async function open(): Promise<Sql> {
  const opened = await openStore({ path: task.path, clock: systemClock(), busyTimeoutMs: 1000, schema });
  writeFileSync(task.whileFile, '');
  return opened;
}

async function close(): Promise<void> {
  unlinkSync(task.whileFile);
  await store.close();
}

async function storeOne(opened: Sql, n: number): Promise<void> {
  try {
    if (n % 2 === 0) await opened.run(INSERT, [n]);
    else await opened.tx((t) => t.run(INSERT, [n]));
    say(`ack ${n}`);
  } catch (error) {
    if (!isDroverError(error)) throw error;
    refused += 1;
    say(`refused ${n} ${error.code}`);
  }
}

/** At once, since the process may be killed at any moment. */
function say(line: string): void {
  writeSync(1, `${line}\n`);
}
