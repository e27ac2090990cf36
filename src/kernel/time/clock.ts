import { uptime } from 'node:os';

/** The three hands of the clock; passed in everywhere, so that tests own the time. */
export interface Clock {
  /** Nanoseconds since 1970 in UTC, for dates that people read. It may jump. */
  wall(): bigint;
  /** Milliseconds that only grow, for durations and deadlines. */
  mono(): number;
  /**
   * Milliseconds since the machine started, in steps of 10. It counts the time that the machine slept and does not
   * follow a clock that is set; it starts again with the machine.
   */
  boot(): number;
}

const NANOSECONDS_PER_MILLISECOND = 1_000_000n;
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
  return { wall, mono: () => performance.now(), boot: () => Math.round(uptime() * 1000) };
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
