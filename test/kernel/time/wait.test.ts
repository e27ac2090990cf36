import { describe, expect, test } from 'vitest';
import { deadlineAfter, sleep, systemClock, waitFor, type Pause } from '../../../src/kernel/time/index.ts';
import { manualClock } from '../../support/manual-clock.ts';

const HOUR = 3_600_000;

/** Pauses by moving a clock, and remembers for how long. */
function movedBy(clock: ReturnType<typeof manualClock>, during: (pauses: number) => void = () => undefined) {
  const pauses: number[] = [];
  const pause: Pause = (ms) => {
    pauses.push(ms);
    clock.pass(ms);
    during(pauses.length);
    return Promise.resolve();
  };
  return { pauses, pause };
}

describe('waitFor', () => {
  test('looks at the hands at least every second, and ends exactly', async () => {
    const clock = manualClock();
    const { pauses, pause } = movedBy(clock);
    expect(await waitFor(deadlineAfter(2500, clock), { pause })).toBe('spent');
    expect(pauses).toEqual([1000, 1000, 500]);
  });

  test('notices a sleep of the machine at the next look', async () => {
    const clock = manualClock();
    const { pauses, pause } = movedBy(clock, (count) => {
      if (count === 3) clock.suspend(HOUR);
    });
    expect(await waitFor(deadlineAfter(HOUR, clock), { pause })).toBe('slept');
    expect(pauses).toEqual([1000, 1000, 1000]);
  });

  test('goes on when a timer was early', async () => {
    const clock = manualClock();
    let pauses = 0;
    const early: Pause = (ms) => {
      pauses += 1;
      clock.pass(ms - 0.25);
      return Promise.resolve();
    };
    await waitFor(deadlineAfter(10, clock), { pause: early });
    expect(pauses).toBe(2);
  });

  test('is over at once for what is expired', async () => {
    expect(await waitFor(deadlineAfter(0, manualClock()))).toBe('spent');
  });

  test('waits by the clock of this machine', async () => {
    const clock = systemClock();
    const deadline = deadlineAfter(30, clock);
    expect(await waitFor(deadline)).toBe('spent');
    expect(deadline.expired()).toBe(true);
  });
});

describe('a signal', () => {
  test('ends a wait with its reason, and leaves neither timer nor listener', async () => {
    const controller = new AbortController();
    const reason = new Error('enough');
    const before = process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length;
    const waiting = sleep(HOUR, { clock: systemClock(), signal: controller.signal });
    setImmediate(() => controller.abort(reason));
    await expect(waiting).rejects.toBe(reason);
    expect(process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length).toBe(before);
  });

  test('that was given before is seen before anything is waited for', async () => {
    const { pauses, pause } = movedBy(manualClock());
    await expect(sleep(5, { clock: manualClock(), signal: AbortSignal.abort('no'), pause })).rejects.toBe('no');
    expect(pauses).toEqual([]);
  });

  test('keeps no listener of waits that ended', async () => {
    const { signal } = new AbortController();
    let listeners = 0;
    const counted = Object.assign(Object.create(signal) as AbortSignal, {
      addEventListener: () => (listeners += 1),
      removeEventListener: () => (listeners -= 1),
      throwIfAborted: () => undefined,
    });
    await sleep(3, { clock: systemClock(), signal: counted });
    expect(listeners).toBe(0);
  });
});

describe('sleep', () => {
  test('takes a length that no timer of the system takes', async () => {
    const clock = manualClock();
    const { pauses, pause } = movedBy(clock, () => clock.pass(2 ** 31));
    await sleep(2 ** 32, { clock, pause });
    expect(pauses.length).toBe(2);
  });

  test.each([0, -1, Number.NaN])('of %s ms is over at once', async (ms) => {
    const { pauses, pause } = movedBy(manualClock());
    await sleep(ms, { clock: manualClock(), pause });
    expect(pauses).toEqual([]);
  });
});
