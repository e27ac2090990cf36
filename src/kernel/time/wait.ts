import type { Clock } from './clock.ts';
import { deadlineAfter, type Deadline, type Expiry } from './deadline.ts';

/** Waits by the system's timers, at most for `ms`; it may be early when the signal aborts, never throws for it. */
export type Pause = (ms: number, signal: AbortSignal | undefined) => Promise<void>;

export interface WaitOptions {
  /** Ends the wait: it rejects with the reason of the signal. */
  readonly signal?: AbortSignal | undefined;
  /** How time passes; tests give one that moves their clock. Default: the system's timers. */
  readonly pause?: Pause;
}

/** The system's timers stand still while the machine sleeps, so the hands are looked at again this often. */
const LONGEST_PAUSE_MS = 1000;

/**
 * Waits until a deadline is expired, by whichever hand; a sleep of the machine is noticed within a second of waking.
 * Rejects with the signal's reason. Says how it expired, as `Deadline.expiry` does.
 *
 * @example
 * const expiry = await waitFor(deadline, { signal });
 */
export async function waitFor(deadline: Deadline, options: WaitOptions = {}): Promise<Exclude<Expiry, 'running'>> {
  const { signal, pause = systemPause } = options;
  for (;;) {
    signal?.throwIfAborted();
    const expiry = deadline.expiry();
    if (expiry !== 'running') return expiry;
    await pause(Math.min(Math.ceil(deadline.remainingMs()), LONGEST_PAUSE_MS), signal);
  }
}

/**
 * Waits for `ms` of the clock, the machine's sleep counted from a second on. Rejects with the signal's reason.
 *
 * @example
 * await sleep(250, { clock, signal });
 */
export async function sleep(ms: number, { clock, ...options }: WaitOptions & { readonly clock: Clock }): Promise<void> {
  await waitFor(deadlineAfter(ms, clock), options);
}

function systemPause(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve) => {
    const end = (): void => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', end);
      resolve();
    };
    const timer = setTimeout(end, ms);
    signal?.addEventListener('abort', end);
  });
}
