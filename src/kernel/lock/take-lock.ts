import { isDroverError } from '../errors/index.ts';
import { sleep, type Clock } from '../time/index.ts';
import { removeHolderNote, writeHolderNote, type HolderNote } from './holder-note.ts';
import { tryLock, type Lock } from './lock.ts';

export interface TakeOptions {
  readonly clock: Clock;
  /** How long a holder is waited for, in milliseconds; 0 tries once. */
  readonly waitMs: number;
  /** Ends the waiting with its reason. */
  readonly signal?: AbortSignal;
  /** Put beside the lock for people to read while it is held, and taken away with the release. */
  readonly note?: HolderNote;
}

const PAUSES_MS = [1, 2, 5, 10, 20] as const;
const LONGEST_PAUSE_MS = 50;

/**
 * As `tryLock`, but waits for a holder without blocking; `'held'` when the time is up. Whoever waits has no place in
 * a queue. Throws what `tryLock` throws, `lock-disturbed` only when that lasts to the end.
 *
 * @example
 * const lock = await takeLock('/repo/.git/drover.lock', { clock, waitMs: 30_000, signal, note: holderNote(clock, 'drover run') });
 * if (lock === 'held') throw busy({ by: readHolderNote('/repo/.git/drover.lock')?.command });
 */
export async function takeLock(path: string, options: TakeOptions): Promise<Lock | 'held'> {
  const { clock, waitMs, signal } = options;
  const deadline = clock.mono() + waitMs;
  for (let attempt = 0; ; attempt += 1) {
    signal?.throwIfAborted();
    const isLast = clock.mono() >= deadline;
    const lock = attemptLock(path, isLast ? 'throw' : 'wait');
    if (lock !== 'held') return noted(lock, options.note);
    if (isLast) return 'held';
    await sleep(PAUSES_MS[attempt] ?? LONGEST_PAUSE_MS, { clock, signal });
  }
}

function attemptLock(path: string, whenDisturbed: 'throw' | 'wait'): Lock | 'held' {
  try {
    return tryLock(path);
  } catch (error) {
    if (whenDisturbed === 'wait' && isDroverError(error) && error.code === 'lock-disturbed') return 'held';
    throw error;
  }
}

function noted(lock: Lock, note: HolderNote | undefined): Lock {
  if (note === undefined) return lock;
  writeHolderNote(lock.path, note);
  return {
    path: lock.path,
    identity: lock.identity,
    confirm: () => lock.confirm(),
    release(options) {
      // While it is still held, afterwards the note is another's.
      removeHolderNote(lock.path);
      lock.release(options);
    },
  };
}
