import { isUtf8 } from 'node:buffer';
import type { Dirent } from 'node:fs';
import { readdir } from 'node:fs/promises';

/** What stands in a folder. */
export interface FolderEntry {
  readonly kind: 'file' | 'folder' | 'link' | 'other';
  /** `undefined` for a name that is not UTF-8: it has no text that would lead back to it. */
  readonly name: string | undefined;
  /** The name as the disk has it. */
  readonly bytes: Uint8Array;
}

/** Sorted by bytes. Throws what the system throws. */
export async function listEntries(folder: string): Promise<readonly FolderEntry[]> {
  const entries = await readdir(folder, { withFileTypes: true, encoding: 'buffer' });
  return entries.sort((a, b) => Buffer.compare(a.name, b.name)).map(entryOf);
}

function entryOf(entry: Dirent<Buffer>): FolderEntry {
  const name = isUtf8(entry.name) ? entry.name.toString() : undefined;
  return { kind: kindOf(entry), name, bytes: entry.name };
}

function kindOf(entry: Dirent<Buffer>): FolderEntry['kind'] {
  if (entry.isSymbolicLink()) return 'link';
  if (entry.isDirectory()) return 'folder';
  return entry.isFile() ? 'file' : 'other';
}
