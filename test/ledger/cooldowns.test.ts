import { expect, test } from 'vitest';
import { NOON, openedLedger } from './support.ts';

test('a provider is left alone until its moment; an earlier end does not shorten that', async () => {
  const { ledger, clock } = await openedLedger();
  const { cooldowns } = ledger;
  await cooldowns.set({ provider: 'claude', until: NOON + 60_000, reason: 'rate limit' });
  await cooldowns.set({ provider: 'claude', until: NOON + 1000, reason: 'overloaded' });
  await cooldowns.set({ provider: 'codex', until: NOON + 500, reason: '429' });
  expect(cooldowns.active().map(({ provider, reason }) => [provider, reason])).toEqual([
    ['codex', '429'],
    ['claude', 'rate limit'],
  ]);
  clock.pass(500);
  expect(cooldowns.active()).toEqual([{ provider: 'claude', until: NOON + 60_000, reason: 'rate limit', since: NOON }]);
  await cooldowns.set({ provider: 'claude', until: NOON + 90_000, reason: 'again' });
  expect(cooldowns.active()).toEqual([{ provider: 'claude', until: NOON + 90_000, reason: 'again', since: NOON + 500 }]);
  await cooldowns.clear('claude');
  expect(cooldowns.active()).toEqual([]);
});
