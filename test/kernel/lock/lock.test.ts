import { chmodSync, existsSync, readdirSync, readFileSync, renameSync, statSync, symlinkSync, unlinkSync, writeFileSync } from 'node:fs';
import { afterEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { readBytes, replaceFile } from '../../../src/kernel/files/index.ts';
import { isHeld, tryLock, type Lock } from '../../../src/kernel/lock/index.ts';
import { connectSqlite } from '../../../src/kernel/sql/index.ts';
import { asOrdinaryUser } from '../../support/ordinary-user.ts';
import { tempFolder } from '../../support/temp-folder.ts';

const folder = tempFolder();
const coded = (code: string, part = folder.path) => expect.objectContaining({ code, message: expect.stringContaining(part) });
const taken: Lock[] = [];

function take(path: string): Lock {
  const lock = tryLock(path);
  if (lock === 'held') throw new Error(`${path} is held`);
  taken.push(lock);
  return lock;
}

afterEach(() => {
  for (const lock of taken.splice(0)) lock.release();
});

describe('a lock', () => {
  test('is taken once, and free again after its release', () => {
    const lock = take(folder.at('run.lock'));
    expect(lock.path).toBe(folder.at('run.lock'));
    expect(tryLock(folder.at('run.lock'))).toBe('held');
    expect(isHeld(folder.at('run.lock'))).toBe(true);
    lock.release();
    expect(isHeld(folder.at('run.lock'))).toBe(false);
    take(folder.at('run.lock'));
  });

  test('is an empty file for its owner alone, with nothing beside it', () => {
    take(folder.at('run.lock'));
    expect(readdirSync(folder.path)).toEqual(['run.lock']);
    expect([statSync(folder.at('run.lock')).size, statSync(folder.at('run.lock')).mode & 0o777]).toEqual([0, 0o600]);
  });

  test('is told from every other file, and from a later one at its path', () => {
    const identities = [folder.at('a'), folder.at('b'), folder.at('a')].map((path) => {
      const lock = take(path);
      lock.release({ remove: true });
      return lock.identity;
    });
    expect(new Set(identities).size).toBe(3);
    const again = [0, 1].map(() => {
      const lock = take(folder.at('c'));
      lock.release();
      return lock.identity;
    });
    expect(again[0]).toBe(again[1]);
  });

  test('is not another lock', () => {
    take(folder.at('a'));
    take(folder.at('b'));
    expect(isHeld(folder.at('c'))).toBe(false);
  });

  test('stays taken while it is looked at, and after a failed taking', () => {
    take(folder.at('a'));
    for (let round = 0; round < 20; round += 1) {
      expect(isHeld(folder.at('a'))).toBe(true);
      expect(tryLock(folder.at('a'))).toBe('held');
    }
  });

  test('is released once: a second release does not touch who took it next', () => {
    const first = take(folder.at('a'));
    first.release();
    take(folder.at('a'));
    first.release();
    first.release({ remove: true });
    expect(isHeld(folder.at('a'))).toBe(true);
  });
});

describe('a holder', () => {
  const lost = coded('lock-lost', folder.at('a'));

  test('is told when its file was taken away, and another one holds the next', () => {
    const lock = take(folder.at('a'));
    lock.confirm();
    unlinkSync(folder.at('a'));
    expect(() => lock.confirm()).toThrow(lost);
    take(folder.at('a'));
    expect(() => lock.confirm()).toThrow(lost);
  });

  test('is told when it gave the lock free, and when its file was moved', () => {
    const lock = take(folder.at('a'));
    renameSync(folder.at('a'), folder.at('b'));
    expect(() => lock.confirm()).toThrow(lost);
    renameSync(folder.at('b'), folder.at('a'));
    lock.confirm();
    lock.release();
    expect(() => lock.confirm()).toThrow(lost);
  });
});

describe('a release with the file', () => {
  test('removes it, and the lock can be taken anew', () => {
    take(folder.at('a')).release({ remove: true });
    expect(readdirSync(folder.path)).toEqual([]);
    expect(isHeld(folder.at('a'))).toBe(false);
    take(folder.at('a'));
  });

  test('does not mind that it is gone', () => {
    const lock = take(folder.at('a'));
    unlinkSync(folder.at('a'));
    lock.release({ remove: true });
    expect(isHeld(folder.at('a'))).toBe(false);
  });

  test('leaves what somebody put in its place', () => {
    const lock = take(folder.at('a'));
    unlinkSync(folder.at('a'));
    const next = take(folder.at('a'));
    lock.release({ remove: true });
    expect(isHeld(folder.at('a'))).toBe(true);
    next.release();
  });

  test('frees the lock also when the file cannot be removed', async () => {
    const lock = take(folder.at('a'));
    chmodSync(folder.path, 0o555);
    await asOrdinaryUser(() => expect(() => lock.release({ remove: true })).toThrow(coded('permission-denied', folder.at('a'))));
    chmodSync(folder.path, 0o755);
    expect(isHeld(folder.at('a'))).toBe(false);
  });
});

test('removing a lock file is a point at which a test can end the process', () => {
  vi.stubEnv('DROVER_CRASH_TRACE', folder.at('trace'));
  onTestFinished(() => void vi.unstubAllEnvs());
  take(folder.at('run.lock')).release({ remove: true });
  expect(readFileSync(folder.at('trace'), 'utf8')).toBe('lock-remove:before\nlock-remove:after\n');
});

describe('looking', () => {
  test('makes nothing, and leaves a free lock free', () => {
    expect(isHeld(folder.at('none'))).toBe(false);
    expect(isHeld(folder.at('none', 'deep'))).toBe(false);
    expect(readdirSync(folder.path)).toEqual([]);
    take(folder.at('a')).release();
    expect(isHeld(folder.at('a'))).toBe(false);
    take(folder.at('a'));
  });

  test('by others that never ends keeps nobody out who takes it, but is told apart from a holder', () => {
    take(folder.at('a')).release();
    const looker = connectSqlite(folder.at('a'), { readOnly: true });
    looker.exec('BEGIN; SELECT count(*) FROM sqlite_schema');
    expect(isHeld(folder.at('a'))).toBe(false);
    expect(() => tryLock(folder.at('a'))).toThrow(coded('lock-disturbed'));
    looker.close();
    take(folder.at('a'));
  });
});

describe('a file that is no lock', () => {
  test.each(['pid 123\n', 'x'.repeat(5000), '\0'.repeat(4096)])('is an error, never free: %#', (content) => {
    writeFileSync(folder.at('a'), content);
    expect(() => isHeld(folder.at('a'))).toThrow(coded('lock-damaged', folder.at('a')));
    expect(() => tryLock(folder.at('a'))).toThrow(coded('lock-damaged', folder.at('a')));
    expect(statSync(folder.at('a')).size).toBe(content.length);
  });

  test('nor is a link, a folder, a device, or a place that is not there', () => {
    symlinkSync('real', folder.at('link'));
    for (const [path, code] of [[folder.at('link'), 'symlink-refused'], [folder.path, 'not-a-file'], ['/dev/null', 'not-a-regular-file']]) {
      expect(() => isHeld(path ?? '')).toThrow(coded(code ?? '', path));
      expect(() => tryLock(path ?? '')).toThrow(coded(code ?? '', path));
    }
    expect(() => tryLock(folder.at('none', 'a'))).toThrow(coded('not-found', folder.at('none', 'a')));
    expect(existsSync(folder.at('real'))).toBe(false);
  });
});

test('a lock that is held is neither read nor replaced by this process', async () => {
  const lock = take(folder.at('a'));
  expect(() => readBytes(folder.at('a'))).toThrow(coded('file-held'));
  await expect(replaceFile(folder.at('a'), 'x')).rejects.toThrow(coded('file-held'));
  lock.release();
  expect(readBytes(folder.at('a')).length).toBe(0);
});

test('a lock can be looked at where nothing can be written', () => {
  take(folder.at('a'));
  chmodSync(folder.path, 0o555);
  expect(isHeld(folder.at('a'))).toBe(true);
  chmodSync(folder.path, 0o755);
});
