import { readdirSync, realpathSync, statSync } from 'node:fs';
import { posix } from 'node:path';
import { folderOf, isInside, joinPath, nameOf } from './paths.mjs';

/** Nothing stands there any more; what may not be read is told by bach, where it is an input. */
const HARMLESS = ['ENOENT', 'ENOTDIR', 'ELOOP', 'ENAMETOOLONG', 'EACCES', 'EPERM'];

/** A project's files. Each folder is listed once, so that to ask for a file costs no call of the system. */
export class Tree {
  #root;
  #realRoot;
  #listings = new Map();
  #realFolders = new Map();

  constructor(root) {
    this.#root = root;
    this.#realRoot = realpathSync.native(root);
  }

  absolute(path) {
    return posix.join(this.#root, path);
  }

  /** What is in a folder: names with `{ kind: 'file' | 'folder', isLink }`. A link that leads nowhere is left out. */
  list(folder) {
    const known = this.#listings.get(folder);
    if (known !== undefined) return known;
    const listing = new Map();
    for (const entry of this.isFolder(folder) ? this.#entries(folder) : []) {
      const kind = entry.isSymbolicLink() ? this.#kindBehind(joinPath(folder, entry.name)) : kindOf(entry);
      if (kind !== undefined) listing.set(entry.name, { kind, isLink: entry.isSymbolicLink() });
    }
    this.#listings.set(folder, listing);
    return listing;
  }

  isFile(path) {
    return this.#entry(path)?.kind === 'file';
  }

  isFolder(path) {
    return path === '' || this.#entry(path)?.kind === 'folder';
  }

  /** Where a path really lies, links followed; `undefined` where that is outside the project. */
  real(path) {
    if (path === '' || this.#entry(path)?.isLink === true) return this.#followed(path);
    const folder = this.#realFolder(folderOf(path));
    return folder === undefined ? undefined : joinPath(folder, nameOf(path));
  }

  #entry(path) {
    return isInside(path) ? this.list(folderOf(path)).get(nameOf(path)) : undefined;
  }

  #realFolder(folder) {
    if (!this.#realFolders.has(folder)) this.#realFolders.set(folder, this.#followed(folder));
    return this.#realFolders.get(folder);
  }

  #followed(path) {
    const inside = posix.relative(this.#realRoot, realpathSync.native(this.absolute(path)));
    return isInside(inside) ? inside : undefined;
  }

  #entries(folder) {
    try {
      return readdirSync(this.absolute(folder), { withFileTypes: true });
    } catch (error) {
      if (HARMLESS.includes(error.code)) return [];
      throw error;
    }
  }

  #kindBehind(path) {
    try {
      return kindOf(statSync(this.absolute(path)));
    } catch (error) {
      if (HARMLESS.includes(error.code)) return undefined;
      throw error;
    }
  }
}

function kindOf(entry) {
  if (entry.isFile()) return 'file';
  return entry.isDirectory() ? 'folder' : undefined;
}
