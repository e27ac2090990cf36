import { describe, expect, test } from 'vitest';
import { carriedWall } from '../../../src/kernel/time/clock.ts';
import { formatRfc3339, systemClock } from '../../../src/kernel/time/index.ts';

const MS = 1_000_000n;

/** Hands that a test moves: true time in nanoseconds, and what was added by setting the clock. */
function hands() {
  const state = { time: 5_000n * MS + 300_000n, fine: 77n, set: 0n };
  return {
    read: carriedWall({ coarse: () => ((state.time + state.set) / MS) * MS, fine: () => state.fine }),
    pass(nanoseconds: bigint) {
      state.time += nanoseconds;
      state.fine += nanoseconds;
    },
    sleep(nanoseconds: bigint) {
      state.time += nanoseconds;
    },
    setClock(nanoseconds: bigint) {
      state.set += nanoseconds;
    },
  };
}

describe('the wall', () => {
  test('has nanoseconds between the milliseconds that the system tells', () => {
    const clock = hands();
    const first = clock.read();
    clock.pass(1n);
    expect(clock.read()).toBe(first + 1n);
    clock.pass(10n ** 15n + 5n);
    expect(clock.read()).toBe(first + 10n ** 15n + 6n);
  });

  test('does not go back where a millisecond ends', () => {
    const clock = hands();
    let last = clock.read();
    for (let step = 0; step < 5000; step += 1) {
      clock.pass(1_733n);
      const now = clock.read();
      expect(now).toBe(last + 1_733n);
      last = now;
    }
  });

  test.each([3_600_000n * MS, -3_600_000n * MS, 10n * MS, -10n * MS])('follows when the clock is set by %s ns', (step) => {
    const clock = hands();
    const before = clock.read();
    clock.setClock(step);
    const after = clock.read();
    expect(after - before - step).toBeLessThanOrEqual(MS);
    expect(after - before - step).toBeGreaterThanOrEqual(-MS);
    clock.pass(250n);
    expect(clock.read()).toBe(after + 250n);
  });

  test('follows when the machine slept', () => {
    const clock = hands();
    const before = clock.read();
    clock.sleep(60_000n * MS);
    expect((clock.read() - before) / MS).toBe(60_000n);
  });
});

test('the clock of this machine tells this age, and never goes back', () => {
  const clock = systemClock();
  expect(formatRfc3339(clock.wall()) > '2024-01-01T00:00:00Z').toBe(true);
  const readings = Array.from({ length: 10_000 }, () => ({ wall: clock.wall(), mono: clock.mono() }));
  for (const [index, { mono }] of readings.entries()) expect(mono).toBeGreaterThanOrEqual(readings[index - 1]?.mono ?? 0);
  expect(new Set(readings.map(({ wall }) => wall)).size).toBeGreaterThan(9_000);
});
