import { close, fstat, fsync, link, lstat, open, read, readdir, rename, stat, unlink, write, type BigIntStats } from 'node:fs';
import { promisify } from 'node:util';
import { shortWrite } from './errors.ts';

/**
 * The system's calls as promises, on paths and on bare descriptors. The handles of `node:fs/promises` close themselves
 * when they are collected, which could break the locks of a file that is held by then; and loading that module slows
 * every start down. The marks let a bundle leave out what an executable does not use.
 */
export const openDescriptor = /* @__PURE__ */ promisify(open);
export const syncDescriptor = /* @__PURE__ */ promisify(fsync);
export const renamePath = /* @__PURE__ */ promisify(rename);
export const unlinkPath = /* @__PURE__ */ promisify(unlink);
export const linkPath = /* @__PURE__ */ promisify(link);
export const statPath = /* @__PURE__ */ promisify(stat);
export const lstatPath = /* @__PURE__ */ promisify(lstat);
export const namesIn = /* @__PURE__ */ promisify(readdir);
/** Only for what nobody else can have locked: a folder, or a file without a name that others know. */
export const closeUnshared = /* @__PURE__ */ promisify(close);
const fstatOf = /* @__PURE__ */ promisify(fstat);
const readInto = /* @__PURE__ */ promisify(read);
const writeFrom = /* @__PURE__ */ promisify(write);

export async function statDescriptor(descriptor: number): Promise<BigIntStats> {
  return fstatOf(descriptor, { bigint: true });
}

/** Returns how much was read: less than asked for only at the end of the file. */
export async function readFully(descriptor: number, buffer: Uint8Array, position: number): Promise<number> {
  let filled = 0;
  while (filled < buffer.length) {
    const { bytesRead } = await readInto(descriptor, buffer, filled, buffer.length - filled, position + filled);
    if (bytesRead === 0) break;
    filled += bytesRead;
  }
  return filled;
}

/** In as many writes as it takes; whoever calls it checks the size, since a write of nothing ends it. */
export async function writeAll(descriptor: number, bytes: Uint8Array): Promise<void> {
  for (let written = 0; written < bytes.length; ) {
    const { bytesWritten } = await writeFrom(descriptor, bytes, written, bytes.length - written, null);
    if (bytesWritten === 0) return;
    written += bytesWritten;
  }
}

/** One write, at the end or at `position`. Throws `short-write` when the system takes a part only. */
export async function writeOnce({ descriptor, path, bytes, position }: Write): Promise<void> {
  const { bytesWritten } = await writeFrom(descriptor, bytes, 0, bytes.length, position);
  if (bytesWritten !== bytes.length) throw shortWrite({ path, size: bytesWritten, expected: bytes.length });
}

interface Write {
  readonly descriptor: number;
  readonly path: string;
  readonly bytes: Uint8Array;
  /** `null`: where the descriptor stands, or at the end for one that appends. */
  readonly position: number | null;
}
