import { BOOT_STEP_MS, type Clock } from './clock.ts';

/** What happened to the clock between two looks. */
export type ClockEvent =
  /** The machine slept for about so many milliseconds. */
  | { readonly kind: 'suspended'; readonly ms: number }
  /** Somebody set the wall clock by about so many milliseconds. */
  | { readonly kind: 'clock-stepped'; readonly ms: number; readonly direction: 'forward' | 'back' };

/** Compares the hands of a clock from look to look. */
export interface ClockWatch {
  /** The events since the last look (since its making, the first time), in no particular order; mostly none. */
  look(): readonly ClockEvent[];
}

/** One reading of all hands, from which `sleptMs` counts. It means nothing to another run of the machine. */
export interface ClockMark {
  readonly mono: number;
  readonly boot: number;
  /** Nanoseconds. */
  readonly wall: bigint;
}

/** A reading takes microseconds; one that took longer was interrupted between two hands and would show a false sleep. */
const READING_MS = 1;
const READINGS = 10;

/** Less is the coarseness of the boot hand. */
const SHORTEST_SLEEP_MS = Math.max(100, 2 * BOOT_STEP_MS);

/** Smaller corrections are a clock that is kept right, not one that was set: 500 in a million is what it may drift. */
const SMALLEST_STEP_MS = 500 + BOOT_STEP_MS;
const DRIFT = 0.001;

/** @example setInterval(() => watch.look().forEach((event) => journal.append(event)), 1000) */
export function watchClock(clock: Clock): ClockWatch {
  let last = markClock(clock);
  return {
    look() {
      const now = markClock(clock);
      const before = last;
      last = now;
      return [...suspends(before, now), ...steps(before, now)];
    },
  };
}

/** Reads the hands together. */
export function markClock(clock: Clock): ClockMark {
  let best = readHands(clock);
  for (let reading = 1; reading < READINGS && best.took > READING_MS; reading += 1) {
    const again = readHands(clock);
    if (again.took < best.took) best = again;
  }
  return best.mark;
}

function readHands(clock: Clock): { readonly took: number; readonly mark: ClockMark } {
  const mono = clock.mono();
  const mark = { mono, boot: clock.boot(), wall: clock.wall() };
  return { took: clock.mono() - mono, mark };
}

/** How long the machine slept since the mark, in milliseconds; 0 for less than a tenth of a second. */
export function sleptMs(clock: Clock, since: ClockMark): number {
  return sleptBetween(since, markClock(clock));
}

function suspends(before: ClockMark, now: ClockMark): readonly ClockEvent[] {
  const ms = sleptBetween(before, now);
  return ms === 0 ? [] : [{ kind: 'suspended', ms }];
}

function sleptBetween(before: ClockMark, now: ClockMark): number {
  const asleep = now.boot - before.boot - (now.mono - before.mono);
  return asleep < SHORTEST_SLEEP_MS ? 0 : Math.round(asleep);
}

function steps(before: ClockMark, now: ClockMark): readonly ClockEvent[] {
  const passed = now.boot - before.boot;
  const set = Number(now.wall - before.wall) / 1_000_000 - passed;
  if (Math.abs(set) < SMALLEST_STEP_MS + passed * DRIFT) return [];
  return [{ kind: 'clock-stepped', ms: Math.round(Math.abs(set)), direction: set > 0 ? 'forward' : 'back' }];
}
