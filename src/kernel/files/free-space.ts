import { statfs } from 'node:fs/promises';
import { describeSystemError } from '../errors/index.ts';
import { diskReserve } from './errors.ts';

const MIB = 2 ** 20;

/** What is kept for work that was begun: below it nothing new is to begin. */
export const DISK_RESERVE_BYTES = 100 * MIB;

export interface FreeSpace {
  /** Free for this user. */
  readonly bytes: number;
  /** Files that can still be made; nothing where the file system does not count them. */
  readonly inodes: number | undefined;
}

/** What the file system of a folder has left. Throws when it cannot be asked. */
export async function freeSpace(folder: string): Promise<FreeSpace> {
  try {
    const { bavail, bsize, files, ffree } = await statfs(folder);
    return { bytes: bavail * bsize, inodes: files === 0 ? undefined : ffree };
  } catch (error) {
    throw describeSystemError(error, { action: 'look for space at', path: folder });
  }
}

/**
 * Why nothing new should be begun in this folder, with the code that explains it, or `undefined` while there is room.
 * Asked before the disk is full, so that what was begun can still be written to its end.
 */
export async function spaceShortage(folder: string, { reserveBytes = DISK_RESERVE_BYTES } = {}): Promise<string | undefined> {
  const { bytes } = await freeSpace(folder);
  if (bytes >= reserveBytes) return undefined;
  const { code, message } = diskReserve({ path: folder, free: Math.floor(bytes / MIB), reserve: Math.ceil(reserveBytes / MIB) });
  return `${code}: ${message}`;
}
