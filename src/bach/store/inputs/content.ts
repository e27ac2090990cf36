import { hash as digest } from 'node:crypto';
import { constants, fstatSync, openSync, readSync, type BigIntStats } from 'node:fs';
import { isDroverError } from '../../../kernel/errors/index.ts';
import { closeDescriptor, hashFile, refuseHeld, type FileStamp, type HashedFile } from '../../../kernel/files/index.ts';

/** Read in one go by the thread itself: a promise for each of thousands of small files takes longer than they do. */
const SMALL = 262_144;
/** Of `open(2)`; without `O_NONBLOCK` a FIFO that was put in the file's place would be waited for. */
export const READING = constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOCTTY;

/** For calls that are through with it before anything else can use it. */
export const READ_BUFFER = new Uint8Array(SMALL);

/** A file whose stamp was just taken. */
export interface FileToRead {
  /** Absolute. */
  readonly path: string;
  readonly stamp: FileStamp;
}

export type Clock = Parameters<typeof hashFile>[1]['clock'];

/** `changing`: it was written to each time it was read. `denied`: it may not be read. `gone`: it is a file no more. */
export type Content = { readonly kind: 'hashed'; readonly file: HashedFile } | { readonly kind: 'changing' | 'denied' | 'gone' };

/** The hash of a small file that stood still; `undefined` for any other, which `contentOf` finds out about. */
export function hashNow({ path, stamp }: FileToRead, clock: Clock): HashedFile | undefined {
  if (stamp.size >= SMALL) return undefined;
  const startedNs = clock.wall();
  try {
    refuseHeld(path, stamp);
    const { length, after } = readSmall(path, Number(stamp.size));
    // The stamp from before the reading and the one from after it are of the same file, which did not move.
    const isWhole = length === Number(stamp.size) && isSame(stamp, after);
    return isWhole ? { hash: sha256(READ_BUFFER.subarray(0, length)), stamp, startedNs } : undefined;
  } catch {
    // What is wrong with it is said when it is read again.
    return undefined;
  }
}

/** Reads until the file stood still, links followed, giving way to others. Rejects with the reason of the signal. */
export async function contentOf(path: string, clock: Clock, signal?: AbortSignal): Promise<Content> {
  try {
    return { kind: 'hashed', file: await hashFile(path, { clock, signal }) };
  } catch (error) {
    const kind = isDroverError(error) ? WITHOUT_HASH.get(error.code) : undefined;
    if (kind === undefined) throw error;
    return { kind };
  }
}

const WITHOUT_HASH: ReadonlyMap<string, 'changing' | 'denied' | 'gone'> = new Map([
  ['file-changing', 'changing'],
  ['permission-denied', 'denied'],
  ['file-held', 'denied'],
  ['not-found', 'gone'],
  ['not-a-directory', 'gone'],
  ['not-a-file', 'gone'],
  ['not-a-regular-file', 'gone'],
  ['symlink-refused', 'gone'],
]);

/** In hex. */
export function sha256(content: string | Uint8Array): string {
  return digest('sha256', content, 'hex');
}

function readSmall(path: string, size: number): { readonly length: number; readonly after: BigIntStats } {
  const descriptor = openSync(path, READING);
  let length = 0;
  let after: BigIntStats;
  try {
    length = readUpTo(descriptor, size);
  } finally {
    after = fstatSync(descriptor, { bigint: true });
    closeDescriptor(descriptor, after);
  }
  return { length, after };
}

function readUpTo(descriptor: number, size: number): number {
  let length = 0;
  for (let read = -1; read !== 0 && (read < 0 || length < size); length += read) {
    read = readSync(descriptor, READ_BUFFER, length, SMALL - length, length);
  }
  return length;
}

/** Nothing moved between two looks at a file. */
export function isSame(a: FileStamp, b: FileStamp): boolean {
  return a.size === b.size && a.mtimeNs === b.mtimeNs && a.ctimeNs === b.ctimeNs && a.ino === b.ino && a.dev === b.dev;
}
