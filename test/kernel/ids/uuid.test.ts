import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { systemIds, uuidv7 } from '../../../src/kernel/ids/index.ts';
import { systemClock } from '../../../src/kernel/time/index.ts';
import { sequentialIds } from '../../support/sequential-ids.ts';

const MS = 1_000_000n;
const FORM = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

function source({ at = 0x0192_3c5e_7a00n, byte = 0xff }: { at?: bigint; byte?: number } = {}) {
  const state = { millisecond: at };
  const ids = uuidv7({ clock: { wall: () => state.millisecond * MS }, randomBytes: (size) => new Uint8Array(size).fill(byte) });
  return { state, next: () => ids.next() };
}

describe('a UUID of version 7', () => {
  test('begins with the millisecond, then version, variant and randomness', () => {
    expect(source().next()).toBe('01923c5e-7a00-77ff-bfff-ffffffffffff');
    expect(source({ byte: 0 }).next()).toBe('01923c5e-7a00-7000-8000-000000000000');
    expect(source({ byte: 0x12 }).next()).toBe('01923c5e-7a00-7212-9212-121212121212');
  });

  test.each([0n, 2n ** 48n - 1n, 2n ** 60n, -1n])('has its form also at millisecond %s', (at) => {
    expect(source({ at }).next()).toMatch(FORM);
  });

  test('sorts after the one before, whatever the clock does', () => {
    const step = fc.record({ move: fc.integer({ min: -5, max: 5 }), count: fc.integer({ min: 1, max: 40 }) });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 20 }), fc.integer({ min: 0, max: 255 }), (steps, byte) => {
        const { state, next } = source({ byte });
        const ids = steps.flatMap(({ move, count }) => {
          state.millisecond += BigInt(move);
          return Array.from({ length: count }, next);
        });
        expect(ids).toEqual([...new Set(ids)].sort());
      }),
      { seed: 52, numRuns: 200 },
    );
  });

  test('goes on when a millisecond is full', () => {
    const { next } = source();
    const ids = Array.from({ length: 10_000 }, next);
    expect(ids.every((id) => FORM.test(id))).toBe(true);
    expect(ids).toEqual([...new Set(ids)].sort());
  });
});

test('the ids of this machine are new and sorted, also those of two sources', () => {
  const clock = systemClock();
  const [one, other] = [systemIds(clock), systemIds(clock)];
  const ids = Array.from({ length: 2000 }, () => one.next());
  expect(ids).toEqual([...ids].sort());
  const others = Array.from({ length: 2000 }, () => other.next());
  expect(new Set([...ids, ...others]).size).toBe(4000);
  expect(ids.every((id) => FORM.test(id))).toBe(true);
});

test('a test knows its ids beforehand', () => {
  const ids = sequentialIds('run-');
  expect([ids.next(), ids.next()]).toEqual(['run-1', 'run-2']);
});
