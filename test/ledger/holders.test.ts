import { expect, test } from 'vitest';
import { HERE, NOON, openedLedger } from './support.ts';

const HOLDER = {
  ...HERE,
  folder: '/repo/.toy/runs/1',
  lockPath: '/repo/.toy/runs/1/lock',
  pid: 4711,
  startTime: '88',
  bootId: 'b1',
  command: 'drover toy run',
  since: NOON,
};

test('a holder is listed from its entry until it leaves, with the moment it was last seen', async () => {
  const { ledger, clock, again } = await openedLedger();
  await ledger.holders.enter(HOLDER);
  clock.pass(5000);
  await ledger.holders.seen(HOLDER);
  expect((await again()).holders.list()).toEqual([{ ...HOLDER, lastSeen: NOON + 5000 }]);
  await ledger.holders.leave(HOLDER);
  expect(ledger.holders.list()).toEqual([]);
});

test('a holder that was followed by another one no longer writes its row, also with the same pid', async () => {
  const { ledger, clock } = await openedLedger();
  const next = { ...HOLDER, startTime: '99', since: NOON + 1 };
  await ledger.holders.enter(HOLDER);
  await ledger.holders.enter(next);
  clock.pass(1000);
  await ledger.holders.seen(HOLDER);
  await ledger.holders.leave(HOLDER);
  expect(ledger.holders.list()).toEqual([{ ...next, lastSeen: NOON }]);
});

test('holders are listed oldest first', async () => {
  const { ledger } = await openedLedger();
  await ledger.holders.enter({ ...HOLDER, folder: '/b', since: 2 });
  await ledger.holders.enter({ ...HOLDER, folder: '/a', since: 3 });
  await ledger.holders.enter({ ...HOLDER, folder: '/c', since: 1 });
  expect(ledger.holders.list().map(({ folder }) => folder)).toEqual(['/c', '/b', '/a']);
});
