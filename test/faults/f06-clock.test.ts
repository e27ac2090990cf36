import { expect, test } from 'vitest';
import { renewLease, takeLease, type Lease, type Machine } from '../../src/kernel/lock/index.ts';
import { openStore, type Sql } from '../../src/kernel/sql/index.ts';
import {
  deadlineAfter,
  markClock,
  resumeDeadline,
  sleptMs,
  systemClock,
  waitFor,
  watchClock,
  type ClockEvent,
  type Deadline,
  type DeadlineState,
} from '../../src/kernel/time/index.ts';
import { LEASE_SCHEMA, writeUnder } from '../kernel/lock/lease-contract.ts';
import { faultCount, seeded } from '../support/fault-counts.ts';
import { manualClock, type ManualClock } from '../support/manual-clock.ts';
import { seededRandom, type Random } from '../support/seeded-random.ts';
import { tempFolder } from '../support/temp-folder.ts';

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
/** How often the date is set, forwards and back: an hour, three, ten years, summer time, a second. */
const SETTINGS = [-HOUR, 3 * HOUR, 10 * 8766 * HOUR, HOUR, -10 * 8766 * HOUR, 2 * SECOND, -2 * SECOND];
const EVENTS = 60;
/** The boot hand lags by up to a step at either end. */
const COARSE = 20;
const TTL_MS = 30_000;
const LEASE_EVENTS = 20;

const folder = tempFolder();

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

test('F6: no deadline is early or missed, and no sleep is charged, whatever happens to the clock', seeded('F6', (seed) => {
  const plans = faultCount({ ci: 50, full: 500 });
  const counts: Counts = { running: 0, spent: 0, slept: 0, steps: 0, suspends: 0, restarts: 0, reboots: 0 };
  for (let plan = 0; plan < plans; plan += 1) new Plan(seededRandom(seed + plan * 7919).next, counts).run();
  process.stdout.write(`F6: ${plans} plans, ${JSON.stringify(counts)}\n`);
  expect(Math.min(...Object.values(counts))).toBeGreaterThan(plans / 10);
}));

test('F6: a wait ends within a second of waking, however often the machine sleeps', seeded('F6, waits', async (seed) => {
  const random = seededRandom(seed).next;
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
}));

/** One lease, of which several want to be the holder, beside what is true of it. */
class LeasePlan {
  readonly #clock = manualClock();
  readonly #counts: Record<string, number>;
  readonly #random: Random;
  readonly #sql: Sql;
  readonly #name: string;
  readonly #leases: Lease[] = [];
  #untilMs = 0;

  constructor(sql: Sql, { name, random, counts }: { readonly name: string; readonly random: Random; readonly counts: Record<string, number> }) {
    [this.#sql, this.#name, this.#random, this.#counts] = [sql, name, random, counts];
  }

  async run(): Promise<void> {
    for (let event = 0; event < LEASE_EVENTS; event += 1) {
      await this.#happen();
      await this.#look();
    }
  }

  async #happen(): Promise<void> {
    const what = this.#random.next();
    // Whole steps of the boot hand, so that what ran out is known to the millisecond.
    const ms = 10 * (1 + this.#random.below(TTL_MS / 10));
    if (what < 0.3) return this.#clock.setWall(SETTINGS[this.#random.below(SETTINGS.length)] ?? 0);
    if (what < 0.55) return this.#clock.pass(ms);
    if (what < 0.7) return this.#clock.suspend(ms);
    if (what < 0.75) return this.#reboot();
    const holder = this.#leases.at(-1);
    if (holder === undefined) return;
    await renewLease(this.#sql, holder, { machine: this.#machine() });
    this.#untilMs = this.#clock.boot() + TTL_MS;
  }

  #reboot(): void {
    this.#clock.reboot(HOUR);
    this.#untilMs = 0;
  }

  /** Another one tries; then each that ever held it writes, and the last one alone may. */
  async #look(): Promise<void> {
    const token = `${this.#name} ${this.#leases.length}`;
    const taking = await takeLease(this.#sql, { name: this.#name, holder: token, token, ttlMs: TTL_MS, machine: this.#machine() });
    expect(taking.outcome).toBe(this.#clock.boot() < this.#untilMs ? 'held' : 'taken');
    this.#counts[taking.outcome] = (this.#counts[taking.outcome] ?? 0) + 1;
    if (taking.outcome === 'taken') {
      expect(taking.lease.epoch).toBe((this.#leases.at(-1)?.epoch ?? 0) + 1);
      this.#leases.push(taking.lease);
      this.#untilMs = this.#clock.boot() + TTL_MS;
    }
    const [before, last] = [this.#leases.at(-2), this.#leases.at(-1)];
    if (last !== undefined) await writeUnder(this.#sql, last, this.#name);
    if (before !== undefined) await expect(writeUnder(this.#sql, before, this.#name)).rejects.toMatchObject({ code: 'lease-lost' });
  }

  #machine(): Machine {
    return { clock: this.#clock, bootId: this.#clock.bootId() };
  }
}

// Slower than 5 s: each step of a plan is a transaction that is synced.
test('F6: a lease runs out by what its machine counted, and is fenced by its epoch, whatever the date is', seeded('F6, leases', async (seed) => {
  const sql = await openStore({ path: folder.at('a.db'), clock: systemClock(), busyTimeoutMs: 60_000, schema: LEASE_SCHEMA });
  const plans = faultCount({ ci: 50, full: 500 });
  const counts = { taken: 0, held: 0 };
  for (let plan = 0; plan < plans; plan += 1) await new LeasePlan(sql, { name: `lease ${plan}`, random: seededRandom(seed + plan * 7919), counts }).run();
  process.stdout.write(`F6: ${plans} plans, ${JSON.stringify(counts)}\n`);
  expect(Math.min(...Object.values(counts))).toBeGreaterThan(plans);
  await sql.close();
}));
