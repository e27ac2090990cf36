import { readFileSync } from 'node:fs';
import { afterEach, beforeEach, expect, vi } from 'vitest';
import { openDatabase, openStore } from '../../../src/kernel/sql/index.ts';
import { systemClock } from '../../../src/kernel/time/index.ts';
import { testUnless } from '../../support/needs.ts';
import { postgresServer, withoutPostgres } from '../../support/postgres.ts';
import { tempFolder } from '../../support/temp-folder.ts';

const folder = tempFolder();
const server = postgresServer();
const clock = systemClock();
const SCHEMA = { table: 'migrations', migrations: ['a', 'b'].map((id) => ({ id, sql: `CREATE TABLE ${id} (n BIGINT)` })) };
const pair = (what: string): string[] => [`${what}:before`, `${what}:after`];

beforeEach(() => vi.stubEnv('DROVER_CRASH_TRACE', folder.at('trace')));
afterEach(() => vi.unstubAllEnvs());

function passed(): readonly string[] {
  return readFileSync(folder.at('trace'), 'utf8').trimEnd().split('\n');
}

async function storeSomething(address: { path: string } | { url: string }): Promise<void> {
  const sql = await openStore({ ...address, clock, busyTimeoutMs: 1000, schema: SCHEMA });
  await sql.run('INSERT INTO a VALUES (1)');
  await sql.query('SELECT * FROM a');
  await sql.tx(function* (t) {
    yield* t.run('INSERT INTO b VALUES (2)');
    yield* t.run('INSERT INTO b VALUES (3)');
  });
  await sql.close();
}

const EXPECTED = [...pair('migration'), ...pair('migration'), ...pair('commit'), ...pair('commit')];

testUnless(undefined, 'each commit of a store on SQLite is a point at which a test can end the process', async () => {
  await storeSomething({ path: folder.at('a.db') });
  expect(passed()).toEqual(EXPECTED);
});

testUnless(withoutPostgres, 'each commit of a store on PostgreSQL is such a point', async () => {
  await storeSomething({ url: server.url });
  expect(passed()).toEqual(EXPECTED);
});

testUnless(undefined, 'so is each of a database, and what only reads is none', async () => {
  const db = await openDatabase(folder.at('a.db'), { clock, busyTimeoutMs: 1000, schema: SCHEMA });
  db.tx(({ run }) => run('INSERT INTO a VALUES (1)'));
  db.query('SELECT * FROM a');
  db.close();
  const reader = await openDatabase(folder.at('a.db'), { clock, busyTimeoutMs: 1000, readOnly: true });
  reader.tx(({ query }) => query('SELECT * FROM a'));
  reader.close();
  expect(passed()).toEqual([...pair('migration'), ...pair('migration'), ...pair('commit')]);
});
