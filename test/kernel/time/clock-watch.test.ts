import { describe, expect, test } from 'vitest';
import { markClock, sleptMs, systemClock, watchClock } from '../../../src/kernel/time/index.ts';
import { manualClock } from '../../support/manual-clock.ts';

const SECOND = 1000;
const HOUR = 3600 * SECOND;

describe('a look at the clock', () => {
  test('finds nothing where time only passes', () => {
    const clock = manualClock();
    const watch = watchClock(clock);
    for (const ms of [0, 1, 999, SECOND, HOUR, 24 * HOUR]) {
      clock.pass(ms);
      expect(watch.look()).toEqual([]);
    }
  });

  test('finds a sleep once, about as long as it was', () => {
    const clock = manualClock();
    const watch = watchClock(clock);
    clock.pass(SECOND / 3);
    clock.suspend(8 * HOUR);
    const [event, ...others] = watch.look();
    expect(others).toEqual([]);
    expect(event).toEqual({ kind: 'suspended', ms: expect.any(Number) });
    expect(Math.abs((event?.ms ?? 0) - 8 * HOUR)).toBeLessThanOrEqual(10);
    expect(watch.look()).toEqual([]);
  });

  test.each([
    [3 * HOUR, 'forward'],
    [-HOUR, 'back'],
    [2 * SECOND, 'forward'],
    [-2 * SECOND, 'back'],
  ])('finds a date that was set by %s ms', (ms, direction) => {
    const clock = manualClock();
    const watch = watchClock(clock);
    clock.pass(SECOND);
    clock.setWall(ms);
    const [event, ...others] = watch.look();
    expect(others).toEqual([]);
    expect(event).toEqual({ kind: 'clock-stepped', ms: expect.any(Number), direction });
    expect(Math.abs((event?.ms ?? 0) - Math.abs(ms))).toBeLessThanOrEqual(10);
    expect(watch.look()).toEqual([]);
  });

  test('tells both apart when both happened', () => {
    const clock = manualClock();
    const watch = watchClock(clock);
    clock.suspend(HOUR);
    clock.setWall(-HOUR);
    expect(watch.look().map(({ kind }) => kind)).toEqual(['suspended', 'clock-stepped']);
  });

  test('calls no slow correction a step', () => {
    const clock = manualClock();
    const watch = watchClock(clock);
    for (let second = 0; second < 1000; second += 1) {
      clock.pass(SECOND);
      clock.setWall(0.5);
      expect(watch.look()).toEqual([]);
    }
    clock.pass(10 * HOUR);
    clock.setWall(10 * HOUR * 0.0005);
    expect(watch.look()).toEqual([]);
  });

  test('is not misled by a process that was stopped between two hands', () => {
    const clock = manualClock();
    let stops = 3;
    const interrupted = {
      ...clock,
      mono: () => {
        const mono = clock.mono();
        stops -= 1;
        if (stops >= 0) clock.pass(60 * SECOND);
        return mono;
      },
    };
    const watch = watchClock(clock);
    const mark = markClock(clock);
    expect(sleptMs(interrupted, mark)).toBe(0);
    expect(watch.look()).toEqual([]);
  });
});

describe('sleptMs', () => {
  test('is what the machine slept since a mark', () => {
    const clock = manualClock();
    const mark = markClock(clock);
    clock.pass(HOUR);
    expect(sleptMs(clock, mark)).toBe(0);
    clock.suspend(5 * SECOND);
    clock.pass(HOUR);
    clock.suspend(HOUR);
    expect(Math.abs(sleptMs(clock, mark) - HOUR - 5 * SECOND)).toBeLessThanOrEqual(10);
    expect(sleptMs(clock, markClock(clock))).toBe(0);
  });

  test('is nothing for the steps of the boot hand', () => {
    const clock = manualClock();
    for (let step = 0; step < 200; step += 1) {
      const mark = markClock(clock);
      clock.pass(0.7);
      expect(sleptMs(clock, mark)).toBe(0);
    }
  });
});

test('the clock of this machine was not set while this runs, nor did it sleep', () => {
  const clock = systemClock();
  const mark = markClock(clock);
  expect(watchClock(clock).look()).toEqual([]);
  expect(sleptMs(clock, mark)).toBe(0);
});
