import { constants, fstatSync, lstatSync, openSync, readFileSync, statSync, type BigIntStats, type Stats } from 'node:fs';
import { dirname } from 'node:path';
import { describeSystemError } from '../errors/index.ts';
import { fileTooLarge, notARegularFile } from './errors.ts';
import { foldersBelow } from './folder.ts';
import { closeDescriptor, refuseHeld } from './held.ts';

export interface ReadOptions {
  /** A longer file is refused with `file-too-large`. Without it the size is not bounded. */
  readonly maxBytes?: number;
}

export interface PrivateOptions extends Required<ReadOptions> {
  /** An existing folder that is trusted as it is, links included. */
  readonly root: string;
}

const OTHERS = 0o077;
const OTHERS_WRITE = 0o022;

/**
 * Reads a regular file whole. A FIFO or a device is refused instead of waited for.
 * Throws `not-found`, `not-a-file`, `permission-denied`, `file-too-large`, `file-held` and the like, with the path.
 *
 * @example
 * const bytes = readBytes('/project/notes.txt', { maxBytes: 64 * 2 ** 20 });
 */
export function readBytes(path: string, options: ReadOptions = {}): Uint8Array {
  const bytes = readBytesIfPresent(path, options);
  if (bytes === undefined) throw describeSystemError({ code: 'ENOENT' }, { action: 'read', path });
  return bytes;
}

/** As `readBytes`, but `undefined` when there is nothing at `path`. */
export function readBytesIfPresent(path: string, options: ReadOptions = {}): Uint8Array | undefined {
  try {
    refuseHeld(path, statSync(path, { bigint: true }));
    return readOpened(path, options);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw describeSystemError(error, { action: 'read', path });
  }
}

function readOpened(path: string, { maxBytes = Number.POSITIVE_INFINITY }: ReadOptions): Uint8Array {
  // Without O_NONBLOCK a FIFO that nobody writes would be waited for.
  const descriptor = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOCTTY);
  const stats = fstatSync(descriptor, { bigint: true });
  try {
    // It may have been swapped since it was looked at.
    refuseHeld(path, stats);
    return readRegular({ path, descriptor, stats, maxBytes });
  } finally {
    closeDescriptor(descriptor, stats);
  }
}

interface Opened {
  readonly path: string;
  readonly descriptor: number;
  readonly stats: BigIntStats;
  readonly maxBytes: number;
}

function readRegular({ path, descriptor, stats, maxBytes }: Opened): Uint8Array {
  // A directory is left to the read, whose refusal says what it is.
  if (!stats.isFile() && !stats.isDirectory()) throw notARegularFile({ path });
  if (stats.size > maxBytes) throw fileTooLarge({ path, size: Number(stats.size), maxBytes });
  const bytes = readFileSync(descriptor);
  if (bytes.length > maxBytes) throw fileTooLarge({ path, size: bytes.length, maxBytes });
  return bytes;
}

/**
 * Reads a file that nobody but this user can have put there: his own, closed to all others, in a folder of his that no
 * other may write to, with no link on the way from `root`. Anything else is `undefined`, as if nothing were there.
 * Throws `path-outside`, and what `readBytes` throws.
 *
 * @example
 * const bytes = readPrivate('/project/.state/cache/1', { root: '/project', maxBytes: 2 ** 20 });
 */
export function readPrivate(path: string, { root, maxBytes }: PrivateOptions): Uint8Array | undefined {
  const folder = dirname(path);
  if (!foldersBelow(root, folder).every((each) => lookAt(each)?.isDirectory() === true)) return undefined;
  const [above, file] = [lookAt(folder), lookAt(path)];
  if (above === undefined || !isOurs(above, OTHERS_WRITE)) return undefined;
  if (file === undefined || !file.isFile() || !isOurs(file, OTHERS) || file.size > maxBytes) return undefined;
  return readBytesIfPresent(path, { maxBytes });
}

/** A link itself, not where it leads. */
function lookAt(path: string): Stats | undefined {
  try {
    return lstatSync(path, { throwIfNoEntry: false });
  } catch {
    // Where nobody may look there is nothing of ours.
    return undefined;
  }
}

function isOurs({ uid, mode }: Stats, closedTo: number): boolean {
  return uid === (process.geteuid?.() ?? uid) && (mode & closedTo) === 0;
}
