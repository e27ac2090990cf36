import type { Clock, ClockEvent } from '../kernel/time/index.ts';
import type { Now } from './contract.ts';
import type { Fence } from './fence.ts';
import type { StepLog } from './log.ts';
import type { Mask } from './mask.ts';
import type { StepRecord } from './record.ts';

/** What the engine stands on; a simulation hands in its own. */
export interface EnginePorts {
  readonly clock: Clock;
  readonly timers: Timers;
  /** Takes the run for this holder, or says that somebody holds it. */
  readonly lock: () => HeldLock | 'held';
  /** Names this holder; no two have the same. */
  readonly by: string;
  readonly fence: Fence;
  /** Takes the secrets out of all that is recorded, and out of facts before anything is decided from them. */
  readonly mask: Mask;
  /** For messages. */
  readonly logPath: string;
  /** The whole log, in its order; throws, with file and line, when a line is damaged. */
  readonly readLog: () => Promise<readonly StepRecord[]>;
  readonly openLog: () => Promise<StepLog>;
  /**
   * Ends or adopts what the holder before left running; called under the lock, before anything is reconciled. After a
   * hard stop it is left behind past the grace, and has to touch nothing new by then.
   */
  readonly settleLeftovers: (signal: AbortSignal) => Promise<void>;
  /** Tells of sleep and of clock steps until the returned function is called. */
  readonly watchClock: (onEvent: (event: ClockEvent) => void) => () => void;
}

export interface HeldLock {
  /** Throws when it is no longer held, as when its file was taken away: somebody else can take the run then. */
  readonly confirm: () => void;
  readonly release: () => void;
}

export interface Timers {
  /** Calls once after `ms`; the returned function prevents it. */
  readonly after: (ms: number, call: () => void) => () => void;
}

/** The clock as a record keeps it. */
export function nowOf(clock: Clock): Now {
  return { wallMs: Number(clock.wall() / 1_000_000n), bootMs: clock.boot() };
}
