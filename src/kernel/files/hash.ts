import { createHash } from 'node:crypto';
import { constants, type BigIntStats } from 'node:fs';
import { describeSystemError } from '../errors/index.ts';
import { readFully, statDescriptor } from './calls.ts';
import { hasDescriptorPaths, openRegular } from './descriptor.ts';
import { fileChanging } from './errors.ts';
import { closeDescriptor } from './held.ts';

/** What tells one content of a file from another without reading it; times in nanoseconds. */
export interface FileStamp {
  readonly dev: bigint;
  readonly ino: bigint;
  readonly size: bigint;
  readonly mtimeNs: bigint;
  readonly ctimeNs: bigint;
}

export interface HashedFile {
  /** SHA-256, in hex. */
  readonly hash: string;
  /** The same before and after the reading. */
  readonly stamp: FileStamp;
  /** The wall clock when the reading began, in nanoseconds since 1970. */
  readonly startedNs: bigint;
}

export interface HashOptions {
  readonly clock: { wall(): bigint };
  /** Ends the reading: it rejects with the reason of the signal. */
  readonly signal?: AbortSignal | undefined;
}

const CHUNK = 262_144;
const MAX_READINGS = 4;

/**
 * Hashes a regular file, links followed, with as much memory whatever its size. A file that changes meanwhile is read
 * again a few times. Throws `file-held`, `file-changing`, `not-found`, `not-a-file`, `not-a-regular-file` and the like,
 * with the path.
 *
 * @example
 * const { hash, stamp, startedNs } = await hashFile('/project/dist/app', { clock, signal });
 */
export async function hashFile(path: string, options: HashOptions): Promise<HashedFile> {
  try {
    const opening = { place: path, path, flags: constants.O_RDONLY, links: 'follow', anchored: hasDescriptorPaths() } as const;
    const { descriptor, stats } = await openRegular(opening);
    try {
      return await hashDescriptor({ descriptor, path }, options);
    } finally {
      closeDescriptor(descriptor, stats);
    }
  } catch (error) {
    options.signal?.throwIfAborted();
    throw describeSystemError(error, { action: 'read', path });
  }
}

/** As `hashFile`, of what is open. Throws `file-changing`, the signal's reason, and what the system throws. */
export async function hashDescriptor(file: { readonly descriptor: number; readonly path: string }, options: HashOptions): Promise<HashedFile> {
  for (let reading = 0; reading < MAX_READINGS; reading += 1) {
    const startedNs = options.clock.wall();
    const before = stampOf(await statDescriptor(file.descriptor));
    const hash = await hashContent(file.descriptor, options.signal);
    const stamp = stampOf(await statDescriptor(file.descriptor));
    if (isSameStamp(before, stamp)) return { hash, stamp, startedNs };
  }
  throw fileChanging({ path: file.path });
}

export function stampOf({ dev, ino, size, mtimeNs, ctimeNs }: BigIntStats): FileStamp {
  return { dev, ino, size, mtimeNs, ctimeNs };
}

export function isSameStamp(a: FileStamp, b: FileStamp): boolean {
  return a.size === b.size && a.mtimeNs === b.mtimeNs && a.ctimeNs === b.ctimeNs && a.ino === b.ino && a.dev === b.dev;
}

async function hashContent(descriptor: number, signal: AbortSignal | undefined): Promise<string> {
  const hash = createHash('sha256');
  const buffer = new Uint8Array(CHUNK);
  for (let position = 0; ; ) {
    signal?.throwIfAborted();
    const length = await readFully(descriptor, buffer, position);
    hash.update(buffer.subarray(0, length));
    if (length < CHUNK) return hash.digest('hex');
    position += length;
  }
}
