import { join } from 'node:path';
import { createFolderExclusive } from '../files/index.ts';
import { civilTime, fractionDigits, type Clock } from '../time/index.ts';

/** The moment a run began, as its name: `20260608T120000.000000000Z`. Readers take it as it is. */
export type RunId = string;

export interface RunClaim {
  readonly id: RunId;
  /** Made by this claim, mode 0700, empty. */
  readonly folder: string;
}

/**
 * Takes a run id that nobody else has, by making its folder below `parentFolder` (which must exist): the id is the
 * clock's time, one nanosecond later as long as the folder is taken.
 * Throws what `kernel/errors` makes of the system's refusal.
 *
 * @example
 * const { id, folder } = claimRunId(systemClock(), '/project/.state/runs');
 */
export function claimRunId(clock: Pick<Clock, 'wall'>, parentFolder: string): RunClaim {
  for (let moment = clock.wall(); ; moment += 1n) {
    const id = runIdAt(moment);
    const folder = join(parentFolder, id);
    if (createFolderExclusive(folder) === 'created') return { id, folder };
  }
}

/** The id of a run that began at `nanoseconds` since 1970; later moments sort after earlier ones as text. */
export function runIdAt(nanoseconds: bigint): RunId {
  const seconds = civilTime(nanoseconds).replaceAll(/[-:]/g, '');
  return `${seconds}.${fractionDigits(nanoseconds)}Z`;
}
