import { describe, expect, test } from 'vitest';
import { Deadlines } from '../../../src/bach/act/deadlines.ts';

/** A monotonic hand that only the test moves; the timers are real and look at it. */
function handClock() {
  let now = 0;
  return { wall: () => 0n, mono: () => now, boot: () => now, set: (value: number) => (now = value) };
}

describe('deadlines', () => {
  test('those that passed by the time of the look are told together', async () => {
    const clock = handClock();
    const told = await new Promise<readonly string[]>((resolve) => {
      const deadlines = new Deadlines(clock, resolve);
      deadlines.arm('inner', 10);
      deadlines.arm('outer', 20);
      clock.set(25);
    });
    expect(told).toEqual(['inner', 'outer']);
  });

  test('a disarmed one is not told', async () => {
    const clock = handClock();
    const told = await new Promise<readonly string[]>((resolve) => {
      const deadlines = new Deadlines(clock, resolve);
      deadlines.arm('gone', 1);
      deadlines.arm('kept', 2);
      deadlines.disarm('gone');
      clock.set(5);
    });
    expect(told).toEqual(['kept']);
  });

  test('after a suspension, what ended by itself meanwhile is heard of first', async () => {
    const clock = handClock();
    const told = new Promise<readonly string[]>((resolve) => {
      const deadlines = new Deadlines(clock, resolve);
      deadlines.arm('ended', 1);
      deadlines.arm('goes on', 2);
      clock.set(5000);
      setTimeout(() => deadlines.disarm('ended'), 30);
      setTimeout(() => clock.set(5200), 60);
    });
    expect(await told).toEqual(['goes on']);
  });

  test('a timer that fires before its time by the clock looks again', async () => {
    const clock = handClock();
    const told: string[] = [];
    const passed = new Promise<void>((resolve) => {
      const deadlines = new Deadlines(clock, (names) => {
        told.push(`${names.join()} at ${clock.mono()}`);
        resolve();
      });
      deadlines.arm('slow', 5);
    });
    setTimeout(() => clock.set(6), 30);
    await passed;
    expect(told).toEqual(['slow at 6']);
  });

  test('a wait past 31 bits of milliseconds does not end at once', async () => {
    const told: string[] = [];
    const warn = (warning: Error): unknown => told.push(warning.name);
    process.on('warning', warn);
    const deadlines = new Deadlines(handClock(), (names) => told.push(...names));
    deadlines.arm('month', 40 * 24 * 3_600_000);
    await new Promise((resolve) => setTimeout(resolve, 20));
    deadlines.disarm('month');
    process.off('warning', warn);
    expect(told).toEqual([]);
  });
});
