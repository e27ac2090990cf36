import { existsSync, lstatSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { afterEach, describe, expect, test } from 'vitest';
import { holderNote, isHeld, readHolderNote, takeLock, tryLock, type Lock, type TakeOptions } from '../../../src/kernel/lock/index.ts';
import { connectSqlite } from '../../../src/kernel/sql/index.ts';
import { systemClock } from '../../../src/kernel/time/index.ts';
import { tempFolder } from '../../support/temp-folder.ts';

const folder = tempFolder();
const clock = systemClock();
const taken: Lock[] = [];

async function take(path: string, options: Partial<TakeOptions> = {}): Promise<Lock> {
  const lock = await takeLock(path, { clock, waitMs: 60_000, ...options });
  if (lock === 'held') throw new Error(`${path} is held`);
  taken.push(lock);
  return lock;
}

afterEach(() => {
  for (const lock of taken.splice(0)) lock.release();
});

describe('taking a lock', () => {
  test('at once, when it is free', async () => {
    await take(folder.at('a'));
    expect([isHeld(folder.at('a')), readdirSync(folder.path)]).toEqual([true, ['a']]);
  });

  test('waits for the holder, and lets others of this thread run meanwhile', async () => {
    const first = await take(folder.at('a'));
    const second = take(folder.at('a'));
    let turns = 0;
    const ticking = setInterval(() => {
      turns += 1;
      if (turns === 5) first.release();
    }, 1);
    await second;
    clearInterval(ticking);
    expect(turns).toBeGreaterThanOrEqual(5);
  });

  test('says that it is held when the time is up, or tries once', async () => {
    await take(folder.at('a'));
    expect(await takeLock(folder.at('a'), { clock, waitMs: 0 })).toBe('held');
    let nowMs = 0;
    const hurried = { ...clock, mono: () => (nowMs += 10) };
    expect(await takeLock(folder.at('a'), { clock: hurried, waitMs: 100 })).toBe('held');
    expect(nowMs).toBeGreaterThanOrEqual(100);
  });

  test('ends with the reason of an abort, and takes nothing then', async () => {
    const first = await take(folder.at('a'));
    const stop = new AbortController();
    const waiting = takeLock(folder.at('a'), { clock, waitMs: 60_000, signal: stop.signal });
    stop.abort('stopped');
    await expect(waiting).rejects.toBe('stopped');
    await expect(takeLock(folder.at('b'), { clock, waitMs: 60_000, signal: stop.signal })).rejects.toBe('stopped');
    first.release();
    expect([isHeld(folder.at('a')), existsSync(folder.at('b'))]).toEqual([false, false]);
  });

  test('waits also for those who only look for long, which a single try does not', async () => {
    (await take(folder.at('a'))).release();
    const looker = connectSqlite(folder.at('a'), { readOnly: true });
    looker.exec('BEGIN; SELECT count(*) FROM sqlite_schema');
    expect(() => tryLock(folder.at('a'))).toThrow(expect.objectContaining({ code: 'lock-disturbed' }));
    const waiting = take(folder.at('a'));
    setImmediate(() => looker.close());
    expect((await waiting).path).toBe(folder.at('a'));
    const again = connectSqlite(folder.at('b'), { readOnly: false });
    again.exec('BEGIN; SELECT count(*) FROM sqlite_schema');
    await expect(takeLock(folder.at('b'), { clock, waitMs: 0 })).rejects.toThrow(expect.objectContaining({ code: 'lock-disturbed' }));
    again.close();
  });

  test('does not wait when the file is no lock', async () => {
    writeFileSync(folder.at('a'), 'pid 123\n');
    await expect(takeLock(folder.at('a'), { clock, waitMs: 60_000 })).rejects.toThrow(expect.objectContaining({ code: 'lock-damaged' }));
  });
});

describe('the note about the holder', () => {
  const note = holderNote(clock, 'drover run');

  test('stands beside the lock while it is held, and says who it is', async () => {
    const lock = await take(folder.at('a'), { note });
    expect(readHolderNote(folder.at('a'))).toEqual({ pid: process.pid, command: 'drover run', host: expect.any(String), startedAt: expect.stringMatching(/^\d{4}-.*Z$/) });
    expect(lstatSync(folder.at('a.holder')).mode & 0o777).toBe(0o600);
    lock.release();
    expect(readHolderNote(folder.at('a'))).toBeUndefined();
    expect(readdirSync(folder.path)).toEqual(['a']);
  });

  test('goes with the file of the lock', async () => {
    (await take(folder.at('a'), { note })).release({ remove: true });
    expect(readdirSync(folder.path)).toEqual([]);
  });

  test.each(['', '{', 'null', '{"pid":"1"}', '[1]', 'x'.repeat(10_000)])('that is damaged is none, and decides nothing: %#', async (content) => {
    writeFileSync(folder.at('a.holder'), content);
    expect(readHolderNote(folder.at('a'))).toBeUndefined();
    await take(folder.at('a'), { note });
    expect(readHolderNote(folder.at('a'))).toEqual(note);
  });

  test('of a process that is gone holds nobody up', async () => {
    writeFileSync(folder.at('a.holder'), JSON.stringify({ ...note, pid: process.ppid }));
    expect(await takeLock(folder.at('a'), { clock, waitMs: 0 }).then((lock) => (lock === 'held' ? lock : lock.release()))).toBeUndefined();
  });

  test('replaces a link and does not follow it; where it cannot be written the lock is held all the same', async () => {
    writeFileSync(folder.at('theirs'), 'theirs');
    symlinkSync(folder.at('theirs'), folder.at('a.holder'));
    (await take(folder.at('a'), { note })).release();
    expect(readFileSync(folder.at('theirs'), 'utf8')).toBe('theirs');
    await take(folder.at('b'.repeat(250)), { note });
    expect(isHeld(folder.at('b'.repeat(250)))).toBe(true);
  });
});
