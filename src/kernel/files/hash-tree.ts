import { isDroverError } from '../errors/index.ts';
import { hashDescriptor, type HashOptions } from './hash.ts';
import type { FolderEntry } from './list.ts';
import { openFolder, type SafeFolder } from './safe-folder.ts';

/**
 * Why something has no hash. `held`: a database or a lock that this process uses. `link`: never followed. `special`: a
 * pipe, a socket, a device. `changing`: written to the whole time. `gone`: removed or replaced since it was listed.
 * `denied`: may not be read. `undecodable`: its name is not UTF-8.
 */
export type SkipReason = 'held' | 'link' | 'special' | 'changing' | 'gone' | 'denied' | 'undecodable';

export type TreeEntry =
  | {
      readonly kind: 'file';
      /** From the root of the tree. */
      readonly path: string;
      /** SHA-256, in hex. */
      readonly hash: string;
      readonly size: bigint;
    }
  | {
      readonly kind: 'skipped';
      /** From the root of the tree; of an undecodable name the bytes above 127 stand as `\xff`. */
      readonly path: string;
      readonly reason: SkipReason;
    };

const REASONS: ReadonlyMap<string, SkipReason> = new Map([
  ['file-held', 'held'],
  ['symlink-refused', 'link'],
  ['not-a-regular-file', 'special'],
  ['file-changing', 'changing'],
  ['not-found', 'gone'],
  ['not-a-directory', 'gone'],
  ['not-a-file', 'gone'],
  ['permission-denied', 'denied'],
]);

/**
 * Hashes each regular file below a folder, in the order of the names' bytes, and says of everything else why it was
 * skipped; links are not followed. Nothing that is held is opened.
 * Throws what the system refuses beyond that, and the signal's reason.
 *
 * @example
 * for await (const entry of hashTree('/project/.state', { clock })) {
 *   if (entry.kind === 'file') hashes.set(entry.path, entry.hash);
 * }
 */
export async function* hashTree(root: string, options: HashOptions): AsyncGenerator<TreeEntry> {
  const folder = await openFolder(root);
  try {
    yield* entriesBelow(folder, '', options);
  } finally {
    await folder.close();
  }
}

async function* entriesBelow(folder: SafeFolder, prefix: string, options: HashOptions): AsyncGenerator<TreeEntry> {
  for (const entry of await folder.list()) {
    options.signal?.throwIfAborted();
    const path = prefix + (entry.name ?? escaped(entry.bytes));
    if (entry.kind === 'folder' && entry.name !== undefined) yield* belowChild({ folder, name: entry.name, path }, options);
    else yield await hashOf({ folder, entry, path }, options);
  }
}

async function* belowChild({ folder, name, path }: { folder: SafeFolder; name: string; path: string }, options: HashOptions): AsyncGenerator<TreeEntry> {
  const opened = await orSkipped(path, () => folder.folder(name));
  if ('kind' in opened) {
    yield opened;
    return;
  }
  try {
    yield* entriesBelow(opened, `${path}/`, options);
  } finally {
    await opened.close();
  }
}

async function hashOf({ folder, entry, path }: { folder: SafeFolder; entry: FolderEntry; path: string }, options: HashOptions): Promise<TreeEntry> {
  const { name } = entry;
  if (name === undefined) return { kind: 'skipped', path, reason: 'undecodable' };
  if (entry.kind === 'link') return { kind: 'skipped', path, reason: 'link' };
  return orSkipped(path, async (): Promise<TreeEntry> => {
    const file = await folder.open(name, 'read');
    try {
      const { hash, stamp } = await hashDescriptor(file, options);
      return { kind: 'file', path, hash, size: stamp.size };
    } finally {
      file.close();
    }
  });
}

async function orSkipped<Result>(path: string, work: () => Promise<Result>): Promise<Result | Extract<TreeEntry, { kind: 'skipped' }>> {
  try {
    return await work();
  } catch (error) {
    const reason = isDroverError(error) ? REASONS.get(error.code) : undefined;
    if (reason === undefined) throw error;
    return { kind: 'skipped', path, reason };
  }
}

function escaped(bytes: Uint8Array): string {
  return [...bytes].map((byte) => (byte < 128 ? String.fromCodePoint(byte) : `\\x${byte.toString(16)}`)).join('');
}
