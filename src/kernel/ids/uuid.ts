import type { Clock } from '../time/index.ts';
import type { IdSource } from './source.ts';

export interface UuidOptions {
  readonly clock: Pick<Clock, 'wall'>;
  /** That many bytes that nobody can guess. */
  readonly randomBytes: (size: number) => Uint8Array;
}

const LAST_COUNT = 0xf_ff;
/** Half of the counter is left free, so that ids of one millisecond seldom use it up. */
const FIRST_COUNTS = 0x7_ff;
const LAST_MILLISECOND = 2 ** 48 - 1;

/**
 * Gives UUIDs of version 7: they sort as text in the order in which this source gave them, also within a millisecond
 * and after the clock was set back; those of several sources sort by the millisecond.
 *
 * @example
 * const ids = uuidv7({ clock, randomBytes });
 * ids.next(); // '01923c5e-7a00-7b21-9c4f-3f2a1b0c9d8e'
 */
export function uuidv7({ clock, randomBytes: random }: UuidOptions): IdSource {
  let last = { millisecond: -1, count: LAST_COUNT };
  return {
    next() {
      const bytes = random(10);
      last = following(last, millisecondOf(clock), ((bytes[0] ?? 0) * 256 + (bytes[1] ?? 0)) & FIRST_COUNTS);
      return format(last, bytes.subarray(2));
    },
  };
}

interface Position {
  readonly millisecond: number;
  readonly count: number;
}

/** A clock that stands still or goes back is counted on from where it was; a full counter borrows a millisecond. */
function following(last: Position, now: number, firstCount: number): Position {
  if (now > last.millisecond) return { millisecond: now, count: firstCount };
  if (last.count < LAST_COUNT) return { millisecond: last.millisecond, count: last.count + 1 };
  return { millisecond: last.millisecond + 1, count: firstCount };
}

function millisecondOf(clock: Pick<Clock, 'wall'>): number {
  const milliseconds = Number(clock.wall() / 1_000_000n);
  return Math.min(Math.max(0, milliseconds), LAST_MILLISECOND);
}

function format({ millisecond, count }: Position, random: Uint8Array): string {
  const time = hex(millisecond, 12);
  const variant = 0x80 | ((random[0] ?? 0) & 0x3f);
  const tail = [...random.subarray(1, 8)].map((byte) => hex(byte, 2)).join('');
  return `${time.slice(0, 8)}-${time.slice(8)}-7${hex(count, 3)}-${hex(variant, 2)}${tail.slice(0, 2)}-${tail.slice(2)}`;
}

function hex(value: number, digits: number): string {
  return value.toString(16).padStart(digits, '0');
}
