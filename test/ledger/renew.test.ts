import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { holdFile } from '../../src/kernel/files/index.ts';
import { tryLock } from '../../src/kernel/lock/index.ts';
import { systemClock } from '../../src/kernel/time/index.ts';
import { openOrRenewLedger, type LedgerSource } from '../../src/ledger/index.ts';
import { temporaryFolder } from '../support/temp.ts';
import { HERE, mask, NOON, stillClock } from './support.ts';

/** Waits really pass; only the date stands. */
const clock = { ...systemClock(), wall: stillClock().wall };

const SOURCE: LedgerSource = {
  system: 'toy',
  entries: () => [
    { kind: 'session', row: { ...HERE, id: 's1', attempt: 1, marker: 'm', logPath: '/l', state: 'running', startedAt: NOON } },
  ],
};
const GARBAGE = 'no database at all\n'.repeat(500);

async function open(path: string, sources = [SOURCE]) {
  const opened = await openOrRenewLedger(path, { clock, mask, sources });
  onTestFinished(() => opened.ledger.close());
  return opened;
}

describe('a ledger', () => {
  test('that is sound, or new, is opened as it is', async () => {
    const path = join(temporaryFolder(), 'ledger.db');
    const { ledger, setAside } = await open(path);
    expect([setAside, ledger.sessions.alive()]).toEqual([undefined, []]);
  });

  test('that is damaged is kept beside a new one, which tells what the files of the systems tell', async () => {
    const path = join(temporaryFolder(), 'ledger.db');
    writeFileSync(path, GARBAGE);
    const { ledger, setAside = '' } = await open(path);
    expect(setAside).toBe(`${path}.damaged-20260608T120000`);
    expect(readFileSync(setAside, 'utf8')).toBe(GARBAGE);
    expect(ledger.sessions.alive().map(({ id }) => id)).toEqual(['s1']);
  });

  test('damaged again within the same second is kept beside the first one, and beside a part of one', async () => {
    const path = join(temporaryFolder(), 'ledger.db');
    const stamped = `${path}.damaged-20260608T120000`;
    writeFileSync(`${stamped}-2-wal`, 'of a process that ended in the middle');
    for (const [text, aside] of [[GARBAGE, stamped], [`more ${GARBAGE}`, `${stamped}-3`]] as const) {
      writeFileSync(path, text);
      const { ledger, setAside } = await open(path);
      ledger.close();
      for (const part of ['', '-wal', '-shm']) rmSync(path + part, { force: true });
      expect([setAside, readFileSync(aside, 'utf8')]).toEqual([aside, text]);
    }
    expect(readFileSync(stamped, 'utf8')).toBe(GARBAGE);
  });

  test('is moved durably: a test can end the process before and after', async () => {
    const path = join(temporaryFolder(), 'ledger.db');
    writeFileSync(path, GARBAGE);
    vi.stubEnv('DROVER_CRASH_TRACE', join(dirname(path), 'trace'));
    onTestFinished(() => void vi.unstubAllEnvs());
    await open(path);
    const points = readFileSync(join(dirname(path), 'trace'), 'utf8').split('\n');
    expect(points.slice(0, 2)).toEqual(['rename:before', 'rename:after']);
  });

  test('that this process still has open is not moved from under it', async () => {
    const path = join(temporaryFolder(), 'ledger.db');
    writeFileSync(path, GARBAGE);
    const hold = holdFile(path);
    onTestFinished(() => hold?.release());
    await expect(open(path)).rejects.toMatchObject({ code: 'file-held' });
    expect(readFileSync(path, 'utf8')).toBe(GARBAGE);
  });

  test('is made again by one of several that find it damaged', async () => {
    const path = join(temporaryFolder(), 'ledger.db');
    writeFileSync(path, GARBAGE);
    const opened = await Promise.all(Array.from({ length: 5 }, () => open(path)));
    expect(opened.filter(({ setAside }) => setAside !== undefined)).toHaveLength(1);
    expect(readdirSync(dirname(path)).filter((name) => name.includes('damaged'))).toHaveLength(1);
    for (const { ledger } of opened) expect(ledger.sessions.alive()).toHaveLength(1);
  });

  test('that another process makes again for ever is told as busy', async () => {
    const path = join(temporaryFolder(), 'ledger.db');
    writeFileSync(path, GARBAGE);
    const lock = tryLock(`${path}.lock`);
    onTestFinished(() => (lock === 'held' ? undefined : lock.release()));
    const hurried = { ...clock, mono: hurriedHand() };
    await expect(openOrRenewLedger(path, { clock: hurried, mask, sources: [] })).rejects.toMatchObject({ code: 'ledger-busy', message: expect.stringContaining(path) as string });
    expect(readFileSync(path, 'utf8')).toBe(GARBAGE);
  });

  test('whose folder is missing is no damaged one', async () => {
    const path = join(temporaryFolder(), 'missing', 'ledger.db');
    await expect(open(path)).rejects.toMatchObject({ code: 'not-found' });
  });
});

/** Each look is a second later than the one before. */
function hurriedHand(): () => number {
  let now = 0;
  return () => (now += 1000);
}
