import { lstatSync, readdirSync, renameSync, unlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isDroverError } from '../../../kernel/errors/index.ts';
import { durablePoint, ensureFolder, readPrivate } from '../../../kernel/files/index.ts';

const FOLDER = '.bach/cache';
/** Of each kind so many are kept. */
const ENTRY = /^(project|standstill)-[0-9a-f]{32}$/;
const TEMPORARY = /^(?:project|standstill)-[0-9a-f]{32}\.[0-9a-f]{16}\.tmp$/;
const MOST_ENTRIES = 8;
const MEGABYTE = 2 ** 20;
const LARGEST_ENTRY = 16 * MEGABYTE;
const MOST_BYTES = 64 * MEGABYTE;
/** No writer takes as long: who left it was killed. */
const ABANDONED_MS = 600_000;

/** The entry of this name in the project's folder, when there is one that nobody else can have written. */
export function entryBytes(root: string, name: string): Uint8Array | undefined {
  return readPrivate(join(root, FOLDER, name), { root, maxBytes: LARGEST_ENTRY });
}

/**
 * Puts an entry in place whole, and removes what is too much in the folder. Nothing waits for the disk: what a crash of
 * the machine leaves of it is seen to be no entry. Where the system refuses, nothing is kept.
 */
export function putEntry(root: string, name: string, text: string): void {
  if (text.length > LARGEST_ENTRY) return;
  const folder = join(root, FOLDER);
  try {
    ensureFolder(folder, { root });
    replace(folder, name, text);
    tidy(folder);
  } catch (error) {
    // Full, read-only, not ours, a link where the folder belongs: the next run reads the files again.
    if (!isDroverError(error) && (error as NodeJS.ErrnoException).code === undefined) throw error;
  }
}

/** Removes all entries whose names begin so. What cannot be removed stays. */
export function dropEntries(root: string, beginning: string): void {
  const folder = join(root, FOLDER);
  for (const name of namesIn(folder)) if (name.startsWith(beginning)) removeQuietly(join(folder, name));
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    // Nothing is kept, or nobody may look.
    return [];
  }
}

/** What is in the way at the name, such as a link, is replaced itself; a folder stays. */
function replace(folder: string, name: string, text: string): void {
  const temporary = join(folder, `${name}.${Buffer.from(crypto.getRandomValues(new Uint8Array(8))).toString('hex')}.tmp`);
  try {
    writeFileSync(temporary, text, { flag: 'wx', mode: 0o600 });
    durablePoint('kept-project:before');
    renameSync(temporary, join(folder, name));
    durablePoint('kept-project:after');
  } catch (error) {
    removeQuietly(temporary);
    throw error;
  }
}

function tidy(folder: string): void {
  const files = readdirSync(folder).flatMap((name) => fileAt(join(folder, name), name));
  const [newest] = files.map(({ changed }) => changed).toSorted((a, b) => b - a);
  for (const { path, name, changed } of files) {
    if (TEMPORARY.test(name) && changed + ABANDONED_MS < (newest ?? 0)) removeQuietly(path);
  }
  let bytes = 0;
  const counts = new Map<string, number>();
  for (const { path, name, size } of files.toSorted((a, b) => b.changed - a.changed)) {
    const kind = ENTRY.exec(name)?.[1];
    if (kind === undefined) continue;
    const count = (counts.get(kind) ?? 0) + 1;
    counts.set(kind, count);
    bytes += size;
    if (count > MOST_ENTRIES || bytes > MOST_BYTES) removeQuietly(path);
  }
}

interface Kept {
  readonly name: string;
  readonly path: string;
  readonly size: number;
  /** In milliseconds since 1970. */
  readonly changed: number;
}

/** None for what is gone by now, and for what is no file. */
function fileAt(path: string, name: string): readonly Kept[] {
  const stats = lstatSync(path, { throwIfNoEntry: false });
  return stats?.isFile() === true ? [{ path, name, size: stats.size, changed: stats.mtimeMs }] : [];
}

function removeQuietly(path: string): void {
  try {
    unlinkSync(path);
  } catch {
    // It is gone already, or it stays: neither is worth a word.
  }
}
