import type { Clock } from '../../src/kernel/time/index.ts';

const NS_PER_MS = 1_000_000;
const NOON = 1_780_920_000_000_000_000n;

/** A clock whose three hands a test moves, with what moves them on a real machine. */
export interface ManualClock extends Clock {
  /** Time that the machine is awake. */
  pass(ms: number): void;
  /** The machine sleeps: the monotonic hand stands still. */
  suspend(ms: number): void;
  /** Somebody sets the date. */
  setWall(ms: number): void;
  /** The machine is off for so long, then started again: two hands begin anew. */
  reboot(offMs: number): void;
  bootId(): string;
}

/** The boot hand shows whole steps of 10 ms, as the system's does. */
export function manualClock({ bootMs = 5_000_003 }: { readonly bootMs?: number } = {}): ManualClock {
  let [wall, mono, boot, boots] = [NOON, 1_000.25, bootMs, 1];
  const moveWall = (ms: number): void => {
    wall += BigInt(Math.round(ms * NS_PER_MS));
  };
  return {
    wall: () => wall,
    mono: () => mono,
    boot: () => Math.floor(boot / 10) * 10,
    bootId: () => `boot-${boots}`,
    pass(ms) {
      mono += ms;
      boot += ms;
      moveWall(ms);
    },
    suspend(ms) {
      boot += ms;
      moveWall(ms);
    },
    setWall: moveWall,
    reboot(offMs) {
      [mono, boot, boots] = [0.5, 7, boots + 1];
      moveWall(offMs);
    },
  };
}
