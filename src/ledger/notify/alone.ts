import { takeLock } from '../../kernel/lock/index.ts';
import type { Clock } from '../../kernel/time/index.ts';
import type { NotifierOptions } from './notifier.ts';

export interface AloneOptions {
  /** The lock's file; its folder must exist. */
  readonly path: string;
  readonly clock: Clock;
  /** How long another process that delivers is waited for, in milliseconds. */
  readonly waitMs: number;
  readonly signal: AbortSignal;
}

/** Lets one process deliver at a time: the lock is the system's and ends with its process. */
export function alone({ path, ...options }: AloneOptions): NotifierOptions['alone'] {
  return async (work) => {
    const lock = await takeLock(path, options);
    if (lock === 'held') return 'busy';
    try {
      await work();
      return 'done';
    } finally {
      lock.release();
    }
  };
}
