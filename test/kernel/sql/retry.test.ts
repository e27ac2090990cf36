import { describe, expect, test } from 'vitest';
import { retryWhileBusy } from '../../../src/kernel/sql/retry.ts';

const BUSY = new Error('busy');
const isBusy = (error: unknown): boolean => error === BUSY;

/** Fails as busy so many times, then answers; each call takes `cost` on the clock. */
function work(failures: number, cost = 0) {
  const state = { calls: 0, now: 0 };
  return {
    state,
    clock: { mono: () => state.now },
    run() {
      state.calls += 1;
      state.now += cost;
      if (state.calls <= failures) throw BUSY;
      return `answer ${state.calls}`;
    },
  };
}

describe('retryWhileBusy', () => {
  test('answers at once when nothing is in the way', async () => {
    const { run, clock, state } = work(0);
    expect(await retryWhileBusy(run, { clock, busyTimeoutMs: 0, isBusy })).toBe('answer 1');
    expect(state.calls).toBe(1);
  });

  test('tries again until it is no longer busy', async () => {
    const { run, clock } = work(12);
    expect(await retryWhileBusy(run, { clock, busyTimeoutMs: 1, isBusy })).toBe('answer 13');
  });

  test('gives up when the time is over, with what it met last', async () => {
    const { run, clock, state } = work(Number.POSITIVE_INFINITY, 10);
    await expect(retryWhileBusy(run, { clock, busyTimeoutMs: 45, isBusy })).rejects.toBe(BUSY);
    expect(state.calls).toBe(5);
  });

  test('tries once when there is no time at all', async () => {
    const { run, clock, state } = work(1);
    await expect(retryWhileBusy(run, { clock, busyTimeoutMs: 0, isBusy })).rejects.toBe(BUSY);
    expect(state.calls).toBe(1);
  });

  test('does not try again after another failure', async () => {
    const other = new Error('other');
    let calls = 0;
    const failing = (): never => {
      calls += 1;
      throw other;
    };
    await expect(retryWhileBusy(failing, { clock: { mono: () => 0 }, busyTimeoutMs: 1000, isBusy })).rejects.toBe(other);
    expect(calls).toBe(1);
  });

  test('does not begin after an abort, and ends a pause with its reason', async () => {
    const { run, clock, state } = work(Number.POSITIVE_INFINITY);
    const stop = new AbortController();
    const patience = { clock, busyTimeoutMs: 1000, isBusy, signal: stop.signal };
    const pending = retryWhileBusy(run, patience);
    stop.abort('stopped');
    await expect(pending).rejects.toBe('stopped');
    await expect(retryWhileBusy(run, patience)).rejects.toBe('stopped');
    expect(state.calls).toBe(1);
  });

  test('lets others of this thread run between its tries', async () => {
    const { run, clock } = work(3);
    const order: string[] = [];
    const pending = retryWhileBusy(
      () => {
        order.push('try');
        return run();
      },
      { clock, busyTimeoutMs: 1000, isBusy },
    );
    order.push('other');
    await pending;
    expect(order.slice(0, 2)).toEqual(['try', 'other']);
  });
});
