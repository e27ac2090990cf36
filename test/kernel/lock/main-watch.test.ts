import { expect, test } from 'vitest';
import { MainWatch } from '../../../src/kernel/lock/main-watch.ts';

const watch = (): MainWatch => new MainWatch({ hungAfterMs: 120_000, ticks: 0, nowMs: 0 });

test('a main thread is hung when it had no turn for so long, and not a moment before', () => {
  const looking = watch();
  for (let second = 1; second <= 120; second += 1) looking.look(0, second * 1000);
  expect([looking.isHung, looking.silentMs]).toEqual([false, 120_000]);
  looking.look(0, 121_000);
  expect(looking.isHung).toBe(true);
});

test('each turn begins the time anew', () => {
  const looking = watch();
  for (let second = 1; second <= 1000; second += 1) looking.look(Math.floor(second / 100), second * 1000);
  expect(looking.isHung).toBe(false);
});

test('the time in which the whole process was stopped is not counted', () => {
  const looking = watch();
  looking.look(0, 1000);
  looking.look(0, 10_000_000);
  expect([looking.isHung, looking.silentMs]).toEqual([false, 3000]);
});

test('it looks more often where less is allowed', () => {
  expect(new MainWatch({ hungAfterMs: 800, ticks: 0, nowMs: 0 }).stepMs).toBe(100);
  expect(watch().stepMs).toBe(1000);
});
