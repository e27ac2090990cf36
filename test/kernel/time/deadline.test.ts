import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { bootId, deadlineAfter, resumeDeadline, systemClock, type DeadlineState } from '../../../src/kernel/time/index.ts';
import { manualClock } from '../../support/manual-clock.ts';
import { notOnLinux, testUnless } from '../../support/needs.ts';

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

/** Through a state file. */
const stored = (state: DeadlineState): DeadlineState => JSON.parse(JSON.stringify(state)) as DeadlineState;

describe('a deadline', () => {
  test('is reached when its length has passed, and not before', () => {
    const clock = manualClock();
    const deadline = deadlineAfter(10 * SECOND, clock);
    clock.pass(10 * SECOND - 1);
    expect([deadline.expired(), deadline.expiry(), deadline.remainingMs()]).toEqual([false, 'running', 1]);
    clock.pass(1);
    expect([deadline.expired(), deadline.expiry(), deadline.remainingMs()]).toEqual([true, 'spent', 0]);
  });

  test.each([-HOUR, 3 * HOUR, 10 * 8766 * HOUR])('does not care that the date is set by %s ms', (ms) => {
    const clock = manualClock();
    const deadline = deadlineAfter(MINUTE, clock);
    clock.setWall(ms);
    expect(deadline.remainingMs()).toBe(MINUTE);
    clock.pass(MINUTE - 1);
    expect(deadline.expired()).toBe(false);
    clock.pass(1);
    expect(deadline.expired()).toBe(true);
  });

  test('goes on while the machine sleeps, and says that this is why it was reached', () => {
    const clock = manualClock();
    const deadline = deadlineAfter(HOUR, clock);
    clock.pass(MINUTE);
    clock.suspend(8 * HOUR);
    expect(deadline.expiry()).toBe('slept');
    clock.pass(HOUR);
    expect([deadline.expiry(), deadline.remainingMs()]).toEqual(['slept', 0]);
  });

  test('that was slept through in part is spent when the rest was passed awake', () => {
    const clock = manualClock();
    const deadline = deadlineAfter(HOUR, clock);
    clock.suspend(HOUR / 2);
    expect(deadline.remainingMs()).toBeLessThanOrEqual(HOUR / 2 + 20);
    clock.pass(HOUR / 2 + 20);
    expect(deadline.expiry()).toBe('slept');
  });

  test.each([0, 3, 9.5])('is not early by the steps of the boot hand, begun at %s ms of one', (within) => {
    const clock = manualClock({ bootMs: 1_000_000 + within });
    const deadline = deadlineAfter(SECOND, clock);
    clock.suspend(SECOND - 0.5);
    expect(deadline.expired()).toBe(false);
    clock.suspend(20);
    expect(deadline.expiry()).toBe('slept');
  });

  test('below a second is measured awake alone', () => {
    const clock = manualClock();
    const deadline = deadlineAfter(999, clock);
    clock.suspend(HOUR);
    expect([deadline.expired(), deadline.remainingMs()]).toEqual([false, 999]);
    clock.pass(999);
    expect(deadline.expiry()).toBe('spent');
  });

  test.each([0, -5, Number.NaN])('of %s ms is over at once', (ms) => {
    expect(deadlineAfter(ms, manualClock()).expiry()).toBe('spent');
  });
});

describe('a deadline from a state file', () => {
  test('goes on where it was after a restart of the process', () => {
    const clock = manualClock();
    const state = stored(deadlineAfter(HOUR, clock).toState(clock.bootId()));
    clock.pass(HOUR / 2);
    clock.setWall(3 * HOUR);
    const resumed = resumeDeadline(state, clock, clock.bootId());
    expect(resumed.remainingMs()).toBe(HOUR / 2);
    clock.pass(HOUR / 2);
    expect(resumed.expiry()).toBe('spent');
  });

  test('knows of a sleep while no process ran', () => {
    const clock = manualClock();
    const state = stored(deadlineAfter(HOUR, clock).toState(clock.bootId()));
    clock.suspend(HOUR + 20);
    expect(resumeDeadline(state, clock, clock.bootId()).expiry()).toBe('slept');
  });

  test('stays as exact however often it is stored', () => {
    const clock = manualClock();
    let deadline = deadlineAfter(HOUR, clock);
    for (let round = 0; round < 600; round += 1) {
      clock.pass(3 * SECOND);
      deadline = resumeDeadline(stored(deadline.toState(clock.bootId())), clock, clock.bootId());
    }
    expect(deadline.remainingMs()).toBe(HOUR / 2);
  });

  test('is judged by the date after a reboot', () => {
    const clock = manualClock();
    const state = stored(deadlineAfter(HOUR, clock).toState(clock.bootId()));
    clock.pass(10 * MINUTE);
    clock.reboot(20 * MINUTE);
    const resumed = resumeDeadline(state, clock, clock.bootId());
    expect(resumed.remainingMs()).toBeCloseTo(30 * MINUTE, 0);
    clock.pass(30 * MINUTE);
    expect(resumed.expired()).toBe(true);
    clock.reboot(HOUR);
    expect(resumeDeadline(state, clock, clock.bootId()).expired()).toBe(true);
  });

  test('never gets more than its length from a date that was set back', () => {
    const clock = manualClock();
    const state = stored(deadlineAfter(HOUR, clock).toState(clock.bootId()));
    clock.setWall(-10_000 * HOUR);
    clock.reboot(0);
    expect(resumeDeadline(state, clock, clock.bootId()).remainingMs()).toBe(HOUR);
  });

  test('is judged by the date where the system does not name its boots', () => {
    const clock = manualClock();
    const state = stored(deadlineAfter(HOUR, clock).toState(undefined));
    expect(state).not.toHaveProperty('bootId');
    clock.pass(HOUR);
    expect(resumeDeadline(state, clock, undefined).expired()).toBe(true);
    expect(resumeDeadline(state, clock, clock.bootId()).expired()).toBe(true);
  });

  test('is judged by the date where the hands are new under the old name', () => {
    const clock = manualClock();
    const name = clock.bootId();
    const state = stored(deadlineAfter(HOUR, clock).toState(name));
    clock.reboot(HOUR);
    expect(resumeDeadline(state, clock, name).expired()).toBe(true);
  });

  test('counts by the date from when it was stored, when that had been set before', () => {
    const clock = manualClock();
    const deadline = deadlineAfter(HOUR, clock);
    clock.setWall(-5 * HOUR);
    const state = stored(deadline.toState(clock.bootId()));
    clock.reboot(30 * MINUTE);
    expect(resumeDeadline(state, clock, clock.bootId()).remainingMs()).toBeCloseTo(30 * MINUTE, 0);
  });

  test('below a second goes on by the monotonic hand', () => {
    const clock = manualClock();
    const state = stored(deadlineAfter(900, clock).toState(clock.bootId()));
    clock.pass(400);
    expect(resumeDeadline(state, clock, clock.bootId()).remainingMs()).toBe(500);
  });

  test.each([{ wall: 'soon' }, { monoMs: null }, { bootMs: 'x' }, { lengthMs: undefined }])('with %j is refused by name', (damage) => {
    const clock = manualClock();
    const state = { ...deadlineAfter(HOUR, clock).toState(undefined), ...damage } as DeadlineState;
    expect(() => resumeDeadline(state, clock, undefined)).toThrow(
      expect.objectContaining({ code: 'deadline-damaged', message: expect.stringContaining(JSON.stringify(state)) }),
    );
  });

  test('is not taken for one of another boot because its numbers are rounded', () => {
    const odd = fc.double({ min: 0.001, max: 1e9, noNaN: true });
    fc.assert(
      fc.property(odd, odd, (passed, lengthMs) => {
        const clock = manualClock();
        clock.pass(passed);
        const state = stored(deadlineAfter(lengthMs, clock).toState(clock.bootId()));
        clock.setWall(10 * 8766 * HOUR);
        expect(resumeDeadline(state, clock, clock.bootId()).expired()).toBe(false);
      }),
      { seed: 62, numRuns: 300 },
    );
  });

  test('reads as a date, and survives every length', () => {
    const length = fc.integer({ min: 0, max: 100 * 24 * HOUR });
    fc.assert(
      fc.property(length, length, (lengthMs, passed) => {
        const clock = manualClock();
        const state = stored(deadlineAfter(lengthMs, clock).toState(clock.bootId()));
        clock.pass(passed);
        expect(resumeDeadline(state, clock, clock.bootId()).expired()).toBe(passed >= lengthMs);
      }),
      { seed: 61, numRuns: 200 },
    );
  });
});

testUnless(notOnLinux, 'all processes of a machine agree on its hands and its name', () => {
  const clock = systemClock();
  const state = stored(deadlineAfter(HOUR, clock).toState(bootId()));
  expect(bootId()).toMatch(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
  expect(state.bootId).toBe(bootId());
  expect(Math.abs(state.bootMs - HOUR - clock.boot())).toBeLessThan(MINUTE);
});
