import { join } from 'node:path';
import { isHeld, takeLock, type Lock } from '../../kernel/lock/index.ts';
import type { Clock } from '../../kernel/time/index.ts';
import { runLockTaken } from './errors.ts';

const LOCK_FILE = 'run.lock';
/** Nobody else takes it, but a look at it may be under way. */
const LOOKERS_WAIT_MS = 1000;

/** Says that a run is alive, as long as its process is; the folder is the run's own and new. */
export async function lockRun(logFolder: string, clock: Clock): Promise<Lock> {
  const lock = await takeLock(join(logFolder, LOCK_FILE), { clock, waitMs: LOOKERS_WAIT_MS });
  if (lock === 'held') throw runLockTaken({ path: logFolder });
  return lock;
}

/** Whether a process holds the run; a run whose folder is gone is held by nobody. */
export function runIsAlive(logFolder: string): boolean {
  return isHeld(join(logFolder, LOCK_FILE));
}

/** As `runIsAlive`, for whoever would remove it: a lock that cannot be looked at is not called free. */
export function mayBeAlive(logFolder: string): boolean {
  try {
    return runIsAlive(logFolder);
  } catch {
    // One such run is no reason to keep all others; listing it tells what is wrong.
    return true;
  }
}
