import { setTimeout as sleep } from 'node:timers/promises';
import type { Clock } from '../time/index.ts';

/** How long one call may block in SQLite's own wait, in milliseconds; the rest is waited for outside. */
export const BLOCKING_WAIT_MS = 25;

const PAUSES_MS = [1, 2, 5, 10, 15, 20, 25] as const;
const LONGEST_PAUSE_MS = 25;

export interface Patience {
  readonly clock: Pick<Clock, 'mono'>;
  /** How long other processes are waited for, in milliseconds. */
  readonly busyTimeoutMs: number;
  readonly isBusy: (error: unknown) => boolean;
  readonly signal?: AbortSignal | undefined;
}

/** Does `work` at once, and again after growing pauses while it fails as busy and the time is not up. */
export async function retryWhileBusy<Result>(work: () => Result, patience: Patience): Promise<Result> {
  const { clock, busyTimeoutMs, isBusy, signal } = patience;
  const deadline = clock.mono() + busyTimeoutMs;
  for (let attempt = 0; ; attempt += 1) {
    signal?.throwIfAborted();
    try {
      return work();
    } catch (error) {
      if (!isBusy(error) || clock.mono() >= deadline) throw error;
    }
    await pauseAfter(attempt, signal);
  }
}

/** Waits a little longer after each attempt, counted from 0; an abort ends it with its reason. */
export function pauseAfter(attempt: number, signal: AbortSignal | undefined): Promise<void> {
  return pause(PAUSES_MS[attempt] ?? LONGEST_PAUSE_MS, signal);
}

export async function pause(milliseconds: number, signal: AbortSignal | undefined): Promise<void> {
  try {
    await sleep(milliseconds, undefined, signal === undefined ? {} : { signal });
  } catch (error) {
    // The caller is told its own reason, not the timer's.
    signal?.throwIfAborted();
    throw error;
  }
}
