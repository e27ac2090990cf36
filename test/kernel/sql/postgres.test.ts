import { inspect } from 'node:util';
import { afterEach, beforeEach, describe, expect } from 'vitest';
import { openStore, type PostgresAddress, type Sql, type StoreOptions } from '../../../src/kernel/sql/index.ts';
import { systemClock } from '../../../src/kernel/time/index.ts';
import { testUnless } from '../../support/needs.ts';
import { postgresServer, postgresUrl, withoutPostgres } from '../../support/postgres.ts';
import { proxyTo, type Proxy } from './proxy.ts';
import { asSuperuser, rowsOfSuperuser } from './superuser.ts';

const server = postgresServer();
const it = (title: string, run: () => Promise<void>): void => testUnless(withoutPostgres, title, run);
const coded = (code: string, part = ''): unknown => expect.objectContaining({ code, message: expect.stringContaining(part) });
const opened: Sql[] = [];
let namespace = '';
let tests = 0;

beforeEach(() => {
  tests += 1;
  namespace = `test_${tests}`;
});

afterEach(async () => {
  await Promise.all(opened.splice(0).map((sql) => sql.close()));
});

function open(options: Partial<StoreOptions & PostgresAddress> = {}): Promise<Sql> {
  const schema = { namespace, table: 'migrations', migrations: [{ id: '1', sql: 'CREATE TABLE t (id TEXT PRIMARY KEY, n BIGINT)' }] };
  return openStore({ url: server.url, clock: systemClock(), busyTimeoutMs: 10_000, schema, ...options }).then((sql) => {
    opened.push(sql);
    return sql;
  });
}

function openThrough(proxy: Proxy, options: Partial<PostgresAddress> = {}): Promise<Sql> {
  return open({ url: postgresUrl(proxy), connectTimeoutMs: 5000, statementTimeoutMs: 1000, ...options });
}

const addRow = (sql: Sql, id: string): Promise<unknown> => sql.run('INSERT INTO t (id) VALUES (?)', [id]);
const rowsOf = (table = 't'): Promise<unknown> => rowsOfSuperuser(server, `SELECT id FROM ${namespace}.${table} ORDER BY id`);

it('what a change of the schema left in its connection is nobody’s afterwards', async () => {
  const change = { id: '1', sql: "SET lock_timeout TO 17; CREATE TEMP TABLE leaked (a TEXT); SELECT pg_advisory_lock(1); CREATE TABLE t (id TEXT)" };
  const sql = await open({ poolSize: 1, schema: { namespace, table: 'migrations', migrations: [change] } });
  const left = await sql.query("SELECT current_setting('lock_timeout') AS setting, to_regclass('pg_temp.leaked') AS leaked");
  expect(left).toEqual([{ setting: '5s', leaked: null }]);
  expect(await rowsOfSuperuser(server, "SELECT * FROM pg_locks WHERE locktype = 'advisory'")).toEqual([]);
});

describe('a connection that is lost', () => {
  it('while storing leaves the outcome unknown, and whoever looks finds it', async () => {
    const proxy = await proxyTo(server.port);
    const sql = await openThrough(proxy);
    proxy.cutAfter('COMMIT');
    await expect(addRow(sql, 'a')).rejects.toThrow(coded('outcome-unknown', sql.name));
    expect(await sql.query('SELECT id FROM t')).toEqual([{ id: 'a' }]);
  });

  it('while storing what a statement changed that is answered as reading leaves it unknown as well', async () => {
    const proxy = await proxyTo(server.port);
    const sql = await openThrough(proxy);
    proxy.cutAfter('COMMIT');
    const change = sql.query("WITH added AS (INSERT INTO t (id) VALUES ('a') RETURNING id) SELECT id FROM added");
    await expect(change).rejects.toThrow(coded('outcome-unknown', sql.name));
    expect(await rowsOf()).toEqual([{ id: 'a' }]);
  });

  it('before that has stored nothing, and says so', async () => {
    const proxy = await proxyTo(server.port);
    const sql = await openThrough(proxy);
    proxy.cutAfter('INSERT');
    await expect(addRow(sql, 'a')).rejects.toThrow(coded('database-unreachable', sql.name));
    expect(await sql.query('SELECT id FROM t')).toEqual([]);
  });

  it('at the end of mere reading leaves nothing unknown', async () => {
    const proxy = await proxyTo(server.port);
    const sql = await openThrough(proxy);
    proxy.cutAfter('COMMIT');
    await expect(sql.query('SELECT id FROM t')).rejects.toThrow(coded('database-unreachable', sql.name));
  });

  it('while it rests is replaced without a word', async () => {
    const proxy = await proxyTo(server.port);
    const sql = await openThrough(proxy);
    await addRow(sql, 'a');
    proxy.cut();
    await addRow(sql, 'b');
    expect(await rowsOf()).toEqual([{ id: 'a' }, { id: 'b' }]);
  });

  it('is not waited for past the limit of a statement, whether before or while storing', async () => {
    const proxy = await proxyTo(server.port);
    const sql = await openThrough(proxy);
    const cutOff = sql.tx(function* (t) {
      yield* t.run("INSERT INTO t (id) VALUES ('a')");
      proxy.partition();
      yield* t.run("INSERT INTO t (id) VALUES ('b')");
    });
    await expect(cutOff).rejects.toThrow(coded('database-unreachable', 'no answer within'));
    proxy.heal();
    const unanswered = sql.tx(function* (t) {
      yield* t.run("INSERT INTO t (id) VALUES ('c')");
      proxy.partition();
    });
    await expect(unanswered).rejects.toThrow(coded('outcome-unknown', 'no answer within'));
    proxy.heal();
    await addRow(sql, 'd');
    expect(await sql.query('SELECT id FROM t')).toEqual([{ id: 'd' }]);
  });

  it('with the network is made anew once that is whole again', async () => {
    const proxy = await proxyTo(server.port);
    const sql = await openThrough(proxy, { connectTimeoutMs: 8000 });
    await Promise.all(['a', 'b', 'c'].map((id) => addRow(sql, id)));
    proxy.partition();
    const waiting = addRow(sql, 'd');
    setTimeout(() => proxy.heal(), 100);
    await waiting;
    expect(await rowsOf()).toHaveLength(4);
  });
});

describe('a server', () => {
  it('that is restarted in a hurry is found again, and has what it acknowledged', async () => {
    const sql = await open();
    for (const [index, how] of (['SIGQUIT', 'SIGINT'] as const).entries()) {
      await addRow(sql, `before ${index}`);
      await server.stop(how);
      const waiting = addRow(sql, `after ${index}`);
      await server.start();
      await waiting;
    }
    expect(await rowsOf()).toEqual(['after 0', 'after 1', 'before 0', 'before 1'].map((id) => ({ id })));
  });

  it('that is not there, or does not let us in, is unreachable and named without the password', async () => {
    const password = 'correct-horse-7';
    await asSuperuser(server, `CREATE ROLE stranger LOGIN PASSWORD '${password}'`);
    await server.stop('SIGINT');
    const met = [await open({ url: postgresUrl(server, { password }), connectTimeoutMs: 100 }).catch((error: unknown) => error)];
    await server.start();
    for (const wrong of [{ database: 'nowhere' }, { user: 'nobody' }]) {
      met.push(await open({ url: postgresUrl(server, { password, ...wrong }) }).catch((error: unknown) => error));
    }
    expect(met).toEqual(met.map(() => coded('database-unreachable', `@127.0.0.1:${server.port}/`)));
    met.push(await open({ url: `postgres://user:${password}@[/x` }).catch((error: unknown) => error));
    met.push(await open({ url: `mysql://user:${password}@host/x` }).catch((error: unknown) => error));
    met.push(await open({ url: `postgres://u:${password}@127.0.0.1/x?sslkey=/none/key.pem` }).catch((error: unknown) => error));
    expect(met.slice(3)).toEqual([1, 2, 3].map(() => coded('database-address-invalid')));
    expect(inspect(met, { depth: 9, showHidden: true })).not.toContain(password);
  });

  it('that is full of connections is waited for', async () => {
    const sql = await open();
    await asSuperuser(server, `CREATE ROLE narrow LOGIN CONNECTION LIMIT 1; GRANT ALL ON SCHEMA ${namespace} TO narrow; GRANT ALL ON ALL TABLES IN SCHEMA ${namespace} TO narrow`);
    const url = postgresUrl(server, { user: 'narrow' });
    const first = await open({ url });
    const second = open({ url });
    await first.close();
    await addRow(await second, 'a');
    expect(await sql.query('SELECT id FROM t')).toEqual([{ id: 'a' }]);
  });
});

describe('a statement', () => {
  it('that takes too long is undone, and the next one is not', async () => {
    const sql = await open({ statementTimeoutMs: 1000 });
    await expect(sql.query('SELECT pg_sleep(60)')).rejects.toThrow(coded('statement-timeout', '1000 ms'));
    expect(await sql.query('SELECT 1 AS one')).toEqual([{ one: 1 }]);
  });

  it('is given up at once after an abort, with its reason', async () => {
    const sql = await open();
    const stop = new AbortController();
    const reason = new Error('stopped');
    const pending = sql.query('SELECT pg_sleep(60)', [], { signal: stop.signal });
    setTimeout(() => stop.abort(reason), 50);
    await expect(pending).rejects.toBe(reason);
    expect(await sql.query('SELECT 1 AS one')).toEqual([{ one: 1 }]);
  });

  it('means the same with whatever defaults the database has', async () => {
    await asSuperuser(server, 'CREATE DATABASE odd');
    const defaults = ['standard_conforming_strings = off', "bytea_output = 'escape'", 'search_path = pg_catalog', "datestyle = 'German'"];
    await asSuperuser(server, defaults.map((each) => `ALTER DATABASE odd SET ${each}`).join('; '));
    const sql = await open({ url: postgresUrl(server, { database: 'odd' }) });
    await addRow(sql, 'a');
    const row = await sql.query("SELECT '\\' AS slash, CAST(? AS BYTEA) AS bytes, DATE '2026-02-01' AS day, id FROM t", [new Uint8Array([92, 0])]);
    expect(row).toEqual([{ slash: '\\', bytes: new Uint8Array([92, 0]), day: '2026-02-01', id: 'a' }]);
  });
});

describe('connections', () => {
  const names = async (application: string): Promise<number> =>
    Number((await rowsOfSuperuser(server, `SELECT count(*) AS n FROM pg_stat_activity WHERE application_name = '${application}'`))[0]?.['n']);

  it('are few, bear a name, and are closed', async () => {
    const sql = await open({ applicationName: 'drover test', poolSize: 3 });
    await Promise.all(Array.from({ length: 20 }, () => sql.query('SELECT pg_sleep(0.01)')));
    expect(await names('drover test')).toBe(3);
    await sql.close();
    await expect.poll(() => names('drover test'), { timeout: 60_000 }).toBe(0);
  });

  it('that are all in use are waited for, until the time is up or the caller gives up', async () => {
    const sql = await open({ poolSize: 1, busyTimeoutMs: 1000, statementTimeoutMs: 20_000 });
    const stop = new AbortController();
    const long = sql.query('SELECT pg_sleep(30)', [], { signal: stop.signal });
    await expect(sql.query('SELECT 1')).rejects.toThrow(coded('database-busy', sql.name));
    const given = new AbortController();
    const waiting = sql.query('SELECT 1', [], { signal: given.signal });
    given.abort('enough');
    await expect(waiting).rejects.toBe('enough');
    stop.abort('over');
    await expect(long).rejects.toBe('over');
    expect(await sql.query('SELECT 1 AS one')).toEqual([{ one: 1 }]);
  });
});

describe('a user without rights', () => {
  it('is told so, unless the tables are there already', async () => {
    await asSuperuser(server, 'CREATE ROLE plain LOGIN');
    const url = postgresUrl(server, { user: 'plain' });
    await expect(open({ url })).rejects.toThrow(coded('permission-denied', 'plain@'));
    await open();
    await asSuperuser(server, `GRANT USAGE ON SCHEMA ${namespace} TO plain; GRANT SELECT ON ALL TABLES IN SCHEMA ${namespace} TO plain`);
    const sql = await open({ url });
    expect(await sql.query('SELECT * FROM t')).toEqual([]);
    await expect(addRow(sql, 'a')).rejects.toThrow(coded('permission-denied', 'plain@'));
  });
});
