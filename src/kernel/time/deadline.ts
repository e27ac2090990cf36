import { BOOT_STEP_MS, type Clock } from './clock.ts';
import { deadlineDamaged } from './errors.ts';
import { formatRfc3339Nano, parseRfc3339 } from './rfc3339.ts';

/**
 * `running`: not reached. `spent`: the whole length was passed awake. `slept`: reached only because the machine slept
 * in between, so that nobody is to be charged for it.
 */
export type Expiry = 'running' | 'spent' | 'slept';

/** A moment after which something has lasted too long. Setting the wall clock neither hastens nor delays it. */
export interface Deadline {
  /** Milliseconds from its making to its end. */
  readonly lengthMs: number;
  expired(): boolean;
  /** The first answer other than `running` stays. */
  expiry(): Expiry;
  /** 0 when it is expired. While the machine sleeps it shrinks too. */
  remainingMs(): number;
  /** For a file; `resumeDeadline` reads it, in this process or in another one. `bootId` is what `bootId()` gives. */
  toState(bootId: string | undefined): DeadlineState;
}

/** A deadline in a state file. */
export interface DeadlineState {
  readonly lengthMs: number;
  /** The run of the machine whose hands are meant; absent where the system does not name it. */
  readonly bootId?: string;
  /** The monotonic hand at its end. */
  readonly monoMs: number;
  /** The boot hand at its end. */
  readonly bootMs: number;
  /** The date of its end in RFC 3339; it decides only when the machine was started again. */
  readonly wall: string;
}

/** Shorter ones are measured by the monotonic hand alone, since the steps of the boot hand would show. */
const SHORTEST_BY_BOOT_MS = 1000;
const NANOSECONDS_PER_MILLISECOND = 1_000_000;

/**
 * A deadline `lengthMs` from now: reached as soon as the monotonic hand or the boot hand says so, below a second by
 * the monotonic hand alone. What is no length, or less than nothing, counts as nothing.
 *
 * @example
 * const deadline = deadlineAfter(30 * 60_000, clock);
 * if (deadline.expired()) await end(session, { charged: deadline.expiry() === 'spent' });
 */
export function deadlineAfter(lengthMs: number, clock: Clock): Deadline {
  const length = lengthMs > 0 ? lengthMs : 0;
  return new HandsDeadline(clock, { length, ...endsAfter(length, clock) });
}

/**
 * Goes on with a deadline that a state file holds: by the same two hands when the machine still runs since then, else
 * by the date, which can shorten what is left but never make it more than the whole length.
 * Throws `deadline-damaged` for a number or a date that is none.
 */
export function resumeDeadline(state: DeadlineState, clock: Clock, bootId: string | undefined): Deadline {
  const { lengthMs: length, monoMs, bootMs } = state;
  if (![length, monoMs, bootMs].every(Number.isFinite)) throw deadlineDamaged({ state });
  if (isSameBoot(state, clock, bootId)) return new HandsDeadline(clock, { length, monoEnd: monoMs, bootEnd: bootMs });
  return new HandsDeadline(clock, { length, ...endsAfter(Math.min(length, leftByWall(state, clock)), clock) });
}

interface Ends {
  readonly monoEnd: number;
  readonly bootEnd: number;
}

/** The boot hand may lag by a step: without adding it the deadline could be early by as much. */
function endsAfter(lengthMs: number, clock: Clock): Ends {
  return { monoEnd: clock.mono() + lengthMs, bootEnd: clock.boot() + lengthMs + BOOT_STEP_MS };
}

/** A container may get new hands under the same name: one that stands before the deadline was made is such a hand. */
function isSameBoot(state: DeadlineState, clock: Clock, bootId: string | undefined): boolean {
  if (bootId === undefined || state.bootId !== bootId) return false;
  // A step more than the deadline had: sums of such numbers are rounded.
  const most = state.lengthMs + 2 * BOOT_STEP_MS;
  return state.bootMs - clock.boot() <= most && state.monoMs - clock.mono() <= most;
}

function leftByWall(state: DeadlineState, clock: Clock): number {
  const end = parseRfc3339(state.wall);
  if (end === undefined) throw deadlineDamaged({ state });
  return Number(end - clock.wall()) / NANOSECONDS_PER_MILLISECOND;
}

class HandsDeadline implements Deadline {
  readonly lengthMs: number;
  readonly #clock: Clock;
  readonly #ends: Ends;
  #settled: Expiry = 'running';

  constructor(clock: Clock, { length, monoEnd, bootEnd }: Ends & { readonly length: number }) {
    this.lengthMs = length;
    this.#clock = clock;
    this.#ends = { monoEnd, bootEnd };
  }

  expired(): boolean {
    return this.expiry() !== 'running';
  }

  expiry(): Expiry {
    if (this.#settled === 'running') this.#settled = this.#look();
    return this.#settled;
  }

  remainingMs(): number {
    if (this.#settled !== 'running') return 0;
    return Math.max(0, Math.min(this.#leftByMono(), this.#leftByBoot()));
  }

  toState(bootId: string | undefined): DeadlineState {
    const left = Math.round(this.remainingMs() * NANOSECONDS_PER_MILLISECOND);
    return {
      lengthMs: this.lengthMs,
      ...(bootId === undefined ? {} : { bootId }),
      monoMs: this.#ends.monoEnd,
      bootMs: this.#ends.bootEnd,
      wall: formatRfc3339Nano(this.#clock.wall() + BigInt(left)),
    };
  }

  #look(): Expiry {
    if (this.#leftByMono() <= 0) return 'spent';
    return this.#leftByBoot() <= 0 ? 'slept' : 'running';
  }

  #leftByMono(): number {
    return this.#ends.monoEnd - this.#clock.mono();
  }

  #leftByBoot(): number {
    if (this.lengthMs < SHORTEST_BY_BOOT_MS) return Number.POSITIVE_INFINITY;
    return this.#ends.bootEnd - this.#clock.boot();
  }
}
