import { expect, test } from 'vitest';
import { HERE, NOON, openedLedger } from './support.ts';

const SESSION = { ...HERE, id: 's1', unit: 'story-1', attempt: 1, marker: 'm1', logPath: '/repo/log' };
const STARTED = { pid: 12, startTime: '345', bootId: 'b1', layer: 'pid-namespace', containment: 'full' } as const;

test('a session is there before its program is started, and has exactly one end', async () => {
  const { ledger, clock, again } = await openedLedger();
  await ledger.sessions.begin(SESSION);
  const other = await again();
  expect(other.sessions.alive()).toEqual([{ ...SESSION, state: 'starting', startedAt: NOON }]);
  await ledger.sessions.started('s1', STARTED);
  expect(other.sessions.alive()).toEqual([{ ...SESSION, ...STARTED, state: 'running', startedAt: NOON }]);
  clock.pass(1500);
  expect(await ledger.sessions.end('s1', 'completed')).toBe(true);
  clock.pass(1500);
  expect(await other.sessions.end('s1', 'killed')).toBe(false);
  expect(ledger.sessions.alive()).toEqual([]);
  expect(ledger.sessions.since(NOON)).toEqual([
    { ...SESSION, ...STARTED, state: 'ended', startedAt: NOON, endedAt: NOON + 1500, ending: 'completed' },
  ]);
  expect(ledger.sessions.since(NOON + 1)).toEqual([]);
});

test('a begin or a start that is repeated changes nothing', async () => {
  const { ledger, clock } = await openedLedger();
  await ledger.sessions.begin(SESSION);
  await ledger.sessions.started('s1', STARTED);
  clock.pass(10);
  await ledger.sessions.begin({ ...SESSION, marker: 'other' });
  await ledger.sessions.started('s1', { ...STARTED, pid: 99 });
  expect(ledger.sessions.alive()).toEqual([{ ...SESSION, ...STARTED, state: 'running', startedAt: NOON }]);
  await ledger.sessions.end('s1', 'completed');
  await ledger.sessions.started('s1', STARTED);
  expect(ledger.sessions.alive()).toEqual([]);
});

test('a session that nobody began cannot end', async () => {
  const { ledger } = await openedLedger();
  expect(await ledger.sessions.end('nobody', 'completed')).toBe(false);
});
