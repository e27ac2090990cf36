import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { readBytes } from '../../../src/kernel/files/index.ts';
import { openDatabase, type Database, type OpenOptions } from '../../../src/kernel/sql/index.ts';
import { systemClock } from '../../../src/kernel/time/index.ts';
import { tempFolder } from '../../support/temp-folder.ts';
import { execOn } from './raw.ts';

const folder = tempFolder();
const FIRST = { id: '001-runs', sql: 'CREATE TABLE runs (id TEXT PRIMARY KEY); CREATE INDEX runs_id ON runs (id);' };
const SECOND = { id: '002-logs', sql: "ALTER TABLE runs ADD COLUMN log TEXT NOT NULL DEFAULT ''" };
const TABLE = 'test_schema_migrations';
const withSchema = (...migrations: readonly { id: string; sql: string }[]) => ({ schema: { table: TABLE, migrations } });

function open(path: string, options: Partial<OpenOptions> = {}): Promise<Database> {
  return openDatabase(path, { clock: systemClock(), busyTimeoutMs: 1000, ...options });
}

async function closing(path: string, options?: Partial<OpenOptions>): Promise<void> {
  (await open(path, options)).close();
}

function pragma(db: Database, name: string): unknown {
  return Object.values(db.query(`SELECT * FROM pragma_${name}`)[0] ?? {})[0];
}

describe('a database that is opened', () => {
  test('is made for its owner alone, with the files beside it', async () => {
    const db = await open(folder.at('state.db'));
    db.run('CREATE TABLE t (a)');
    const modes = readdirSync(folder.path).map((name) => [name, statSync(folder.at(name)).mode & 0o777]);
    expect(modes).toEqual([['state.db', 0o600], ['state.db-shm', 0o600], ['state.db-wal', 0o600]]);
    db.close();
  });

  test('has every setting on every connection', async () => {
    const [first, second] = [await open(folder.at('a.db')), await open(folder.at('a.db'))];
    for (const db of [first, second]) {
      const found = ['journal_mode', 'synchronous', 'foreign_keys', 'busy_timeout'].map((name) => pragma(db, name));
      expect(found).toEqual(['wal', 2, 1, 25]);
      db.close();
    }
  });

  test('has its absolute path, whatever is in its name', async () => {
    for (const name of ['file:a?mode=memory', 'ä b%20c#d?e', "quote'\""]) {
      const db = await open(folder.at(name));
      db.run('CREATE TABLE t (a)');
      expect(db.path).toBe(folder.at(name));
      db.close();
      const again = await open(folder.at(name), { readOnly: true });
      expect(again.query('SELECT * FROM t')).toEqual([]);
      again.close();
      expect(statSync(folder.at(name)).size).toBeGreaterThan(0);
    }
  });
});

describe('a schema', () => {
  test('is applied in order, once, with a record of when', async () => {
    const clock = { wall: () => 1_780_920_000_000_000_000n, mono: () => 0, boot: () => 0 };
    await closing(folder.at('a.db'), { ...withSchema(FIRST, SECOND), clock });
    const db = await open(folder.at('a.db'), withSchema(FIRST, SECOND));
    expect(db.query(`SELECT * FROM ${TABLE}`)).toEqual([
      { id: '001-runs', applied_at: '2026-06-08T12:00:00Z' },
      { id: '002-logs', applied_at: '2026-06-08T12:00:00Z' },
    ]);
    db.run("INSERT INTO runs (id) VALUES ('x')");
    expect(db.query('SELECT * FROM runs')).toEqual([{ id: 'x', log: '' }]);
    db.close();
  });

  test('grows with a later version, and keeps what was stored', async () => {
    const before = await open(folder.at('a.db'), withSchema(FIRST));
    before.run("INSERT INTO runs (id) VALUES ('old')");
    before.close();
    const after = await open(folder.at('a.db'), withSchema(FIRST, SECOND));
    expect(after.query('SELECT * FROM runs')).toEqual([{ id: 'old', log: '' }]);
    after.close();
  });

  test('that fails half way leaves the change before it, and nothing of its own', async () => {
    const broken = { id: '002-broken', sql: 'CREATE TABLE half (a); CREATE TABLE runs (b);' };
    await expect(open(folder.at('a.db'), withSchema(FIRST, broken))).rejects.toMatchObject({
      code: 'database-failed',
      message: expect.stringContaining('runs already exists'),
    });
    const db = await open(folder.at('a.db'), withSchema(FIRST));
    expect(db.query("SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name")).toEqual([{ name: 'runs' }, { name: TABLE }]);
    db.close();
  });

  test('of a newer version is refused, and the file stays as it is', async () => {
    await closing(folder.at('a.db'), withSchema(FIRST, SECOND));
    const bytes = readFileSync(folder.at('a.db'));
    for (const readOnly of [true, false]) {
      await expect(open(folder.at('a.db'), { ...withSchema(FIRST), readOnly })).rejects.toMatchObject({
        code: 'database-newer',
        message: `${folder.at('a.db')} was written by a newer version: it has the unknown change "002-logs"`,
      });
    }
    expect(readFileSync(folder.at('a.db')).equals(bytes)).toBe(true);
  });

  test('of an older version is not changed by a reader', async () => {
    await closing(folder.at('a.db'), withSchema(FIRST));
    const bytes = readFileSync(folder.at('a.db'));
    await expect(open(folder.at('a.db'), { ...withSchema(FIRST, SECOND), readOnly: true })).rejects.toMatchObject({
      code: 'database-outdated',
      message: expect.stringContaining('002-logs'),
    });
    expect(readFileSync(folder.at('a.db')).equals(bytes)).toBe(true);
  });

  test('may have a table with any name', async () => {
    const table = 'odd "name"; DROP TABLE x';
    await closing(folder.at('a.db'), { schema: { table, migrations: [FIRST] } });
    await closing(folder.at('a.db'), { schema: { table, migrations: [FIRST] } });
  });
});

describe('a file that is not ours', () => {
  test.each([
    ['text', 'pid 123\n'],
    ['a long text', 'not a database at all\n'.repeat(1000)],
    ['a header alone', 'SQLite format 3\0'],
    ['zeros', '\0'.repeat(8192)],
  ])('of %s is damaged, never empty', async (_, content) => {
    writeFileSync(folder.at('a.db'), content);
    for (const readOnly of [true, false]) {
      await expect(open(folder.at('a.db'), { ...withSchema(FIRST), readOnly })).rejects.toMatchObject({
        code: 'database-damaged',
        message: expect.stringContaining(folder.at('a.db')),
        remedy: expect.stringContaining('move the file aside and keep it'),
      });
    }
    expect(readFileSync(folder.at('a.db'), 'utf8')).toBe(content);
    expect(readdirSync(folder.path)).toEqual(['a.db']);
  });

  test('but of another program is refused, and stays as it is', async () => {
    execOn(folder.at('a.db'), 'CREATE TABLE bookmarks (url)');
    const bytes = readFileSync(folder.at('a.db'));
    for (const readOnly of [true, false]) {
      await expect(open(folder.at('a.db'), { ...withSchema(FIRST), readOnly })).rejects.toMatchObject({ code: 'database-foreign' });
    }
    expect(readFileSync(folder.at('a.db')).equals(bytes)).toBe(true);
  });

  test('although its table has our name is refused as well', async () => {
    const other = await open(folder.at('a.db'));
    other.run(`CREATE TABLE ${TABLE} (version INTEGER)`);
    other.close();
    await expect(open(folder.at('a.db'), withSchema(FIRST))).rejects.toMatchObject({ code: 'database-foreign' });
  });

  test('with a damaged page says so when it is read', async () => {
    const db = await open(folder.at('a.db'), withSchema(FIRST));
    db.tx(({ run }) => {
      for (let row = 0; row < 2000; row += 1) run('INSERT INTO runs (id) VALUES (?)', [`${row}`.padStart(60, 'x')]);
    });
    execOn(folder.at('a.db'), 'PRAGMA wal_checkpoint(TRUNCATE)');
    db.close();
    const bytes = readFileSync(folder.at('a.db'));
    writeFileSync(folder.at('b.db'), bytes.fill(0xff, 10 * 4096));
    const again = await open(folder.at('b.db'), withSchema(FIRST));
    expect(() => again.query('SELECT id FROM runs ORDER BY rowid')).toThrow(expect.objectContaining({ code: 'database-damaged' }));
    again.close();
  });
});

describe('a place that cannot be opened', () => {
  test('is named', async () => {
    mkdirSync(folder.at('d'));
    symlinkSync('real.db', folder.at('link.db'));
    const missing = folder.at('none', 'a.db');
    await expect(open(missing)).rejects.toMatchObject({ code: 'not-found', message: expect.stringContaining(missing) });
    for (const readOnly of [true, false]) {
      await expect(open(folder.at('d'), { readOnly })).rejects.toMatchObject({ code: 'not-a-file' });
      await expect(open('/dev/null', { readOnly })).rejects.toMatchObject({ code: 'not-a-regular-file' });
      await expect(open(folder.at('link.db'), { readOnly })).rejects.toMatchObject({ code: 'symlink-refused' });
    }
    expect(existsSync(folder.at('real.db'))).toBe(false);
  });
});

describe('reading only', () => {
  test('reports what is missing and makes nothing', async () => {
    await expect(open(folder.at('a.db'), { readOnly: true })).rejects.toMatchObject({
      code: 'database-missing',
      message: expect.stringContaining(folder.at('a.db')),
    });
    expect(readdirSync(folder.path)).toEqual([]);
  });

  test('takes a database that nobody has filled yet for missing', async () => {
    writeFileSync(folder.at('a.db'), '');
    await expect(open(folder.at('a.db'), { ...withSchema(FIRST), readOnly: true })).rejects.toMatchObject({ code: 'database-missing' });
    expect(statSync(folder.at('a.db')).size).toBe(0);
  });

  test('keeps the rest of this process from the file, and from those beside it', async () => {
    await closing(folder.at('a.db'), withSchema(FIRST));
    const reader = await open(folder.at('a.db'), { readOnly: true });
    for (const name of ['a.db', 'a.db-wal', 'a.db-shm']) {
      expect(() => readBytes(folder.at(name))).toThrow(expect.objectContaining({ code: 'file-held' }));
    }
    reader.close();
  });

  test('sees what a writer stores meanwhile, and cannot write', async () => {
    const writer = await open(folder.at('a.db'), withSchema(FIRST));
    const reader = await open(folder.at('a.db'), { ...withSchema(FIRST), readOnly: true });
    expect([writer.access, reader.access]).toEqual(['write', 'read']);
    writer.run("INSERT INTO runs (id) VALUES ('x')");
    expect(reader.query('SELECT id FROM runs')).toEqual([{ id: 'x' }]);
    expect(reader.tx(({ query }) => query('SELECT id FROM runs'))).toEqual([{ id: 'x' }]);
    expect(() => reader.run("INSERT INTO runs (id) VALUES ('y')")).toThrow(expect.objectContaining({ code: 'database-failed' }));
    writer.close();
    reader.close();
  });
});

test('modes of an existing file are left to its owner', async () => {
  await closing(folder.at('a.db'));
  chmodSync(folder.at('a.db'), 0o644);
  await closing(folder.at('a.db'));
  expect(statSync(folder.at('a.db')).mode & 0o777).toBe(0o644);
});
