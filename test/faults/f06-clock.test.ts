import { expect, test } from 'vitest';
import {
  deadlineAfter,
  markClock,
  resumeDeadline,
  sleptMs,
  waitFor,
  watchClock,
  type ClockEvent,
  type Deadline,
  type DeadlineState,
} from '../../src/kernel/time/index.ts';
import { faultCount, faultSeed } from '../support/fault-counts.ts';
import { manualClock, type ManualClock } from '../support/manual-clock.ts';
import { seededRandom } from '../support/seeded-random.ts';

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
/** How often the date is set, forwards and back: an hour, three, ten years, summer time, a second. */
const SETTINGS = [-HOUR, 3 * HOUR, 10 * 8766 * HOUR, HOUR, -10 * 8766 * HOUR, 2 * SECOND, -2 * SECOND];
const EVENTS = 60;
/** The boot hand lags by up to a step at either end. */
const COARSE = 20;

/** A deadline beside what is true of it, told without any hand. */
interface Watched {
  readonly deadline: Deadline;
  readonly lengthMs: number;
  /** As it was stored when it was made. */
  readonly state: DeadlineState;
  awake: number;
  asleep: number;
}

type Counts = Record<'running' | 'spent' | 'slept' | 'steps' | 'suspends' | 'restarts' | 'reboots', number>;

/** One life of a machine: what happens to it, and after each event what every deadline and every look says. */
class Plan {
  readonly #clock: ManualClock = manualClock();
  readonly #random: () => number;
  readonly #counts: Counts;
  #watched: Watched[] = [];
  #watch = watchClock(this.#clock);

  constructor(random: () => number, counts: Counts) {
    this.#random = random;
    this.#counts = counts;
  }

  run(): void {
    for (let event = 0; event < EVENTS; event += 1) {
      while (this.#watched.length < 6) this.#watched.push(this.#make());
      const expected = this.#happen();
      this.#compare(this.#watch.look(), expected);
      this.#watched = this.#watched.filter((watched) => this.#judge(watched));
    }
  }

  #make(): Watched {
    const lengthMs = this.#pick([300, 999, SECOND, 20 * SECOND, 5 * MINUTE, HOUR, 12 * HOUR]);
    const deadline = deadlineAfter(lengthMs, this.#clock);
    return { deadline, lengthMs, state: stored(deadline, this.#clock), awake: 0, asleep: 0 };
  }

  /** Returns what the next look has to find. */
  #happen(): readonly ClockEvent[] {
    const what = this.#random();
    if (what < 0.45) return this.#pass(this.#random() ** 4 * 2 * HOUR);
    if (what < 0.65) return this.#suspend(SECOND + this.#random() ** 3 * 8 * HOUR);
    if (what < 0.85) return this.#set(this.#pick(SETTINGS));
    return what < 0.95 ? this.#restart() : this.#reboot();
  }

  #pass(ms: number): readonly ClockEvent[] {
    this.#clock.pass(ms);
    for (const watched of this.#watched) watched.awake += ms;
    return [];
  }

  #suspend(ms: number): readonly ClockEvent[] {
    const mark = markClock(this.#clock);
    this.#clock.suspend(ms);
    for (const watched of this.#watched) watched.asleep += ms;
    this.#counts.suspends += 1;
    expect(Math.abs(sleptMs(this.#clock, mark) - ms)).toBeLessThanOrEqual(COARSE);
    return [{ kind: 'suspended', ms }];
  }

  #set(ms: number): readonly ClockEvent[] {
    this.#clock.setWall(ms);
    this.#counts.steps += 1;
    return [{ kind: 'clock-stepped', ms: Math.abs(ms), direction: ms > 0 ? 'forward' : 'back' }];
  }

  /** Of the process alone. */
  #restart(): readonly ClockEvent[] {
    this.#watched = this.#watched.map((watched) => ({ ...watched, deadline: resumeDeadline(watched.state, this.#clock, this.#clock.bootId()) }));
    this.#watch = watchClock(this.#clock);
    this.#counts.restarts += 1;
    return [];
  }

  #reboot(): readonly ClockEvent[] {
    this.#clock.reboot(this.#random() * HOUR);
    this.#counts.reboots += 1;
    this.#watched = this.#watched.flatMap((watched) => this.#afterReboot(watched));
    this.#watch = watchClock(this.#clock);
    return [];
  }

  /** The date alone decides, once; from then on what is left is a deadline like any other. */
  #afterReboot({ state, lengthMs }: Watched): readonly Watched[] {
    const deadline = resumeDeadline(state, this.#clock, this.#clock.bootId());
    const left = Math.min(lengthMs, Date.parse(state.wall) - Number(this.#clock.wall() / 1_000_000n));
    expect(Math.abs(deadline.remainingMs() - Math.max(0, left))).toBeLessThanOrEqual(2);
    expect(deadline.expired()).toBe(deadline.remainingMs() === 0);
    if (deadline.expired()) return [];
    return [{ deadline, lengthMs, state: stored(deadline, this.#clock), awake: lengthMs - deadline.remainingMs(), asleep: 0 }];
  }

  #compare(found: readonly ClockEvent[], expected: readonly ClockEvent[]): void {
    expect(found.map(nameOf)).toEqual(expected.map(nameOf));
    for (const [index, { ms }] of found.entries()) expect(Math.abs(ms - (expected[index]?.ms ?? 0))).toBeLessThanOrEqual(COARSE);
  }

  /** False once it is expired. */
  #judge({ deadline, lengthMs, awake, asleep }: Watched): boolean {
    const isShort = lengthMs < SECOND;
    const expiry = deadline.expiry();
    const rounded = 0.001;
    if (awake + (isShort ? 0 : asleep) < lengthMs - rounded) expect(expiry).toBe('running');
    if (awake >= lengthMs + rounded) expect(expiry).toBe('spent');
    // A sleep may end a session, but it charges nobody.
    if (awake < lengthMs - rounded) expect(expiry).not.toBe('spent');
    if (!isShort && awake + asleep >= lengthMs + COARSE) expect(expiry).not.toBe('running');
    expect(deadline.expired()).toBe(deadline.remainingMs() === 0);
    this.#counts[expiry] += 1;
    return expiry === 'running';
  }

  #pick<Value>(values: readonly Value[]): Value {
    return values[Math.floor(this.#random() * values.length)] as Value;
  }
}

function nameOf(event: ClockEvent): string {
  return event.kind === 'suspended' ? event.kind : `${event.kind} ${event.direction}`;
}

function stored(deadline: Deadline, clock: ManualClock): DeadlineState {
  return JSON.parse(JSON.stringify(deadline.toState(clock.bootId()))) as DeadlineState;
}

test('F6: no deadline is early or missed, and no sleep is charged, whatever happens to the clock', () => {
  const seed = faultSeed();
  const plans = faultCount({ ci: 50, full: 500 });
  const counts: Counts = { running: 0, spent: 0, slept: 0, steps: 0, suspends: 0, restarts: 0, reboots: 0 };
  for (let plan = 0; plan < plans; plan += 1) new Plan(seededRandom(seed + plan * 7919).next, counts).run();
  process.stdout.write(`F6: seed ${seed}, ${plans} plans, ${JSON.stringify(counts)}\n`);
  expect(Math.min(...Object.values(counts))).toBeGreaterThan(plans / 10);
});

test('F6: a wait ends within a second of waking, however often the machine sleeps', async () => {
  const random = seededRandom(faultSeed()).next;
  for (let plan = 0; plan < faultCount({ ci: 50, full: 500 }); plan += 1) {
    const clock = manualClock();
    const lengthMs = SECOND + random() * HOUR;
    const deadline = deadlineAfter(lengthMs, clock);
    let late = 0;
    const pause = (ms: number): Promise<void> => {
      clock.pass(ms * (1 - random() * 0.1));
      if (random() < 0.01) clock.suspend(random() * HOUR);
      if (deadline.remainingMs() === 0) late += 1;
      // One pause is at most a second: the first look after the end is the last.
      expect(late).toBeLessThanOrEqual(1);
      return Promise.resolve();
    };
    const before = clock.mono();
    const expiry = await waitFor(deadline, { pause });
    expect(expiry === 'spent').toBe(clock.mono() - before >= lengthMs);
  }
});
