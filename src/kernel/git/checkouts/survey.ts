import type { BigIntStats } from 'node:fs';
import { lstat, readdir, rmdir, unlink } from 'node:fs/promises';
import { describeSystemError } from '../../errors/index.ts';
import { pathBytes, pathFromBytes, type GitPath } from '../path.ts';

/** What tells whether something is as it was; writers cannot set the time of the change. */
export interface Stamp {
  readonly kind: 'file' | 'link' | 'folder' | 'other';
  readonly bytes: number;
  readonly text: string;
  /** The same without what the removal of another name of the file changes. */
  readonly lasting: string;
  readonly hasMoreNames: boolean;
}

export interface Survey {
  /** Everything below the folder in the order of a walk: a folder before what is in it. */
  readonly entries: ReadonlyMap<GitPath, Stamp>;
  /** Folders that are repositories or checkouts of their own; what is in them was not looked at. */
  readonly repositories: readonly GitPath[];
  /** Folders on another file system; what is in them was not looked at. */
  readonly mounts: readonly GitPath[];
}

/** Where a path of a survey is on the disk, byte for byte. */
export function placeOf(root: string, path: GitPath): Buffer {
  return Buffer.concat([Buffer.from(`${root}/`), pathBytes(path)]);
}

/** Looks at all that is in a folder, without following links. `.git` at its root is passed over. */
export async function surveyFolder(root: string): Promise<Survey> {
  const walk = new Walk(root, (await stampAt(Buffer.from(root))).dev);
  await walk.folder('' as GitPath);
  return walk;
}

/** Paths at which two surveys differ. */
export function changedBetween(one: Survey, other: Survey): readonly GitPath[] {
  const all = new Set([...one.entries.keys(), ...other.entries.keys()]);
  return [...all].filter((path) => {
    const [before, after] = [one.entries.get(path), other.entries.get(path)];
    // What a folder holds is compared itself.
    return before?.kind !== after?.kind || (before?.kind !== 'folder' && before?.text !== after?.text);
  });
}

/**
 * Removes what is still as the survey has it, and tells what is not and so stays. A writer has to hit the moment
 * between a look at its file and the removal of that file, or write into one that it opened before.
 */
export async function removeSurveyed(root: string, { entries }: Survey): Promise<readonly GitPath[]> {
  const stayed: GitPath[] = [];
  for (const [path, stamp] of [...entries].reverse()) {
    if (!(await removeOne(placeOf(root, path), stamp))) stayed.push(path);
  }
  return stayed;
}

async function removeOne(place: Buffer, stamp: Stamp): Promise<boolean> {
  try {
    if (stamp.kind === 'folder') {
      await rmdir(place);
      return true;
    }
    const now = stampOf(await lstat(place, { bigint: true }));
    const isSame = now.text === stamp.text || (stamp.hasMoreNames && now.lasting === stamp.lasting);
    if (isSame) await unlink(place);
    return isSame;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') return true;
    if (code === 'ENOTEMPTY' || code === 'EEXIST' || code === 'ENOTDIR') return false;
    throw describeSystemError(error, { action: 'remove', path: place.toString() });
  }
}

class Walk implements Survey {
  readonly entries = new Map<GitPath, Stamp>();
  readonly repositories: GitPath[] = [];
  readonly mounts: GitPath[] = [];
  readonly #root: string;
  readonly #device: bigint;

  constructor(root: string, device: bigint) {
    this.#root = root;
    this.#device = device;
  }

  async folder(folder: GitPath): Promise<void> {
    const names = (await namesIn(placeOf(this.#root, folder))).filter((name) => folder !== '' || name !== '.git');
    if (names.includes('.git' as GitPath)) {
      this.repositories.push(folder);
      return;
    }
    const paths = names.map((name) => (folder === '' ? name : `${folder}/${name}`) as GitPath);
    const stats = await Promise.all(paths.map((path) => stampAt(placeOf(this.#root, path))));
    for (const [at, path] of paths.entries()) await this.#entry(path, stats[at]);
  }

  async #entry(path: GitPath, stats: BigIntStats | undefined): Promise<void> {
    if (stats === undefined) return;
    this.entries.set(path, stampOf(stats));
    if (!stats.isDirectory()) return;
    if (stats.dev === this.#device) return this.folder(path);
    this.mounts.push(path);
  }
}

async function namesIn(folder: Buffer): Promise<readonly GitPath[]> {
  try {
    return (await readdir(folder, { encoding: 'buffer' })).map(pathFromBytes).sort();
  } catch (error) {
    throw describeSystemError(error, { action: 'read', path: folder.toString() });
  }
}

async function stampAt(place: Buffer): Promise<BigIntStats> {
  try {
    return await lstat(place, { bigint: true });
  } catch (error) {
    throw describeSystemError(error, { action: 'look at', path: place.toString() });
  }
}

function stampOf(stats: BigIntStats): Stamp {
  const { dev, ino, size, mode, mtimeNs, ctimeNs, nlink } = stats;
  const lasting = [dev, ino, size, mode, mtimeNs].join(' ');
  const kind = kindOf(stats);
  const hasMoreNames = kind !== 'folder' && nlink > 1n;
  return { kind, bytes: Number(size), text: `${lasting} ${ctimeNs}`, lasting, hasMoreNames };
}

function kindOf(stats: BigIntStats): Stamp['kind'] {
  if (stats.isSymbolicLink()) return 'link';
  if (stats.isDirectory()) return 'folder';
  return stats.isFile() ? 'file' : 'other';
}
