import { constants, fstatSync, openSync, readFileSync, statSync, type BigIntStats } from 'node:fs';
import { describeSystemError } from '../errors/index.ts';
import { fileTooLarge, notARegularFile } from './errors.ts';
import { closeDescriptor, refuseHeld } from './held.ts';

export interface ReadOptions {
  /** A longer file is refused with `file-too-large`. Without it the size is not bounded. */
  readonly maxBytes?: number;
}

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
