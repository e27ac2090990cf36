import { isUtf8 } from 'node:buffer';
import { lstatSync, readdirSync, readlinkSync, realpathSync, statSync, type BigIntStats, type Dirent } from 'node:fs';
import { describeSystemError } from '../../../kernel/errors/index.ts';
import type { FileStamp } from '../../../kernel/files/index.ts';
import { relativePath } from '../../../kernel/paths/index.ts';
import type { IsState } from '../../model/index.ts';
import { sha256 } from './content.ts';
import type { Slice, Work } from './slice.ts';

/** What a name in a folder stands for; a pipe, a socket or a device is never listed. */
export type EntryKind = 'file' | 'folder' | 'link';

/**
 * `link`: one that leads nowhere inside the project, or into state, and so is never followed.
 * `undecodable`: something whose name, or that of a folder above it, is not UTF-8.
 */
export type Seen =
  | { readonly kind: 'file'; readonly stamp: FileStamp }
  | {
      readonly kind: 'folder';
      /** Where it really is, from the root. */
      readonly real: string;
    }
  | { readonly kind: 'link' | 'undecodable' };

/** By path, as texts. */
export interface TreeAnswers {
  readonly seen: Answers;
  readonly listings: Answers;
  readonly links: Answers;
}

export type Answers = readonly (readonly [path: string, text: string])[];

export interface TreeOptions {
  /** Absolute. */
  readonly root: string;
  readonly isState: IsState;
  readonly tell: Tell;
}

/** Takes a sentence about something that was passed over. */
export type Tell = (sentence: string) => void;

/**
 * The project's tree as it was when each part of it was first looked at: every folder is listed once and every file
 * looked at once, whoever asks. Paths are cleaned and from the root, which itself is empty. State is not there.
 */
export class ProjectTree {
  readonly #options: TreeOptions;
  readonly #realRoot: string;
  readonly #listings = new Map<string, ReadonlyMap<string, EntryKind>>();
  readonly #seen = new Map<string, Seen | undefined>();
  readonly #linkTexts = new Map<string, string | undefined>();
  /** What no path leads to, under the name that is shown of it. */
  readonly #undecodable = new Set<string>();

  constructor(options: TreeOptions) {
    this.#options = options;
    this.#realRoot = realPlace(options.root);
    this.#seen.set('', { kind: 'folder', real: '' });
  }

  /** Links followed as far as they stay inside. Nothing where nothing stands, or what is no file, folder or link. */
  lookAt(path: string): Seen | undefined {
    const known = this.#seen.get(path);
    if (known !== undefined || this.#seen.has(path)) return known;
    const seen = this.#find(path);
    this.#seen.set(path, seen);
    return seen;
  }

  /** What is in a folder, by name; nothing in what is no folder. */
  list(folder: string): ReadonlyMap<string, EntryKind> {
    const known = this.#listings.get(folder);
    if (known !== undefined) return known;
    const seen = this.lookAt(folder);
    const listing = seen?.kind === 'folder' ? this.#read(folder, seen.real) : new Map<string, EntryKind>();
    this.#listings.set(folder, listing);
    return listing;
  }

  /** What a link says, for one that is not followed. */
  linkText(path: string): string | undefined {
    const text = this.#attempt(path, () => readlinkSync(this.absolute(path)));
    this.#linkTexts.set(path, text);
    return text;
  }

  /** How much it was asked so far. */
  get size(): number {
    return this.#seen.size + this.#listings.size;
  }

  /** Everything that it was asked so far, and what it said. */
  get answers(): TreeAnswers {
    return {
      seen: Array.from(this.#seen, ([path, seen]) => [path, seenText(seen)]),
      listings: Array.from(this.#listings, ([folder, listing]) => [folder, listingText(listing)]),
      links: Array.from(this.#linkTexts, ([path, text]) => [path, text ?? '']),
    };
  }

  /** Asks the same once more: whether all that was ever told of another tree would be told of this one. */
  *wouldSay({ seen, listings, links }: TreeAnswers, slice: Slice): Work<boolean> {
    for (const [path, text] of seen) {
      if (slice.isOver()) yield slice.rest();
      if (seenText(this.lookAt(path)) !== text) return false;
    }
    for (const [folder, text] of listings) {
      if (slice.isOver()) yield slice.rest();
      if (listingText(this.list(folder)) !== text) return false;
    }
    return links.every(([path, text]) => (this.linkText(path) ?? '') === text);
  }

  /** True for a path that is certainly gone, by what was looked at; false where nobody looked. */
  isKnownGone(path: string): boolean {
    if (this.#seen.has(path)) return this.#seen.get(path) === undefined;
    for (let child = path; child !== ''; child = parentOf(child)) {
      const listing = this.#listings.get(parentOf(child));
      if (listing !== undefined) return !listing.has(nameOf(child));
    }
    return false;
  }

  absolute(path: string): string {
    return path === '' ? this.#options.root : `${this.#options.root}/${path}`;
  }

  #find(path: string): Seen | undefined {
    const parent = parentOf(path);
    const folder = this.lookAt(parent);
    if (folder?.kind === 'link') this.#options.tell(passedOver(path, `the link ${JSON.stringify(parent)} leads out of the project, or nowhere`));
    if (folder?.kind === 'undecodable' || this.#undecodable.has(path)) return { kind: 'undecodable' };
    if (folder?.kind !== 'folder') return undefined;
    const real = below(folder.real, nameOf(path));
    if (this.#isState(path, real)) return undefined;
    return this.#attempt(path, () => {
      const stats = lstatSync(this.absolute(path), { bigint: true, throwIfNoEntry: false });
      return stats?.isSymbolicLink() === true ? this.#follow(path) : seenOf(stats, real);
    });
  }

  #follow(path: string): Seen | undefined {
    const real = this.#attempt(path, () => realpathSync.native(this.absolute(path)));
    const inside = real === undefined ? undefined : relativePath(this.#realRoot, real);
    if (inside === undefined || inside === '..' || inside.startsWith('../')) return { kind: 'link' };
    const from = inside === '.' ? '' : inside;
    if (this.#options.isState(from)) return { kind: 'link' };
    return seenOf(statSync(this.absolute(path), { bigint: true, throwIfNoEntry: false }), from);
  }

  #read(folder: string, real: string): ReadonlyMap<string, EntryKind> {
    const listing = new Map<string, EntryKind>();
    for (const { name, kind } of this.#attempt(folder, () => this.#entriesOf(folder)) ?? []) {
      if (!this.#isState(below(folder, name), below(real, name))) listing.set(name, kind);
    }
    return listing;
  }

  #entriesOf(folder: string): readonly Entry[] {
    const entries = readdirSync(this.absolute(folder), { withFileTypes: true });
    // What is no UTF-8 was read as this character, and only the bytes tell it from a name that really has it.
    const found = entries.some(({ name }) => name.includes('\ufffd')) ? this.#byBytes(folder) : entries.map((entry) => entryOf(entry, entry.name));
    return found.filter((entry) => entry !== undefined);
  }

  #byBytes(folder: string): readonly (Entry | undefined)[] {
    const entries = readdirSync(this.absolute(folder), { withFileTypes: true, encoding: 'buffer' });
    const others = entries.filter(({ name }) => !isUtf8(name));
    for (const { name } of others) this.#undecodable.add(below(folder, shownName(name)));
    return entries.map((entry) => (others.includes(entry) ? { name: shownName(entry.name), kind: 'file' } : entryOf(entry, entry.name.toString())));
  }

  #isState(path: string, real: string): boolean {
    return this.#options.isState(path) || (path !== real && this.#options.isState(real));
  }

  /** What nobody may read, or was taken away meanwhile, is not there; the first is told. */
  #attempt<Result>(path: string, work: () => Result): Result | undefined {
    try {
      return work();
    } catch (error) {
      const { code = '' } = error as NodeJS.ErrnoException;
      if (DENIED.has(code)) this.#options.tell(passedOver(path, 'it may not be read'));
      if (DENIED.has(code) || ABSENT.has(code)) return undefined;
      throw describeSystemError(error, { action: 'read', path: this.absolute(path) });
    }
  }
}

const DENIED: ReadonlySet<string> = new Set(['EACCES', 'EPERM']);
/** A path too long, or through a loop of links, leads to nothing either. */
const ABSENT: ReadonlySet<string> = new Set(['ENOENT', 'ENOTDIR', 'ELOOP', 'ENAMETOOLONG', 'EINVAL']);

interface Entry {
  readonly name: string;
  readonly kind: EntryKind;
}

type Kinds = Pick<Dirent, 'isFile' | 'isDirectory' | 'isSymbolicLink'>;

function entryOf(entry: Kinds, name: string): Entry | undefined {
  const kind = kindOf(entry);
  return kind === undefined ? undefined : { name, kind };
}

function kindOf(entry: Kinds): EntryKind | undefined {
  if (entry.isFile()) return 'file';
  if (entry.isDirectory()) return 'folder';
  return entry.isSymbolicLink() ? 'link' : undefined;
}

function seenOf(stats: BigIntStats | undefined, real: string): Seen | undefined {
  if (stats === undefined) return undefined;
  if (stats.isDirectory()) return { kind: 'folder', real };
  const { dev, ino, size, mtimeNs, ctimeNs } = stats;
  return stats.isFile() ? { kind: 'file', stamp: { dev, ino, size, mtimeNs, ctimeNs } } : undefined;
}

/** The stamp of a file stands for its content, as far as it was trusted when it was looked at. */
function seenText(seen: Seen | undefined): string {
  if (seen === undefined) return '';
  if (seen.kind === 'folder') return `folder ${seen.real}`;
  if (seen.kind !== 'file') return seen.kind;
  const { size, mtimeNs, ctimeNs, ino, dev } = seen.stamp;
  return `file ${size} ${mtimeNs} ${ctimeNs} ${ino} ${dev}`;
}

/** A system may list a folder in another order each time. */
function listingText(listing: ReadonlyMap<string, EntryKind>): string {
  return sha256(Array.from(listing, ([name, kind]) => `${name}\0${kind}\0`).sort().join(''));
}

function realPlace(root: string): string {
  try {
    return realpathSync.native(root);
  } catch (error) {
    throw describeSystemError(error, { action: 'use as project root', path: root });
  }
}

/** The sentence about an input whose name no path can have. */
export function notSeen(path: string): string {
  return `input ${JSON.stringify(path)} has a name that is not UTF-8: its content is not seen`;
}

/** The sentence about an input that is not looked at. */
export function passedOver(path: string, reason: string): string {
  return `input ${JSON.stringify(path || '.')} is passed over: ${reason}`;
}

/** With `\xNN` for what no path can have. */
function shownName(name: Buffer): string {
  return name.toString('latin1').replaceAll(/[^ -~]/g, (byte) => `\\x${byte.charCodeAt(0).toString(16).padStart(2, '0')}`);
}

function parentOf(path: string): string {
  return path.slice(0, Math.max(path.lastIndexOf('/'), 0));
}

function nameOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

/** A name in a folder, as a path from the root. */
export function below(folder: string, name: string): string {
  return folder === '' ? name : `${folder}/${name}`;
}
