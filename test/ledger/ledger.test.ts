import { existsSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { openDatabase } from '../../src/kernel/sql/index.ts';
import { openLedger } from '../../src/ledger/index.ts';
import { temporaryFolder } from '../support/temp.ts';
import { HERE, mask, openedLedger, stillClock } from './support.ts';

const SESSION = { ...HERE, id: 's1', attempt: 1, marker: 'm', logPath: '/log' };

describe('the ledger', () => {
  test('is a private file', async () => {
    const { path } = await openedLedger();
    expect(statSync(path).mode & 0o777).toBe(0o600);
  });

  test('can be read without being made', async () => {
    const path = join(temporaryFolder(), 'ledger.db');
    const open = openLedger(path, { clock: stillClock(), readOnly: true, mask });
    await expect(open).rejects.toMatchObject({ code: 'database-missing', message: expect.stringContaining(path) as string });
    expect(existsSync(path)).toBe(false);
  });

  test('that is damaged is refused and left as it is', async () => {
    const path = join(temporaryFolder(), 'ledger.db');
    writeFileSync(path, 'no database at all\n'.repeat(100));
    await expect(openLedger(path, { clock: stillClock(), mask })).rejects.toMatchObject({ code: 'database-damaged' });
    expect(readFileSync(path, 'utf8')).toBe('no database at all\n'.repeat(100));
  });

  test('names a row that holds what nobody writes', async () => {
    const { ledger, path, clock } = await openedLedger();
    await ledger.sessions.begin(SESSION);
    const db = await openDatabase(path, { clock, busyTimeoutMs: 1000 });
    db.run("UPDATE sessions SET state = 'healthy'");
    db.close();
    expect(() => ledger.sessions.since(0)).toThrow('the ledger\'s row "s1" of sessions has state "healthy"');
  });

  test.each([
    ['attempt', "'many'"],
    ['marker', 'x\'00\''],
    ['started_at', '0.5'],
  ])('names a %s of another type', async (column, value) => {
    const { ledger, path, clock } = await openedLedger();
    await ledger.sessions.begin(SESSION);
    const db = await openDatabase(path, { clock, busyTimeoutMs: 1000 });
    db.run(`UPDATE sessions SET ${column} = ${value}`);
    db.close();
    expect(() => ledger.sessions.alive()).toThrow(expect.objectContaining({ code: 'ledger-row-damaged' }));
  });

  test('that was lost stops nothing: the open one goes on, the next one begins anew', async () => {
    const { ledger, path, again } = await openedLedger();
    await ledger.sessions.begin(SESSION);
    for (const ending of ['', '-wal', '-shm']) rmSync(path + ending, { force: true });
    // Several at once find it gone, and the new one holds what each of them wrote.
    const ended = ledger.sessions.end('s1', 'completed');
    await Promise.all(['s2', 's4'].map((id) => ledger.sessions.begin({ ...SESSION, id })));
    expect(await ended).toBe(false);
    expect(ledger.sessions.alive().map(({ id }) => id).sort()).toEqual(['s2', 's4']);
    const next = await again();
    expect(next.sessions.alive().map(({ id }) => id).sort()).toEqual(['s2', 's4']);
    await ledger.sessions.end('s2', 'completed');
    await ledger.sessions.end('s4', 'completed');
    // What it forgot is no error of whoever reports to it.
    expect(await next.sessions.end('s1', 'completed')).toBe(false);
    await next.sessions.started('s1', { pid: 9, startTime: '1', bootId: 'b', layer: 'group', containment: 'partial' });
    await next.holders.leave({ folder: '/r', pid: 9, startTime: '1' });
    await next.asks.withdraw('a1');
    await next.sessions.begin({ ...SESSION, id: 's3' });
    expect(next.sessions.alive().map(({ id }) => id)).toEqual(['s3']);
  });
});

test('words that people read are stored without their secrets', async () => {
  const { ledger, path } = await openedLedger();
  const told = { question: 'Use hunter2?', consequence: 'hunter2 is used', options: ['yes'], subjectHash: '' };
  await ledger.asks.ask({ ...HERE, id: 'a', kind: 'decision', ...told });
  await ledger.sessions.begin(SESSION);
  await ledger.sessions.end('s1', 'failed: hunter2');
  await ledger.cooldowns.set({ provider: 'p', until: Number.MAX_SAFE_INTEGER, reason: 'hunter2 refused' });
  const holder = { ...HERE, folder: '/r', lockPath: '/r/lock', pid: 9, startTime: '1', bootId: 'b', since: 1 };
  await ledger.holders.enter({ ...holder, command: 'run --key hunter2' });
  expect(ledger.asks.open()[0]).toMatchObject({ question: 'Use *******?', consequence: '******* is used' });
  ledger.close();
  const files = ['', '-wal'].filter((ending) => existsSync(path + ending)).map((ending) => readFileSync(path + ending, 'latin1'));
  expect(files.join('')).not.toContain('hunter2');
});
