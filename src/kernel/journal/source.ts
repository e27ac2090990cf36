import { constants, fdatasync, fstat, lstat, open, read, readSync, type BigIntStats } from 'node:fs';
import { promisify } from 'node:util';
import { describeSystemError } from '../errors/index.ts';
import { closeDescriptor, refuseHeld, refuseUnlessRegular } from '../files/index.ts';
import { journalNotAFile } from './errors.ts';

/** Bare descriptors, since the handles of the runtime close themselves at a moment of their own. */
const openDescriptor = promisify(open);
const fstatOf = promisify(fstat);
const lstatOf = promisify(lstat);
const readInto = promisify(read);
export const syncData = promisify(fdatasync);

// Without O_NONBLOCK a FIFO that nobody writes would be waited for.
const NEVER_ELSEWHERE = constants.O_NOFOLLOW | constants.O_NONBLOCK | constants.O_NOCTTY;

export interface OpenedFile {
  readonly descriptor: number;
  /** As it was opened. */
  readonly stats: BigIntStats;
}

/** `undefined` when there is no file. Throws `symlink-refused`, `not-a-file`, `file-held` and the like, with the path. */
export async function openToRead(path: string): Promise<OpenedFile | undefined> {
  if (refuseUnlessRegular(path) === 'missing') return undefined;
  try {
    return await openChecked(path, constants.O_RDONLY);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw describeSystemError(error, { action: 'read', path });
  }
}

/** Opens for appending and reading; a missing file is made, for its owner alone. */
export async function openToAppend(path: string): Promise<OpenedFile> {
  refuseUnlessRegular(path);
  try {
    return await openChecked(path, constants.O_RDWR | constants.O_APPEND | constants.O_CREAT);
  } catch (error) {
    throw describeSystemError(error, { action: 'open', path });
  }
}

export function closeFile({ descriptor, stats }: OpenedFile): void {
  closeDescriptor(descriptor, stats);
}

export async function sizeOf(descriptor: number): Promise<number> {
  return Number((await fstatOf(descriptor, { bigint: true })).size);
}

/** Gives less than asked for only at the end of the file. */
export async function readAt(descriptor: number, { offset, length }: { offset: number; length: number }): Promise<Buffer> {
  const buffer = Buffer.allocUnsafe(length);
  let filled = 0;
  while (filled < length) {
    const { bytesRead } = await readInto(descriptor, buffer, filled, length - filled, offset + filled);
    if (bytesRead === 0) break;
    filled += bytesRead;
  }
  return buffer.subarray(0, filled);
}

/** As `readAt`, on the caller's thread: for few bytes. */
export function readAtOnce(descriptor: number, { offset, length }: { offset: number; length: number }): Buffer {
  const buffer = Buffer.allocUnsafe(length);
  return buffer.subarray(0, readSync(descriptor, buffer, 0, length, offset));
}

/** What stands at the path by now, a link not followed; `undefined` when nothing does. */
export async function statsAt(path: string): Promise<BigIntStats | undefined> {
  try {
    return await lstatOf(path, { bigint: true });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined;
    throw describeSystemError(error, { action: 'read', path });
  }
}

async function openChecked(path: string, flags: number): Promise<OpenedFile> {
  const descriptor = await openDescriptor(path, flags | NEVER_ELSEWHERE, 0o600);
  const stats = await fstatOf(descriptor, { bigint: true });
  try {
    if (!stats.isFile()) throw journalNotAFile({ path });
    refuseHeld(path, stats);
    return { descriptor, stats };
  } catch (error) {
    closeDescriptor(descriptor, stats);
    throw error;
  }
}
