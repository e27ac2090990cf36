import { lstatSync, readdirSync, readlinkSync, type Dirent } from 'node:fs';
import type { FileStamp } from '../../../kernel/files/index.ts';
import { sha256 } from './content.ts';

/** So many entries of a folder are looked at; of more of them only the names count. */
const MOST_ENTRIES = 2000;

export interface OwnEntry {
  readonly name: string;
  readonly kind: 'file' | 'folder' | 'link' | 'other';
  /** Of a file that was looked at. */
  readonly stamp: FileStamp | undefined;
  /** Where a link leads. */
  readonly text: string;
}

/** What stands in a folder itself, in the order of the names; nothing where it cannot be listed. */
export function ownEntries(folder: string): readonly OwnEntry[] | undefined {
  try {
    const entries = readdirSync(folder, { withFileTypes: true });
    const sorted = entries.map((entry) => ({ entry, name: entry.name })).sort((a, b) => (a.name < b.name ? -1 : 1));
    return sorted.map(({ entry, name }, index) => ownEntry(`${folder}/${name}`, entry, index < MOST_ENTRIES));
  } catch {
    // Nobody may list it, or it went away just now: then its being there is all that can be said.
    return undefined;
  }
}

/** Whether a change of any content in the folder shows: there is nothing deeper inside, and nothing behind links. */
export function areAllSeen(entries: readonly OwnEntry[]): boolean {
  return entries.every(({ stamp }) => stamp !== undefined);
}

/** Whether anything was put in, taken out, renamed or written, by the stamps alone. */
export function stampsDigest(entries: readonly OwnEntry[]): string {
  return sha256(entries.map(({ name, kind, stamp, text }) => `${name}\0${kind}\0${text}\0${stampText(stamp)}\0`).join(''));
}

/** `hashes` are those of the files that were looked at, by name. */
export function contentDigest(entries: readonly OwnEntry[], hashes: ReadonlyMap<string, string>): string {
  return sha256(entries.map(({ name, kind, text }) => `${name}\0${kind}\0${text}\0${hashes.get(name) ?? ''}\0`).join(''));
}

function stampText(stamp: FileStamp | undefined): string {
  return stamp === undefined ? '' : `${stamp.dev} ${stamp.ino} ${stamp.size} ${stamp.mtimeNs} ${stamp.ctimeNs}`;
}

function ownEntry(path: string, entry: Dirent, isLookedAt: boolean): OwnEntry {
  const kind = kindOf(entry);
  const { name } = entry;
  if (!isLookedAt || kind === 'folder' || kind === 'other') return { name, kind, stamp: undefined, text: '' };
  try {
    if (kind === 'link') return { name, kind, stamp: undefined, text: readlinkSync(path) };
    const stats = lstatSync(path, { bigint: true, throwIfNoEntry: false });
    return { name, kind, stamp: stats && { dev: stats.dev, ino: stats.ino, size: stats.size, mtimeNs: stats.mtimeNs, ctimeNs: stats.ctimeNs }, text: '' };
  } catch {
    // It went away or was replaced since it was listed; the next look sees that.
    return { name, kind, stamp: undefined, text: '' };
  }
}

function kindOf(entry: Dirent): OwnEntry['kind'] {
  if (entry.isFile()) return 'file';
  if (entry.isDirectory()) return 'folder';
  return entry.isSymbolicLink() ? 'link' : 'other';
}
