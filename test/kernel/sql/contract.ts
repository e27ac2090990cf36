import { afterEach, describe, expect } from 'vitest';
import type { DroverError } from '../../../src/kernel/errors/index.ts';
import type { Schema, Sql, SqlValue, StoreOptions } from '../../../src/kernel/sql/index.ts';
import { openStore } from '../../../src/kernel/sql/index.ts';
import { systemClock } from '../../../src/kernel/time/index.ts';
import { testUnless } from '../../support/needs.ts';

export interface ContractTarget {
  readonly name: string;
  /** Why it cannot be tested here. */
  readonly without: string | undefined;
  /** A database of the running test alone, always the same one in one test. */
  readonly address: () => { readonly path: string } | { readonly url: string };
  /** The schema of the running test; on PostgreSQL it is a namespace of the one database. */
  readonly schema: (schema: Schema) => Schema;
  /** Makes a table in it that is not ours. */
  readonly makeForeign: (table: string) => Promise<void>;
}

const SCHEMA: Schema = {
  table: 'test_migrations',
  migrations: [
    {
      id: '001-items',
      sql: {
        sqlite: 'CREATE TABLE items (id INTEGER PRIMARY KEY, name TEXT UNIQUE, parent INTEGER REFERENCES items (id), big INTEGER, part REAL, bytes BLOB)',
        postgres: `CREATE TABLE items (id BIGINT PRIMARY KEY, name TEXT UNIQUE, parent BIGINT REFERENCES items (id), big BIGINT,
          part DOUBLE PRECISION, bytes BYTEA)`,
      },
    },
    { id: '002-counts', sql: 'CREATE TABLE counts (name TEXT PRIMARY KEY, value BIGINT NOT NULL); CREATE INDEX counts_by_value ON counts (value)' },
  ],
};

/** What every store may rely on, on either database. */
export function describeSqlContract({ name, without, address, schema, makeForeign }: ContractTarget): void {
  const opened: Sql[] = [];

  async function open(options: Partial<StoreOptions> = {}): Promise<Sql> {
    const sql = await openStore({ ...address(), clock: systemClock(), busyTimeoutMs: 20_000, schema: schema(SCHEMA), ...options });
    opened.push(sql);
    return sql;
  }

  const it = (title: string, run: () => Promise<void>): void => testUnless(without, title, run);
  const coded = (code: string, part = ''): unknown => expect.objectContaining({ code, message: expect.stringContaining(part) });

  afterEach(async () => {
    await Promise.all(opened.splice(0).map((sql) => sql.close()));
  });

  describe(`values on ${name}`, () => {
    it('come back as they were given', async () => {
      const sql = await open();
      const values: SqlValue[] = [7, 'ü\'"\\\n\u{1f600}', null, 2n ** 62n, 1.25, new Uint8Array([0, 1, 39, 92, 255])];
      await sql.run('INSERT INTO items (id, name, parent, big, part, bytes) VALUES (?, ?, ?, ?, ?, ?)', values);
      const [row = {}] = await sql.query('SELECT id, name, parent, big, part, bytes FROM items');
      expect(Object.values(row)).toEqual(values);
      expect(Object.getPrototypeOf(row['bytes'])).toBe(Uint8Array.prototype);
    });

    it('are integers as numbers where these are exact, else as bigint, also when they are counted and summed', async () => {
      const sql = await open();
      for (const [id, big] of [Number.MAX_SAFE_INTEGER, 2n ** 53n, -(2n ** 63n), 0].entries()) {
        await sql.run('INSERT INTO items (id, big) VALUES (?, ?)', [id, big]);
      }
      const rows = await sql.query('SELECT big FROM items ORDER BY id');
      expect(rows.map(({ big }) => big)).toEqual([Number.MAX_SAFE_INTEGER, 2n ** 53n, -(2n ** 63n), 0]);
      expect(await sql.query('SELECT count(*) AS n, sum(id) AS total FROM items')).toEqual([{ n: 4, total: 6 }]);
    });

    it('are divided as integers where both are', async () => {
      const sql = await open();
      await sql.run('INSERT INTO items (id) VALUES (?)', [7]);
      expect(await sql.query('SELECT id / ? AS half FROM items', [2])).toEqual([{ half: 3 }]);
    });

    it('are truth as 0 and 1', async () => {
      const sql = await open();
      await sql.run('INSERT INTO items (id, name) VALUES (?, ?)', [1, 'a']);
      expect(await sql.query("SELECT name = 'a' AS yes, name = 'b' AS no FROM items")).toEqual([{ yes: 1, no: 0 }]);
    });

    it('keep what stands behind a NUL, and replace half a character', async () => {
      const sql = await open();
      await sql.run('INSERT INTO items (id, name) VALUES (1, ?)', ['a\0b\0']);
      await sql.run('INSERT INTO items (id, name) VALUES (2, ?)', ['x\ud800y']);
      expect(await sql.query('SELECT id, name, length(name) AS size FROM items WHERE name IN (?, ?) ORDER BY id', ['a\0b\0', 'x\ud800y'])).toEqual([
        { id: 1, name: 'a\u2400b\u2400', size: 4 },
        { id: 2, name: 'x\ufffdy', size: 3 },
      ]);
    });

    it('are refused when they have no place in a column, by their position', async () => {
      const sql = await open();
      const odd: readonly (readonly [unknown, string])[] = [
        [Number.NaN, 'the number NaN'],
        [Number.NEGATIVE_INFINITY, 'the number -Infinity'],
        [2n ** 63n, `the integer ${2n ** 63n}`],
        [-(2n ** 63n) - 1n, `the integer ${-(2n ** 63n) - 1n}`],
        [undefined, 'undefined'],
        [true, 'a boolean'],
        [new Date(0), 'a Date'],
        [{}, 'a Object'],
        [Object.create(null), 'a nameless object'],
        [[1], 'a Array'],
        [new Float64Array(1), 'a Float64Array'],
        [new ArrayBuffer(1), 'a ArrayBuffer'],
        [Symbol('s'), 'a symbol'],
        [() => 1, 'a function'],
      ];
      for (const [value, shown] of odd) {
        const refusal = coded('statement-refused', `parameter 2 is ${shown},`);
        const params = [1, value as SqlValue];
        await expect(sql.run('INSERT INTO items (id, big) VALUES (?, ?)', params)).rejects.toThrow(refusal);
        const inside = sql.tx(function* (t) {
          yield* t.query('SELECT ? AS a, ? AS b', params);
        });
        await expect(inside).rejects.toThrow(refusal);
      }
      expect(await sql.query('SELECT * FROM items')).toEqual([]);
    });
  });

  describe(`statements on ${name}`, () => {
    it('say how many rows they changed, and give rows also when they write', async () => {
      const sql = await open();
      expect(await sql.run("INSERT INTO items (id, name) VALUES (1, 'a'), (2, 'b')")).toEqual({ changes: 2 });
      expect(await sql.run("UPDATE items SET name = 'c' WHERE id = 9")).toEqual({ changes: 0 });
      expect(await sql.run('CREATE TABLE more (a TEXT)')).toEqual({ changes: 0 });
      expect(await sql.query('INSERT INTO items (id) VALUES (3) RETURNING id')).toEqual([{ id: 3 }]);
      expect(await sql.run('DELETE FROM items WHERE id > ?', [1])).toEqual({ changes: 2 });
      expect(await sql.run("INSERT INTO items (id, name) VALUES (1, 'z') ON CONFLICT (id) DO NOTHING")).toEqual({ changes: 0 });
    });

    it('take placeholders only where they are meant', async () => {
      const sql = await open();
      const text = `SELECT '?' AS "a?", 'it''s ?' AS b, CAST(? AS TEXT) AS c -- why?
        /* ? */ , CAST(? AS TEXT) AS "d""?";`;
      expect(await sql.query(text, ['1', '2'])).toEqual([{ 'a?': '?', b: "it's ?", c: '1', 'd"?': '2' }]);
    });

    it('are refused before they are sent when the two databases would differ', async () => {
      const sql = await open();
      const refusals: [string, SqlValue[], string][] = [
        ['SELECT ?', [], '1 placeholders and was given 0'],
        ['SELECT 1', [1], '0 placeholders and was given 1'],
        ['SELECT ?1', [1], '?1'],
        ['SELECT $1', [], '$1'],
        ['SELECT :name', [], ':name'],
        ['SELECT 1; SELECT 2', [], 'more than one'],
        ['SELECT 1\0', [], 'NUL'],
        [`SELECT ${'?, '.repeat(40_000)} 1`, [], '40000 placeholders'],
        [' -- nothing', [], 'empty'],
        ['COMMIT', [], 'COMMIT'],
        ['/* sly */ rollback', [], 'ROLLBACK'],
        ['begin', [], 'BEGIN'],
      ];
      for (const [text, params, part] of refusals) {
        await expect(sql.query(text, params)).rejects.toThrow(coded('statement-refused', part));
        const inside = sql.tx(function* (t) {
          yield* t.run(text, params);
        });
        await expect(inside).rejects.toThrow(coded('statement-refused', part));
      }
    });

    it('are refused when they would act on the connection, which others have next, or on all of the database', async () => {
      const sql = await open();
      const texts = [
        'SET search_path TO x', 'RESET ALL', 'DISCARD ALL', 'LISTEN x', 'NOTIFY x', 'PREPARE p AS SELECT 1', 'LOCK TABLE items', 'DO $$ $$', 'CALL x()',
        'PRAGMA synchronous = OFF', "ATTACH 'x' AS y", 'DETACH y', 'VACUUM', 'REINDEX', 'ANALYZE', 'EXPLAIN SELECT 1', 'SAVEPOINT a', 'RELEASE a', 'END', 'ABORT',
        'COPY items TO STDOUT', 'GRANT SELECT ON items TO x', 'TRUNCATE items', 'DECLARE c CURSOR FOR SELECT 1', 'SELEC 1',
      ];
      for (const text of texts) await expect(sql.query(text)).rejects.toThrow(coded('statement-refused', `begins with ${text.split(/\W/)[0]}`));
      const more: readonly (readonly [string, string])[] = [
        ['CREATE TEMP TABLE x (a TEXT)', 'begins with CREATE TEMP'],
        ['create /* a */ unlogged table x (a TEXT)', 'begins with CREATE UNLOGGED'],
        ['CREATE TRIGGER x AFTER INSERT ON items BEGIN SELECT 1', 'begins with CREATE TRIGGER'],
        ['CREATE TABLE IF NOT EXISTS temp.x (a TEXT)', 'only one connection'],
        ['CREATE TABLE "pg_temp".x (a TEXT)', 'only one connection'],
        ['ALTER ROLE x SET a TO b', 'begins with ALTER ROLE'],
        ["SELECT set_config('search_path', 'x', false)", 'SET_CONFIG'],
        ['WITH a AS (SELECT pg_advisory_lock(1)) SELECT 1', 'PG_ADVISORY_LOCK'],
        ['SELECT "pg_try_advisory_lock"(1)', 'PG_TRY_ADVISORY_LOCK'],
        ['SELECT * INTO TEMP x FROM items', 'INTO makes a table'],
      ];
      for (const [text, part] of more) await expect(sql.run(text)).rejects.toThrow(coded('statement-refused', part));
      for (const text of ['CREATE UNIQUE INDEX x ON items (part)', 'DROP INDEX x', 'CREATE VIEW v AS SELECT id FROM items', 'DROP VIEW IF EXISTS v', 'ALTER TABLE items ADD COLUMN temp TEXT']) await sql.run(text);
      await sql.run('INSERT INTO items (id, temp) SELECT 1, ? WHERE NOT EXISTS (SELECT 1 FROM items)', ['a']);
      expect(await sql.query('WITH x AS (SELECT id, temp AS "into" FROM items) SELECT * FROM x')).toEqual([{ id: 1, into: 'a' }]);
    });

    it('tell no rows of an earlier one as changed', async () => {
      const sql = await open();
      expect(await sql.run('INSERT INTO items (id) VALUES (1), (2)')).toEqual({ changes: 2 });
      expect(await sql.run("WITH x AS (SELECT replace('a', 'a', 'b')) SELECT * FROM x")).toEqual({ changes: 0 });
      expect(await sql.run('WITH x AS (SELECT 1 AS id) DELETE FROM items WHERE id IN (SELECT id FROM x)')).toEqual({ changes: 1 });
    });

    it('report what the tables do not allow, and what is no SQL', async () => {
      const sql = await open();
      await sql.run("INSERT INTO items (id, name) VALUES (1, 'a')");
      await expect(sql.run("INSERT INTO items (id, name) VALUES (2, 'a')")).rejects.toThrow(coded('constraint-failed', sql.name));
      await expect(sql.run('INSERT INTO items (id, parent) VALUES (2, 99)')).rejects.toThrow(coded('constraint-failed', sql.name));
      await expect(sql.run("INSERT INTO counts (name) VALUES ('a')")).rejects.toThrow(coded('constraint-failed', sql.name));
      await expect(sql.query('SELECT FROM WHERE')).rejects.toThrow(coded('database-failed', 'syntax error'));
      await expect(sql.query('SELECT * FROM nowhere')).rejects.toThrow(coded('database-failed', 'nowhere'));
    });
  });

  describe(`a transaction on ${name}`, () => {
    it('stores all and gives its result, or nothing and passes on what was thrown', async () => {
      const sql = await open();
      const sum = sql.tx(function* (t) {
        yield* t.run("INSERT INTO counts VALUES ('a', 1)");
        yield* t.run("INSERT INTO counts VALUES ('b', 2)");
        const [row] = yield* t.query('SELECT sum(value) AS n FROM counts');
        return row?.['n'];
      });
      expect(await sum).toBe(3);
      const reason = new RangeError('no');
      const failing = sql.tx(function* (t) {
        yield* t.run("INSERT INTO counts VALUES ('c', 3)");
        throw reason;
      });
      await expect(failing).rejects.toBe(reason);
      expect(await sql.query('SELECT count(*) AS n FROM counts')).toEqual([{ n: 2 }]);
    });

    it('has failed once a statement failed, whatever its work makes of that', async () => {
      const sql = await open();
      await sql.run("INSERT INTO counts VALUES ('a', 1)");
      const ignoring = sql.tx(function* (t) {
        yield* t.run("INSERT INTO counts VALUES ('b', 1)");
        try {
          yield* t.run("INSERT INTO counts VALUES ('a', 1)");
        } catch {
          yield* t.run("INSERT INTO counts VALUES ('c', 1)");
        }
      });
      await expect(ignoring).rejects.toThrow(coded('constraint-failed'));
      const naming = sql.tx(function* (t) {
        try {
          yield* t.run("INSERT INTO counts VALUES ('a', 1)");
        } catch (error) {
          throw new RangeError(`taken: ${(error as DroverError).code}`);
        }
      });
      await expect(naming).rejects.toThrow('taken: constraint-failed');
      expect(await sql.query('SELECT name FROM counts')).toEqual([{ name: 'a' }]);
    });

    it('cannot wait for anything but its statements', async () => {
      const sql = await open();
      type Bad = Parameters<Sql['tx']>[0];
      const waiting = (async () => {
        await Promise.resolve();
      }) as unknown as Bad;
      await expect(sql.tx(waiting)).rejects.toThrow(coded('transaction-not-synchronous', sql.name));
      const asynchronous = async function* () {
        yield await Promise.resolve(1);
      } as unknown as Bad;
      await expect(sql.tx(asynchronous)).rejects.toThrow(coded('transaction-not-synchronous', sql.name));
      const yieldingPromise = function* () {
        yield Promise.resolve(1);
      } as unknown as Bad;
      await expect(sql.tx(yieldingPromise)).rejects.toThrow(coded('transaction-not-synchronous', sql.name));
    });

    it('is not begun inside another', async () => {
      const sql = await open();
      let inner: Promise<unknown> | undefined;
      await sql.tx(function* (t) {
        inner = sql.run("INSERT INTO counts VALUES ('inner', 1)");
        inner.catch(() => undefined);
        yield* t.run("INSERT INTO counts VALUES ('outer', 1)");
      });
      await expect(inner).rejects.toThrow(coded('transaction-nested', sql.name));
      expect(await sql.query('SELECT name FROM counts')).toEqual([{ name: 'outer' }]);
    });

    it('is one of many that read and then write, and none is lost', async () => {
      const stores = await Promise.all([open(), open(), open()]);
      await stores[0]?.run("INSERT INTO counts VALUES ('n', 0)");
      const raise = (sql: Sql): Promise<void> =>
        sql.tx(function* (t) {
          const [row] = yield* t.query("SELECT value FROM counts WHERE name = 'n'");
          yield* t.run("UPDATE counts SET value = ? WHERE name = 'n'", [Number(row?.['value']) + 1]);
        });
      await Promise.all(Array.from({ length: 30 }, (_, index) => raise(stores[index % 3]!)));
      expect(await stores[1]?.query("SELECT value FROM counts WHERE name = 'n'")).toEqual([{ value: 30 }]);
    });

    it('does not let two through that each rely on what the other changes', async () => {
      const stores = await Promise.all([open(), open()]);
      await stores[0]?.run("INSERT INTO counts VALUES ('a', 1), ('b', 1)");
      const leave = (sql: Sql, own: string): Promise<boolean> =>
        sql.tx(function* (t) {
          const [row] = yield* t.query('SELECT sum(value) AS present FROM counts');
          if (Number(row?.['present']) < 2) return false;
          yield* t.run('UPDATE counts SET value = 0 WHERE name = ?', [own]);
          return true;
        });
      const left = await Promise.all([leave(stores[0]!, 'a'), leave(stores[1]!, 'b')]);
      expect(left.toSorted()).toEqual([false, true]);
    });

    it('is not begun after an abort, and undone by one', async () => {
      const sql = await open();
      const stop = new AbortController();
      const reason = new Error('stopped by SIGINT');
      const stopping = sql.tx(
        function* (t) {
          yield* t.run("INSERT INTO counts VALUES ('a', 1)");
          if (sql.dialect === 'sqlite') throw reason;
          stop.abort(reason);
          yield* t.run("INSERT INTO counts VALUES ('b', 1)");
        },
        { signal: stop.signal },
      );
      await expect(stopping).rejects.toBe(reason);
      stop.abort(reason);
      for (const call of [sql.tx, sql.query, sql.run]) {
        const args = call === sql.tx ? [function* () {}, { signal: stop.signal }] : ['SELECT 1', [], { signal: stop.signal }];
        await expect(Reflect.apply(call, sql, args)).rejects.toBe(reason);
      }
      expect(await sql.query('SELECT * FROM counts')).toEqual([]);
    });
  });

  describe(`closing on ${name}`, () => {
    it('lets calls that are under way end, may be done twice, and afterwards every call says so', async () => {
      const sql = await open();
      const pending = Array.from({ length: 10 }, (_, index) => sql.run('INSERT INTO counts VALUES (?, 1)', [`${index}`]));
      await Promise.all([sql.close(), sql.close()]);
      expect(await Promise.all(pending)).toHaveLength(10);
      await expect(sql.query('SELECT 1')).rejects.toThrow(coded('database-closed', sql.name));
      await expect(sql.run('SELECT 1')).rejects.toThrow(coded('database-closed', sql.name));
      await expect(sql.tx(function* () {})).rejects.toThrow(coded('database-closed', sql.name));
      expect(await (await open()).query('SELECT count(*) AS n FROM counts')).toEqual([{ n: 10 }]);
    });
  });

  describe(`the schema on ${name}`, () => {
    const grown = (id: string, sql: string): Schema => schema({ ...SCHEMA, migrations: [...SCHEMA.migrations, { id, sql }] });

    it('is made once, recorded, and grows', async () => {
      await (await open()).run("INSERT INTO counts VALUES ('kept', 1)");
      const next = await open({ schema: grown('003-notes', 'CREATE TABLE notes (text TEXT)') });
      expect(await next.query('SELECT * FROM notes')).toEqual([]);
      expect(await next.query('SELECT id FROM test_migrations ORDER BY id')).toEqual([{ id: '001-items' }, { id: '002-counts' }, { id: '003-notes' }]);
      expect(await next.query('SELECT name FROM counts')).toEqual([{ name: 'kept' }]);
    });

    it('that a newer version wrote is refused', async () => {
      await open({ schema: grown('003-notes', 'CREATE TABLE notes (text TEXT)') });
      const older = await open().catch((error: unknown) => error);
      expect(older).toEqual(coded('database-newer', '003-notes'));
    });

    it('of something else is refused, and not changed', async () => {
      await makeForeign('theirs');
      await expect(open()).rejects.toThrow(coded('database-foreign', 'test_migrations'));
    });

    it('whose own table is another program’s is refused', async () => {
      await makeForeign('test_migrations');
      await expect(open()).rejects.toThrow(coded('database-foreign', 'test_migrations'));
    });

    it('is left as it was by a change that fails, which is tried again the next time', async () => {
      await open();
      const broken = grown('003-broken', 'CREATE TABLE half (a TEXT); CREATE TABLE counts (a TEXT)');
      await expect(open({ schema: broken })).rejects.toThrow(coded('database-failed'));
      const mended = await open({ schema: grown('003-broken', 'CREATE TABLE half (a TEXT)') });
      expect(await mended.query('SELECT * FROM half')).toEqual([]);
    });
  });
}
