import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { hashFile, hashTree, readBytes, type TreeEntry } from '../../../src/kernel/files/index.ts';
import { tryLock } from '../../../src/kernel/lock/index.ts';
import { connectSqlite, openDatabase } from '../../../src/kernel/sql/index.ts';
import { systemClock } from '../../../src/kernel/time/index.ts';
import { bundledProgram } from '../../support/bundle.ts';
import { asOrdinaryUser } from '../../support/ordinary-user.ts';
import { runNode } from '../../support/run-node.ts';
import { tempFolder } from '../../support/temp-folder.ts';

const folder = tempFolder();
const clock = systemClock();
const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

async function tree(root = folder.path): Promise<TreeEntry[]> {
  const entries: TreeEntry[] = [];
  for await (const entry of hashTree(root, { clock })) entries.push(entry);
  return entries;
}

const skipped = (path: string, reason: string) => ({ kind: 'skipped', path, reason });

describe('hashTree', () => {
  test('hashes every file below, in the order of the bytes', async () => {
    mkdirSync(folder.at('b', 'deep'), { recursive: true });
    mkdirSync(folder.at('empty'));
    for (const path of ['z', 'b/é\n', 'b/deep/-x', 'B']) writeFileSync(folder.at(path), path);
    expect(await tree()).toEqual(['B', 'b/deep/-x', 'b/é\n', 'z'].map((path) => ({ kind: 'file', path, hash: sha256(path), size: BigInt(Buffer.byteLength(path)) })));
  });

  test('follows no link and opens no pipe, and names what it left out', async () => {
    mkdirSync(folder.at('d'));
    symlinkSync('/etc', folder.at('d', 'etc'));
    symlinkSync('/etc/passwd', folder.at('passwd'));
    execFileSync('mkfifo', [folder.at('pipe')]);
    writeFileSync(Buffer.concat([Buffer.from(`${folder.path}/`), Buffer.from([0x61, 0xfe])]), 'x');
    mkdirSync(Buffer.concat([Buffer.from(`${folder.path}/`), Buffer.from([0x62, 0xff])]));
    expect(await tree()).toEqual([
      skipped(String.raw`a\xfe`, 'undecodable'),
      skipped(String.raw`b\xff`, 'undecodable'),
      skipped('d/etc', 'link'),
      skipped('passwd', 'link'),
      skipped('pipe', 'special'),
    ]);
  });

  test('goes on past what it may not read', async () => {
    chmodSync(folder.path, 0o755);
    mkdirSync(folder.at('shut'), { mode: 0o000 });
    writeFileSync(folder.at('secret'), 'x', { mode: 0o000 });
    writeFileSync(folder.at('z'), 'z');
    await asOrdinaryUser(async () => {
      expect(await tree()).toEqual([skipped('secret', 'denied'), skipped('shut', 'denied'), expect.objectContaining({ path: 'z' })]);
    });
  });

  test('needs its root, and ends with its signal', async () => {
    await expect(tree(folder.at('none'))).rejects.toThrow(expect.objectContaining({ code: 'not-found' }));
    writeFileSync(folder.at('f'), '');
    const aborted = hashTree(folder.path, { clock, signal: AbortSignal.abort('no') });
    await expect(aborted.next()).rejects.toBe('no');
  });
});

describe('a state tree in use by this process', () => {
  const lockedElsewhere = bundledProgram(join(import.meta.dirname, 'programs/locked-elsewhere.ts'));
  const others = async (): Promise<unknown> => {
    const { stdout, stderr } = await runNode(lockedElsewhere.file, [folder.at('state.db'), folder.at('lock')]);
    expect(stderr).toBe('');
    return JSON.parse(stdout);
  };
  const schema = { table: 'schema_migrations', migrations: [{ id: '001', sql: 'CREATE TABLE rows (n INTEGER)' }] };

  test('is hashed while a transaction runs and a lock is held, and neither is lost', async () => {
    const database = await openDatabase(folder.at('state.db'), { clock, busyTimeoutMs: 1000, schema });
    const lock = tryLock(folder.at('lock'));
    const connection = connectSqlite(folder.at('state.db'));
    connection.exec('BEGIN IMMEDIATE; INSERT INTO rows VALUES (1)');
    writeFileSync(folder.at('plan.json'), '{}');
    expect(await tree()).toEqual([
      skipped('lock', 'held'),
      { kind: 'file', path: 'plan.json', hash: sha256('{}'), size: 2n },
      skipped('state.db', 'held'),
      skipped('state.db-shm', 'held'),
      skipped('state.db-wal', 'held'),
    ]);
    expect(await others()).toEqual({ canWrite: false, lockHeld: true });
    connection.exec('COMMIT');
    expect(database.query('SELECT n FROM rows')).toEqual([{ n: 1 }]);
    connection.close();
    database.close();
    if (lock !== 'held') lock.release();
    expect(await others()).toEqual({ canWrite: true, lockHeld: false });
  });

  test('keeps a lock that was taken while its file was being hashed', async () => {
    const made = connectSqlite(folder.at('state.db'));
    made.exec('CREATE TABLE rows (n INTEGER)');
    made.close();
    writeFileSync(folder.at('lock'), '');
    let connection: ReturnType<typeof connectSqlite> | undefined;
    // Called when the reading begins, so while the file is open.
    const taking = {
      wall: () => {
        connection = connectSqlite(folder.at('state.db'));
        connection.exec('BEGIN IMMEDIATE; INSERT INTO rows VALUES (2)');
        return clock.wall();
      },
    };
    await hashFile(folder.at('state.db'), { clock: taking });
    expect(await others()).toEqual({ canWrite: false, lockHeld: false });
    expect(() => readBytes(folder.at('state.db'))).toThrow(expect.objectContaining({ code: 'file-held' }));
    connection?.exec('COMMIT');
    connection?.close();
    expect(await others()).toEqual({ canWrite: true, lockHeld: false });
  });
});
