import { spawn } from 'node:child_process';
import { chmodSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { describe, expect, test } from 'vitest';
import { openDatabase, type Database } from '../../../src/kernel/sql/index.ts';
import { systemClock } from '../../../src/kernel/time/index.ts';
import { bundledProgram } from '../../support/bundle.ts';
import { runNode } from '../../support/run-node.ts';
import { tempFolder } from '../../support/temp-folder.ts';
import { execOn } from './raw.ts';

const folder = tempFolder();
const program = (name: string) => bundledProgram(join(import.meta.dirname, 'programs', name));
const open = (path: string): Promise<Database> => openDatabase(path, { clock: systemClock(), busyTimeoutMs: 1000 });

describe('many processes', () => {
  const bump = program('bump.ts');

  // Thirty processes are the property; starting them takes most of the time.
  test('create one database at the same moment, and lose no write', { timeout: 60_000 }, async () => {
    const results = await Promise.all(Array.from({ length: 30 }, () => runNode(bump.file, [folder.at('a.db'), '2'])));
    expect(results.map(({ stdout, stderr }) => stdout + stderr)).toEqual(results.map(() => 'done'));
    const db = await open(folder.at('a.db'));
    expect(db.query('SELECT value FROM numbers')).toEqual([{ value: 60 }]);
    expect(db.query('SELECT id FROM test_schema_migrations ORDER BY id')).toEqual([{ id: '001-numbers' }, { id: '002-names' }]);
    expect(db.query('SELECT integrity_check FROM pragma_integrity_check')).toEqual([{ integrity_check: 'ok' }]);
    db.close();
    expect(statSync(folder.at('a.db')).mode & 0o777).toBe(0o600);
  });
});

describe('a process that is killed while it writes', () => {
  const writer = program('write-until-killed.ts');

  test('leaves every row that it was told is stored', async () => {
    const child = spawn(process.execPath, [writer.file, folder.at('a.db')], { stdio: ['ignore', 'pipe', 'inherit'] });
    let told = 0;
    for await (const line of createInterface(child.stdout)) {
      told = Number(line);
      if (told === 200) child.kill('SIGKILL');
    }
    const db = await open(folder.at('a.db'));
    const [row = {}] = db.query('SELECT count(*) AS rows, max(value) AS last FROM t');
    expect(row['rows']).toBe(row['last']);
    expect(Number(row['last'])).toBeGreaterThanOrEqual(told);
    expect(db.query('SELECT integrity_check FROM pragma_integrity_check')).toEqual([{ integrity_check: 'ok' }]);
    db.close();
  });
});

describe('a process that ends', () => {
  const look = program('close-and-look.ts');

  test('leaves the database alone in its folder', async () => {
    const { stdout, stderr } = await runNode(look.file, [folder.at('a.db')]);
    expect([JSON.parse(stdout), stderr]).toEqual([['a.db', 'a.db-shm', 'a.db-wal'], '']);
    expect(readdirSync(folder.path)).toEqual(['a.db']);
    expect(readFileSync(folder.at('a.db')).includes('kept')).toBe(true);
  });
});

describe('a user without the rights', () => {
  const nobody = program('open-as-nobody.ts');

  async function openAsNobody(path: string, access: 'read' | 'write'): Promise<unknown> {
    chmodSync(folder.path, 0o755);
    chmodSync(dirname(nobody.file), 0o755);
    const { stdout, stderr } = await runNode(nobody.file, [path, access]);
    return stderr === '' ? JSON.parse(stdout) : stderr;
  }

  /** A database with one row in a folder of its own, whose folder is made read-only. */
  async function readOnlyProject(fileMode: number): Promise<string> {
    const path = folder.at('project', 'a.db');
    mkdirSync(folder.at('project'));
    const db = await open(path);
    db.run('CREATE TABLE t (value)');
    db.run("INSERT INTO t VALUES ('x')");
    execOn(path, 'PRAGMA wal_checkpoint(TRUNCATE)');
    db.close();
    // This process may keep them open until it ends; the reader shall find what a closed database leaves.
    for (const suffix of ['-wal', '-shm']) rmSync(`${path}${suffix}`, { force: true });
    chmodSync(path, fileMode);
    chmodSync(dirname(path), 0o555);
    return path;
  }

  test('reads a database whose folder cannot be written, and is told that it is frozen', async () => {
    const path = await readOnlyProject(0o644);
    expect(await openAsNobody(path, 'read')).toEqual({ access: 'frozen', rows: 1 });
    expect(readdirSync(dirname(path))).toEqual(['a.db']);
    chmodSync(dirname(path), 0o755);
  });

  test('is told which place it cannot write', async () => {
    const path = await readOnlyProject(0o666);
    const denied = (place: string) => ({ code: 'permission-denied', message: `cannot write ${place}: permission denied` });
    expect(await openAsNobody(path, 'write')).toEqual(denied(dirname(path)));
    chmodSync(path, 0o444);
    expect(await openAsNobody(path, 'write')).toEqual(denied(path));
    chmodSync(dirname(path), 0o755);
  });

  test('is told which file it cannot read or make', async () => {
    const path = await readOnlyProject(0o600);
    chmodSync(path, 0o000);
    const missing = folder.at('project', 'none.db');
    expect(await openAsNobody(path, 'read')).toEqual({ code: 'permission-denied', message: `cannot read ${path}: permission denied` });
    expect(await openAsNobody(missing, 'read')).toMatchObject({ code: 'database-missing' });
    expect(await openAsNobody(missing, 'write')).toEqual({
      code: 'permission-denied',
      message: `cannot create ${missing}: permission denied`,
    });
    chmodSync(dirname(path), 0o755);
  });

  test('reads beside a writer that is at work', async () => {
    mkdirSync(folder.at('project'));
    const path = folder.at('project', 'a.db');
    const db = await open(path);
    db.run('CREATE TABLE t (value)');
    db.run("INSERT INTO t VALUES ('x')");
    for (const suffix of ['', '-wal', '-shm']) chmodSync(path + suffix, 0o644);
    chmodSync(dirname(path), 0o555);
    expect(await openAsNobody(path, 'read')).toEqual({ access: 'read', rows: 1 });
    chmodSync(dirname(path), 0o755);
    db.close();
  });

  test('is not given less than what was stored', async () => {
    const path = await readOnlyProject(0o644);
    chmodSync(dirname(path), 0o755);
    writeFileSync(`${path}-wal`, 'what a killed writer left');
    chmodSync(dirname(path), 0o555);
    expect(await openAsNobody(path, 'read')).toMatchObject({ code: 'database-unfinished', message: expect.stringContaining(`${path}-wal`) });
    chmodSync(dirname(path), 0o755);
  });
});
