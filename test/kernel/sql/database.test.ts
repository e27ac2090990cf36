import { writeFileSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { readBytes } from '../../../src/kernel/files/index.ts';
import { connectSqlite, openDatabase, type Connection, type Database, type SqlValue } from '../../../src/kernel/sql/index.ts';
import { SqliteDatabase } from '../../../src/kernel/sql/database.ts';
import { sqliteLibrary } from '../../../src/kernel/sql/driver.ts';
import { systemClock } from '../../../src/kernel/time/index.ts';
import { tempFolder } from '../../support/temp-folder.ts';

const folder = tempFolder();
const open = (path: string): Promise<Database> => openDatabase(path, { clock: systemClock(), busyTimeoutMs: 1000 });
const coded = (code: string) => expect.objectContaining({ code, message: expect.stringContaining(folder.path) });

let db: Database;

/** The same database with room for little more than its tables. */
function makeSmall(): void {
  db.close();
  const connection = connectSqlite(folder.at('a.db'));
  connection.exec('PRAGMA max_page_count = 20');
  db = new SqliteDatabase({ path: folder.at('a.db'), access: 'write', connection, clock: systemClock(), busyTimeoutMs: 1000 });
}

/** In the middle of writing, until its transaction is ended. */
function writerOn(path: string): Connection {
  const connection = connectSqlite(path);
  connection.exec('BEGIN IMMEDIATE');
  return connection;
}

beforeEach(async () => {
  db = await open(folder.at('a.db'));
  db.run('CREATE TABLE t (id INTEGER PRIMARY KEY, name TEXT UNIQUE, parent INTEGER REFERENCES t (id))');
});

afterEach(() => {
  db.close();
});

describe('statements', () => {
  test('take and give every kind of value', () => {
    db.run('CREATE TABLE v (a, b, c, d, e, f)');
    const values = [null, 1.5, -7, 9_007_199_254_740_991, "ü'\n\u{1f600}", new Uint8Array([0, 1, 255])];
    db.run('INSERT INTO v VALUES (?, ?, ?, ?, ?, ?)', values);
    const [row = {}] = db.query('SELECT * FROM v');
    expect(Object.values(row)).toEqual(values);
  });

  test('keep what stands behind a NUL in a text', () => {
    db.run('INSERT INTO t (name) VALUES (?)', ['a\0b\0']);
    expect(db.query('SELECT name, length(name) AS size FROM t WHERE name = ?', ['a\0b\0'])).toEqual([{ name: 'a\u2400b\u2400', size: 4 }]);
  });

  test('say how many rows they changed', () => {
    expect(db.run("INSERT INTO t (name) VALUES ('a'), ('b')")).toEqual({ changes: 2 });
    expect(db.run("UPDATE t SET name = 'c' WHERE name = 'none'")).toEqual({ changes: 0 });
    expect(db.query("INSERT INTO t (name) VALUES ('d') RETURNING id")).toEqual([{ id: 3 }]);
  });

  test('are kept ready, also when the table changes', () => {
    db.run("INSERT INTO t (name) VALUES ('a')");
    const names = (): unknown => db.query('SELECT id, name FROM t');
    expect(names()).toEqual([{ id: 1, name: 'a' }]);
    db.run('ALTER TABLE t ADD COLUMN extra');
    db.run("UPDATE t SET extra = 'x', name = 'b'");
    expect(names()).toEqual([{ id: 1, name: 'b' }]);
  });

  test('may be more than are kept ready', () => {
    for (let round = 0; round < 1200; round += 1) expect(db.query(`SELECT ${round} AS n`)).toEqual([{ n: round }]);
    expect(db.query('SELECT 0 AS n')).toEqual([{ n: 0 }]);
  });

  test('are refused when they are several, lack a value, have one of another kind, or act on the connection', () => {
    const odd: readonly (readonly [string, readonly unknown[]])[] = [
      ["INSERT INTO t (name) VALUES ('a'); INSERT INTO t (name) VALUES ('b')", []],
      ['INSERT INTO t (name, parent) VALUES (?, ?)', ['a']],
      ['INSERT INTO t (name) VALUES (?)', [new Date(0)]],
      ['INSERT INTO t (name) VALUES (?)', [undefined]],
      ['INSERT INTO t (name) VALUES (?)', [false]],
      ['COMMIT', []],
      ['PRAGMA synchronous = OFF', []],
      ["ATTACH 'b.db' AS b", []],
    ];
    for (const [sql, params] of odd) {
      const values = params as readonly SqlValue[];
      const refused = expect.objectContaining({ code: 'statement-refused' });
      expect(() => db.run(sql, values)).toThrow(refused);
      expect(() => db.query(sql, values)).toThrow(refused);
      expect(() => db.tx(({ run }) => run(sql, values))).toThrow(refused);
    }
    expect(db.query('SELECT * FROM t')).toEqual([]);
  });

  test('report an integer that a number does not hold as an error of ours', () => {
    db.run('INSERT INTO t (id) VALUES (?)', [2n ** 62n]);
    expect(() => db.query('SELECT id FROM t')).toThrow(coded('database-failed'));
  });

  test('report what the tables do not allow', () => {
    db.run("INSERT INTO t (name) VALUES ('a')");
    expect(() => db.run("INSERT INTO t (name) VALUES ('a')")).toThrow(coded('constraint-failed'));
    expect(() => db.query("INSERT INTO t (name) VALUES ('a') RETURNING id")).toThrow(coded('constraint-failed'));
    expect(() => db.run('INSERT INTO t (parent) VALUES (99)')).toThrow(coded('constraint-failed'));
    const wrong = { code: 'database-failed', message: expect.stringContaining('syntax error') };
    expect(() => db.run('SELECT FROM')).toThrow(expect.objectContaining(wrong));
  });

  test.each(['run', 'query'] as const)('report a full disk by %s', (kind) => {
    makeSmall();
    const fill = (): unknown => db[kind]('INSERT INTO t (name) VALUES (?)', ['x'.repeat(100_000)]);
    expect(fill).toThrow(coded('disk-full'));
    db.run("INSERT INTO t (name) VALUES ('small')");
  });
});

describe('a transaction', () => {
  const names = (): unknown[] => db.query('SELECT name FROM t ORDER BY id').map(({ name }) => name);

  test('stores all, and gives its result', () => {
    const result = db.tx(({ run, query }) => {
      run("INSERT INTO t (name) VALUES ('a')");
      run("INSERT INTO t (name) VALUES ('b')");
      return query('SELECT count(*) AS n FROM t')[0]?.['n'];
    });
    expect(result).toBe(2);
    expect(names()).toEqual(['a', 'b']);
  });

  test('stores nothing when it throws, and passes on what was thrown', () => {
    const reason = new RangeError('no');
    const failing = (): void =>
      db.tx(({ run }) => {
        run("INSERT INTO t (name) VALUES ('a')");
        throw reason;
      });
    expect(failing).toThrow(reason);
    expect(names()).toEqual([]);
    db.tx(({ run }) => run("INSERT INTO t (name) VALUES ('b')"));
    expect(names()).toEqual(['b']);
  });

  test('stores nothing when the disk is full at its end or before', () => {
    makeSmall();
    const filling = (): void =>
      db.tx(({ run }) => {
        for (let row = 0; row < 100; row += 1) run('INSERT INTO t (name) VALUES (?)', [`${row}`.padEnd(2000, 'x')]);
      });
    expect(filling).toThrow(coded('disk-full'));
    expect(names()).toEqual([]);
  });

  test('that the library ended by itself is over, also for who goes on in it', () => {
    makeSmall();
    const goingOn = (): void =>
      db.tx(({ run }) => {
        run("INSERT INTO t (name) VALUES ('first')");
        expect(() => run('INSERT INTO t (name) VALUES (?)', ['x'.repeat(100_000)])).toThrow();
        expect(() => run("INSERT INTO t (name) VALUES ('alone')")).toThrow();
      });
    expect(goingOn).toThrow(coded('disk-full'));
    const rollingBack = (): void =>
      db.tx(({ run }) => {
        run("INSERT INTO t (name) VALUES ('a')");
        expect(() => run("INSERT OR ROLLBACK INTO t (name) VALUES ('a')")).toThrow();
        run("INSERT INTO t (name) VALUES ('alone')");
      });
    expect(rollingBack).toThrow(coded('constraint-failed'));
    expect(names()).toEqual([]);
    db.tx(({ run }) => run("INSERT INTO t (name) VALUES ('b')"));
    expect(names()).toEqual(['b']);
  });

  test('can be ended by a statement that failed inside it, or outlive it', () => {
    db.tx(({ run }) => {
      run("INSERT INTO t (name) VALUES ('a')");
      expect(() => run("INSERT INTO t (name) VALUES ('a')")).toThrow();
      run("INSERT INTO t (name) VALUES ('b')");
    });
    expect(names()).toEqual(['a', 'b']);
  });

  test('is not begun inside another', () => {
    const nested = (): void => db.tx(() => db.tx(() => undefined));
    expect(nested).toThrow(coded('transaction-nested'));
    db.tx(({ run }) => run("INSERT INTO t (name) VALUES ('a')"));
    expect(names()).toEqual(['a']);
  });

  test('does not wait: what returns a promise is rolled back', () => {
    const waiting = (): unknown =>
      db.tx(async ({ run }) => {
        run("INSERT INTO t (name) VALUES ('a')");
        await Promise.resolve();
      });
    expect(waiting).toThrow(coded('transaction-not-synchronous'));
    expect(names()).toEqual([]);
  });

  test('is seen by others only when it is over', async () => {
    const other = await open(folder.at('a.db'));
    db.tx(({ run }) => {
      run("INSERT INTO t (name) VALUES ('a')");
      expect(other.query('SELECT name FROM t')).toEqual([]);
    });
    expect(other.query('SELECT name FROM t')).toEqual([{ name: 'a' }]);
    other.close();
  });
});

describe('another writer', () => {
  /** What `work` meets while another connection is in the middle of writing. */
  async function whileWriting<Result>(work: (waiting: Database) => Result): Promise<Result> {
    const other = await open(folder.at('a.db'));
    try {
      return other.tx(({ run }) => {
        run("INSERT INTO t (name) VALUES ('other')");
        return work(db);
      });
    } finally {
      other.close();
    }
  }

  test('makes a write busy, which leaves nothing behind', async () => {
    await whileWriting((waiting) => {
      expect(() => waiting.run("INSERT INTO t (name) VALUES ('a')")).toThrow(coded('database-busy'));
      expect(() => waiting.tx(() => 'never')).toThrow(coded('database-busy'));
      expect(waiting.query('SELECT count(*) AS n FROM t')).toEqual([{ n: 0 }]);
    });
    db.run("INSERT INTO t (name) VALUES ('a')");
  });

  test('is waited for by txRetry, whose work is not begun before', async () => {
    let calls = 0;
    const retried = await whileWriting((waiting) => {
      const pending = waiting.txRetry(({ query }) => {
        calls += 1;
        return query('SELECT name FROM t');
      });
      return { pending, callsThen: calls };
    });
    expect(retried.callsThen).toBe(0);
    expect(await retried.pending).toEqual([{ name: 'other' }]);
    expect(calls).toBe(1);
  });

  test('is not waited for past the time that was given', async () => {
    let now = 0;
    const clock = { wall: () => 0n, mono: () => (now += 400), boot: () => now };
    const impatient = await openDatabase(folder.at('a.db'), { clock, busyTimeoutMs: 1000 });
    const other = writerOn(folder.at('a.db'));
    await expect(impatient.txRetry(() => 'never')).rejects.toThrow(coded('database-busy'));
    other.exec('ROLLBACK');
    await expect(impatient.txRetry(() => 'now')).resolves.toBe('now');
    other.close();
    impatient.close();
  });

  test('is not waited for after an abort, whose reason is passed on', async () => {
    const stop = new AbortController();
    const other = writerOn(folder.at('a.db'));
    const pending = db.txRetry(() => 'never', { signal: stop.signal });
    const reason = new Error('stopped by SIGINT');
    setImmediate(() => stop.abort(reason));
    await expect(pending).rejects.toBe(reason);
    other.exec('ROLLBACK');
    await expect(db.txRetry(() => 'never', { signal: stop.signal })).rejects.toBe(reason);
    other.close();
  });

  test('that stops opening is waited for as well', async () => {
    const other = writerOn(folder.at('a.db'));
    const schema = { table: 'test_schema_migrations', migrations: [{ id: '1', sql: 'CREATE TABLE x (a)' }] };
    const opening = openDatabase(folder.at('b.db'), { clock: systemClock(), busyTimeoutMs: 1000, schema });
    (await opening).close();
    const held = writerOn(folder.at('b.db'));
    const grown = { ...schema, migrations: [...schema.migrations, { id: '2', sql: 'CREATE TABLE y (a)' }] };
    const second = openDatabase(folder.at('b.db'), { clock: systemClock(), busyTimeoutMs: 5000, schema: grown });
    setImmediate(() => held.exec('ROLLBACK'));
    const db2 = await second;
    expect(db2.query('SELECT * FROM y')).toEqual([]);
    for (const each of [other, held, db2]) each.close();
  });
});

describe('closing', () => {
  test('may be done twice; afterwards every call says so', async () => {
    db.close();
    db.close();
    expect(() => db.run('SELECT 1')).toThrow(coded('database-closed'));
    expect(() => db.query('SELECT 1')).toThrow(coded('database-closed'));
    expect(() => db.tx(() => 1)).toThrow(coded('database-closed'));
    await expect(db.txRetry(() => 1)).rejects.toThrow(coded('database-closed'));
  });

  test('inside a transaction undoes it, and gives the write lock free', async () => {
    const closing = (): void =>
      db.tx(({ run }) => {
        run("INSERT INTO t (name) VALUES ('a')");
        db.close();
      });
    expect(closing).toThrow(coded('database-closed'));
    db = await open(folder.at('a.db'));
    expect(db.query('SELECT * FROM t')).toEqual([]);
    db.run("INSERT INTO t (name) VALUES ('b')");
  });
});

describe('an open database', () => {
  test('is not read either as long as a library keeps the closed file open', () => {
    db.query('SELECT * FROM t');
    db.close();
    const read = (): unknown => readBytes(folder.at('a.db'));
    if (sqliteLibrary().closesStatements) expect(read()).toBeDefined();
    else expect(read).toThrow(expect.objectContaining({ code: 'file-held' }));
  });

  test('is not read by other parts of this process, nor are the files beside it', () => {
    for (const name of ['a.db', 'a.db-wal', 'a.db-shm']) {
      expect(() => readBytes(folder.at(name))).toThrow(expect.objectContaining({ code: 'file-held' }));
    }
    writeFileSync(folder.at('other'), 'x');
    expect(readBytes(folder.at('other')).length).toBe(1);
  });
});
