import { rmSync } from 'node:fs';
import { expect, test } from 'vitest';
import { fillLedger, type LedgerEntry, type LedgerSource } from '../../src/ledger/index.ts';
import { HERE, NOON, openedLedger } from './support.ts';

const ENTRIES: readonly LedgerEntry[] = [
  {
    kind: 'holder',
    row: { ...HERE, folder: '/r', lockPath: '/r/lock', pid: 9, startTime: '1', bootId: 'b', command: 'x', since: 1, lastSeen: 2 },
  },
  { kind: 'session', row: { ...HERE, id: 's1', attempt: 1, marker: 'm', logPath: '/l', state: 'ended', startedAt: 1, endedAt: 2, ending: 'ok' } },
  {
    kind: 'spend',
    row: { ...HERE, id: 'u1', provider: 'p', model: 'm', inputTokens: 1, outputTokens: 2, cachedTokens: 3, costMicros: 4, at: NOON },
  },
  { kind: 'budget', row: { id: 'day', since: 0, limitMicros: 8 } },
  { kind: 'cooldown', row: { provider: 'p', until: NOON + 1, reason: '429', since: NOON } },
  {
    kind: 'ask',
    row: {
      ...HERE,
      id: 'a1',
      kind: 'park',
      question: 'What now?',
      options: ['retry'],
      consequence: 'it waits',
      subjectHash: '',
      state: 'open',
      openedAt: NOON,
    },
  },
  {
    kind: 'delivery',
    row: { id: 'n/file', notice: 'n', channel: 'file', body: '{}', state: 'delivered', attempts: 1, due: 0, at: 0 },
  },
];
const SOURCE: LedgerSource = { system: 'toy', entries: () => ENTRIES };

test('every row of a lost ledger is made again from the files of the systems', async () => {
  const { ledger, path, again } = await openedLedger();
  expect(await fillLedger(ledger, [SOURCE])).toBe(ENTRIES.length);
  const before = everything(ledger);
  for (const ending of ['', '-wal', '-shm']) rmSync(path + ending, { force: true });
  const anew = await again();
  expect(anew.asks.open()).toEqual([]);
  await fillLedger(anew, [SOURCE]);
  expect(everything(anew)).toEqual(before);
  expect(before.map((rows) => rows.length)).toEqual(ENTRIES.map(() => 1));
});

test('a row that is there stays as it is', async () => {
  const { ledger } = await openedLedger();
  await fillLedger(ledger, [SOURCE]);
  await ledger.asks.answer({ id: 'a1', option: 'retry', subjectHash: '', by: 'ada' });
  expect(await fillLedger(ledger, [SOURCE])).toBe(0);
  expect(ledger.asks.find('a1')?.state).toBe('answered');
});

test('a source that fails leaves the ledger as it was', async () => {
  const { ledger } = await openedLedger();
  const broken: LedgerSource = {
    system: 'broken',
    async *entries() {
      yield* ENTRIES;
      await Promise.reject(new Error('unreadable'));
    },
  };
  await expect(fillLedger(ledger, [SOURCE, broken])).rejects.toThrow('unreadable');
  expect(everything(ledger).flat()).toEqual([]);
});

type Opened = Awaited<ReturnType<typeof openedLedger>>['ledger'];

/** All tables as they are stored, the one of migrations left out. */
function everything({ pages: { db } }: Opened) {
  const tables = db.query("SELECT name FROM sqlite_master WHERE type = 'table' AND name <> 'ledger_migrations' ORDER BY name");
  return tables.map(({ name }) => db.query(`SELECT '${String(name)}' AS "table", * FROM ${String(name)}`));
}
