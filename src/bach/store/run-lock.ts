import { join } from 'node:path';
import { isHeld, tryLock, type Lock } from '../../kernel/lock/index.ts';
import { runLockTaken } from './errors.ts';

const LOCK_FILE = 'run.lock';

/** Says that a run is alive, as long as its process is; the folder is the run's own and new. */
export function lockRun(logFolder: string): Lock {
  const lock = tryLock(join(logFolder, LOCK_FILE));
  if (lock === 'held') throw runLockTaken({ path: logFolder });
  return lock;
}

/** Whether a process holds the run; a run whose folder is gone is held by nobody. */
export function runIsAlive(logFolder: string): boolean {
  return isHeld(join(logFolder, LOCK_FILE));
}
