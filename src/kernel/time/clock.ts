import { uptime } from 'node:os';

/** The three hands of the clock; passed in everywhere, so that tests own the time. */
export interface Clock {
  /** Nanoseconds since 1970 in UTC, for dates that people read. It may jump. */
  wall(): bigint;
  /** Milliseconds that only grow, for durations and deadlines; all processes of one run of the machine agree on them. */
  mono(): number;
  /**
   * Milliseconds since the machine started, in steps of 10 (elsewhere than on Linux of 1000). It counts the time that the machine slept and does not
   * follow a clock that is set; it starts again with the machine.
   */
  boot(): number;
}

const NANOSECONDS_PER_MILLISECOND = 1_000_000n;

/** How far the boot hand may lag behind the truth, in milliseconds. Only Linux tells it finer than in seconds. */
export const BOOT_STEP_MS = process.platform === 'linux' ? 10 : 1000;

const STEP = 3n * NANOSECONDS_PER_MILLISECOND;

/**
 * The clock of this machine. The system tells the wall only in milliseconds; between two readings the monotonic hand
 * carries it, so that it has nanoseconds and does not go back, until the system's clock was set or the machine slept.
 */
export function systemClock(): Clock {
  const wall = carriedWall({
    coarse: () => BigInt(Date.now()) * NANOSECONDS_PER_MILLISECOND,
    fine: () => process.hrtime.bigint(),
  });
  return { wall, mono: () => Number(process.hrtime.bigint()) / 1_000_000, boot: () => Math.round(uptime() * 1000) };
}

interface Hands {
  /** Nanoseconds since 1970, in whole milliseconds. */
  readonly coarse: () => bigint;
  /** Nanoseconds since anything, only growing. */
  readonly fine: () => bigint;
}

/** Exported for its test. */
export function carriedWall({ coarse, fine }: Hands): () => bigint {
  let offset = coarse() - fine();
  return () => {
    const carried = fine() + offset;
    const told = coarse();
    const difference = told > carried ? told - carried : carried - told;
    if (difference < STEP) return carried;
    offset = told - fine();
    return told;
  };
}
