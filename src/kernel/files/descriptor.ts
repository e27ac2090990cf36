import { closeSync, constants, existsSync, type BigIntStats } from 'node:fs';
import { describeSystemError } from '../errors/index.ts';
import { lstatPath, openDescriptor, statDescriptor, statPath } from './calls.ts';
import { notARegularFile } from './errors.ts';
import { closeDescriptor, refuseHeld } from './held.ts';

/** Opens nothing but a way to the file: no content, no waiting, and closing it leaves locks alone. Linux. */
const O_PATH = 0o10_000_000;

export interface Opened {
  readonly descriptor: number;
  /** As it was opened. */
  readonly stats: BigIntStats;
}

export interface Opening {
  /** What the system is given. */
  readonly place: string;
  /** What a message calls it. */
  readonly path: string;
  /** Of `open(2)`, without creation. */
  readonly flags: number;
  /** Whether a link at the end of `place` is followed. */
  readonly links: 'follow' | 'refuse';
  /** Whether the system has `/proc/self/fd`. */
  readonly anchored: boolean;
}

/** Whether a descriptor can be used as a folder in a path, and opened again by its number. */
export function hasDescriptorPaths(): boolean {
  return process.platform === 'linux' && existsSync('/proc/self/fd');
}

/**
 * Opens a regular file that is not held, and nothing else; to be closed with `closeDescriptor`.
 * Throws `file-held`, `not-a-regular-file`, and what the system throws.
 */
export function openRegular(opening: Opening): Promise<Opened> {
  return opening.anchored ? openThroughPath(opening) : openAndCheck(opening);
}

/** Looks at the very file that is opened then, so that nothing can be put in its place in between. */
async function openThroughPath({ place, path, flags, links }: Opening): Promise<Opened> {
  const way = await openDescriptor(place, O_PATH | (links === 'refuse' ? constants.O_NOFOLLOW : 0));
  try {
    requireRegular(path, await statDescriptor(way));
    const descriptor = await openDescriptor(`/proc/self/fd/${way}`, flags);
    return { descriptor, stats: await statDescriptor(descriptor) };
  } finally {
    closeSync(way);
  }
}

async function openAndCheck({ place, path, flags, links }: Opening): Promise<Opened> {
  requireRegular(path, await (links === 'follow' ? statPath : lstatPath)(place, { bigint: true }));
  // A FIFO that nobody writes would be waited for.
  const bare = flags | constants.O_NONBLOCK | constants.O_NOCTTY | (links === 'refuse' ? constants.O_NOFOLLOW : 0);
  const descriptor = await openDescriptor(place, bare);
  const stats = await statDescriptor(descriptor);
  try {
    requireRegular(path, stats);
    return { descriptor, stats };
  } catch (error) {
    closeDescriptor(descriptor, stats);
    throw error;
  }
}

function requireRegular(path: string, stats: BigIntStats): void {
  if (stats.isSymbolicLink()) throw describeSystemError({ code: 'ELOOP' }, { action: 'open', path });
  if (stats.isDirectory()) throw describeSystemError({ code: 'EISDIR' }, { action: 'open', path });
  if (!stats.isFile()) throw notARegularFile({ path });
  refuseHeld(path, stats);
}
