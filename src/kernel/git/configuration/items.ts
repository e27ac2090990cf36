import { createHash } from 'node:crypto';
import { constants, type BigIntStats } from 'node:fs';
import { lstat, open, readdir, readlink, type FileHandle } from 'node:fs/promises';
import { describeSystemError } from '../../errors/index.ts';

/** What a file could do to a git command that runs in the repository. */
export type ItemRole =
  /** A file of settings: they name programs, other files of settings, and places. */
  | 'settings'
  /** A program that git starts by itself. */
  | 'hook'
  /** As `hook`, in a folder of the checkout: its files are part of the work. */
  | 'hook-of-the-tree'
  /** Names filters, drivers and encodings by path. */
  | 'attributes'
  /** Says where the repository, its objects or its history are. */
  | 'place'
  /** Says which files are looked at. */
  | 'selection';

/** One file, folder or link as it was found. */
export interface ConfigurationItem {
  /** Absolute; a name that is not UTF-8 has U+FFFD in it. */
  readonly path: string;
  readonly role: ItemRole;
  readonly type: 'file' | 'folder' | 'link' | 'other' | 'unreadable';
  readonly executable: boolean;
  /** Where a link leads. */
  readonly target: string | undefined;
  /** SHA-256 of the content that git would read there, through links; `undefined` where there is none. */
  readonly hash: string | undefined;
  /** Of settings, attributes, places and selections up to 64 KiB: for showing what changed. May hold secrets. */
  readonly text: string | undefined;
}

const LONGEST_TEXT = 64 * 1024;
/** What is longer is no configuration; the rest does not count. */
const MOST_HASHED = 16 * 2 ** 20;
const CHUNK_BYTES = 256 * 1024;
const EXECUTE_BITS = 0o111n;
/** A FIFO is not waited for. */
const OPEN_FLAGS = constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOCTTY;

/**
 * Looks at one path with plain reads; `undefined` when nothing is there. A link is told as one, and what it leads to
 * counts too, since git follows it.
 */
export async function lookAt(path: string, role: ItemRole): Promise<ConfigurationItem | undefined> {
  const stats = await statsOf(path);
  if (stats === undefined) return undefined;
  const type = typeOf(stats);
  const target = type === 'link' ? await readlink(path) : undefined;
  const content = type === 'file' || type === 'link' ? await contentOf(path) : NOTHING;
  const isProgram = role === 'hook' || role === 'hook-of-the-tree';
  return {
    path,
    role,
    type: content.unreadable ? 'unreadable' : type,
    executable: type === 'file' && (stats.mode & EXECUTE_BITS) !== 0n,
    target,
    hash: content.hash,
    text: isProgram ? undefined : content.text,
  };
}

/** The names in a folder, sorted; none where there is no folder. */
export async function namesIn(folder: string): Promise<readonly string[]> {
  try {
    return (await readdir(folder)).sort();
  } catch (error) {
    // The folder's own item tells what stands there instead, or that it may not be read.
    if (['ENOENT', 'ENOTDIR', 'EACCES', 'ELOOP'].includes(String((error as NodeJS.ErrnoException).code))) return [];
    throw describeSystemError(error, { action: 'read', path: folder });
  }
}

interface Content {
  readonly hash: string | undefined;
  readonly text: string | undefined;
  readonly unreadable: boolean;
}

const NOTHING: Content = { hash: undefined, text: undefined, unreadable: false };

async function statsOf(path: string): Promise<BigIntStats | undefined> {
  try {
    return await lstat(path, { bigint: true });
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes(String((error as NodeJS.ErrnoException).code))) return undefined;
    throw describeSystemError(error, { action: 'look at', path });
  }
}

function typeOf(stats: BigIntStats): 'file' | 'folder' | 'link' | 'other' {
  if (stats.isSymbolicLink()) return 'link';
  if (stats.isDirectory()) return 'folder';
  return stats.isFile() ? 'file' : 'other';
}

async function contentOf(path: string): Promise<Content> {
  let handle: FileHandle;
  try {
    handle = await open(path, OPEN_FLAGS);
  } catch {
    // It is told as unreadable (or as a link that leads nowhere): git could not read it either.
    return { ...NOTHING, unreadable: true };
  }
  try {
    return (await handle.stat()).isFile() ? await hashOf(handle) : NOTHING;
  } catch (error) {
    throw describeSystemError(error, { action: 'read', path });
  } finally {
    await handle.close();
  }
}

async function hashOf(handle: FileHandle): Promise<Content> {
  const hash = createHash('sha256');
  const buffer = Buffer.alloc(CHUNK_BYTES);
  let text: string | undefined;
  for (let length = 0; length < MOST_HASHED; ) {
    const { bytesRead } = await handle.read(buffer, 0, buffer.length, length);
    const chunk = buffer.subarray(0, bytesRead);
    if (length === 0 && bytesRead <= LONGEST_TEXT) text = chunk.toString();
    if (bytesRead === 0) break;
    length += bytesRead;
    hash.update(chunk);
  }
  return { hash: hash.digest('hex'), text, unreadable: false };
}
