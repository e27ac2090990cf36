import { copyFileSync, mkdirSync, renameSync, rmSync, truncateSync } from 'node:fs';
import { dirname } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { openDatabase, openStore, type Database } from '../../../src/kernel/sql/index.ts';
import { systemClock } from '../../../src/kernel/time/index.ts';
import { tempFolder } from '../../support/temp-folder.ts';

const folder = tempFolder();
const clock = systemClock();
const schema = { table: 'migrations', migrations: [{ id: '001', sql: 'CREATE TABLE t (n INTEGER)' }] };
const INSERT = 'INSERT INTO t (n) VALUES (?)';

let path: string;
let db: Database;

const open = (): Promise<Database> => openDatabase(path, { clock, busyTimeoutMs: 1000, schema });
const removed = (file = path): unknown =>
  expect.objectContaining({ code: 'database-removed', message: expect.stringContaining(`${file} was removed or replaced`), remedy: expect.stringContaining('put it back') });

beforeEach(async () => {
  mkdirSync(folder.at('project'), { recursive: true });
  path = folder.at('project', 'a.db');
  db = await open();
  db.run(INSERT, [1]);
});

afterEach(() => db.close());

async function replaceByAnother(): Promise<void> {
  rmSync(path);
  for (const beside of ['-wal', '-shm']) rmSync(`${path}${beside}`);
  (await open()).close();
}

type Disturb = () => unknown;

const DISTURBANCES: [string, Disturb, (() => string)?][] = [
  ['was deleted', () => rmSync(path)],
  ['was renamed', () => renameSync(path, `${path}.old`)],
  ['was replaced by another database', replaceByAnother],
  ['was replaced by a copy of itself', () => (copyFileSync(path, `${path}.copy`), renameSync(`${path}.copy`, path))],
  ['was emptied', () => truncateSync(path)],
  ['lies in a folder that was renamed', () => renameSync(dirname(path), folder.at('moved'))],
  ['lost its log', () => rmSync(`${path}-wal`), () => `${path}-wal`],
  ['lost its shared memory', () => rmSync(`${path}-shm`), () => `${path}-shm`],
];

describe.each<[string, Disturb, (() => string)?]>(DISTURBANCES)('a database that %s while it was open', (_, disturb, file) => {
  test.each<[string, (db: Database) => unknown]>([
    ['a statement', (database) => database.run(INSERT, [2])],
    ['a statement with rows', (database) => database.query(`${INSERT} RETURNING n`, [2])],
    ['a transaction', (database) => database.tx(({ run }) => run(INSERT, [2]))],
    ['a transaction that only reads, since what it decides would be old', (database) => database.tx(({ query }) => query('SELECT * FROM t'))],
  ])('refuses %s, and everything after that', async (__, write) => {
    await disturb();
    expect(() => write(db)).toThrow(removed(file?.()));
    expect(() => db.query('SELECT * FROM t')).toThrow(removed(file?.()));
    await expect(db.txRetry(({ run }) => run(INSERT, [3]))).rejects.toThrow(removed(file?.()));
  });
});

test('a database that was removed and put back stays refused until it is opened again, and has nothing of what was refused', async () => {
  renameSync(path, `${path}.old`);
  expect(() => db.run(INSERT, [2])).toThrow(removed());
  renameSync(`${path}.old`, path);
  expect(() => db.run(INSERT, [3])).toThrow(removed());
  const again = await open();
  again.run(INSERT, [4]);
  expect(again.query('SELECT n FROM t')).toEqual([{ n: 1 }, { n: 4 }]);
  again.close();
});

test('one that is removed in the middle of a transaction stores nothing of it', () => {
  const removing = (): unknown =>
    db.tx(({ run }) => {
      run(INSERT, [2]);
      rmSync(path);
    });
  expect(removing).toThrow(removed());
});

test('a store on it tells the same', async () => {
  const sql = await openStore({ path, clock, busyTimeoutMs: 1000, schema });
  rmSync(path);
  const write = sql.tx(function* (t) {
    yield* t.run(INSERT, [2]);
  });
  await expect(write).rejects.toThrow(removed());
  await expect(sql.run(INSERT, [2])).rejects.toThrow(removed());
  await sql.close();
});

test('a log that a checkpoint emptied is no loss, and a reader that comes and goes neither', async () => {
  for (let n = 0; n < 2000; n += 1) db.tx(({ run }) => run(INSERT, [n]));
  const reader = await openDatabase(path, { clock, busyTimeoutMs: 1000, readOnly: true });
  expect(reader.query('SELECT count(*) AS n FROM t')).toEqual([{ n: 2001 }]);
  reader.close();
  (await open()).close();
  db.run(INSERT, [5]);
});
