import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describeSystemError } from '../kernel/errors/index.ts';
import { endLeftovers, type NamedProcess } from '../kernel/process/index.ts';
import { leftoversAlive } from './errors.ts';
import type { EnginePorts } from './ports.ts';

interface Recorded {
  /** The folder of the session records; each file in it is one. */
  readonly sessions: string;
  /** The marker of everything that this run starts, the same for all its holders. */
  readonly marker: string;
  /** Milliseconds between TERM and KILL. */
  readonly graceMs: number;
}

/**
 * Ends what the holder before left running: by its session records, and by the marker what had no record yet.
 * Throws `leftovers-alive` when something cannot be ended, or a record is there whose program this system cannot tell
 * from another: what it still does could not be told from our own work. Without a record nothing is known to have run.
 */
export function endingLeftovers({ sessions, marker, graceMs }: Recorded): EnginePorts['settleLeftovers'] {
  return async (signal) => {
    const left: NamedProcess[] = [];
    const untold: string[] = [];
    for (const name of namesIn(sessions)) {
      signal.throwIfAborted();
      const record = join(sessions, name);
      const end = await endLeftovers({ record }, { graceMs });
      left.push(...end.left);
      if (end.found === 'unknown') untold.push(record);
    }
    // By then the run may be another's, and so is what carries its marker.
    signal.throwIfAborted();
    left.push(...(await endLeftovers({ marker }, { graceMs })).left);
    refuseLeft({ processes: left, untold });
  };
}

/** Exported for its test: what cannot be ended by anybody is not to be had there. */
export function refuseLeft(left: { readonly processes: readonly NamedProcess[]; readonly untold: readonly string[] }): void {
  if (left.processes.length > 0 || left.untold.length > 0) throw leftoversAlive(left);
}

function namesIn(folder: string): readonly string[] {
  try {
    // Temporary files of a write that was cut off begin with a dot.
    return readdirSync(folder).filter((name) => !name.startsWith('.'));
  } catch (error) {
    throw describeSystemError(error, { action: 'read', path: folder });
  }
}
