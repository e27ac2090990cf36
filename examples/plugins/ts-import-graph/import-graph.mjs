import { readFileSync } from 'node:fs';
import { folderOf } from '../common/paths.mjs';
import { isScript, mayHoldMarkup } from './candidates.mjs';
import { specifiersIn } from './imports.mjs';
import { Resolver } from './resolver.mjs';
import { Configs } from './tsconfig.mjs';

/** Which files a file needs. Each is read once, and only when somebody asks for it. */
export class ImportGraph {
  #tree;
  #configs;
  #resolver;
  #needs = new Map();

  constructor(tree) {
    this.#tree = tree;
    this.#configs = new Configs(tree);
    this.#resolver = new Resolver(tree, this.#configs);
  }

  /** The files, and all that they need directly or through others; names of missing ones are among them. */
  closure(files) {
    const reached = new Set(files);
    // A set that grows while it is walked gives what is added to it too.
    for (const each of reached) for (const needed of isFile(each) ? this.#neededBy(each) : each) reached.add(needed);
    return [...reached].filter(isFile);
  }

  #neededBy(file) {
    const known = this.#needs.get(file);
    if (known !== undefined) return known;
    const needed = this.#tree.isFile(file) ? this.#lookInto(file) : [];
    this.#needs.set(file, needed);
    return needed;
  }

  /** The imports of a link are those of the file that it leads to, and count from there. */
  #lookInto(file) {
    const real = this.#tree.real(file);
    if (real !== file) return real === undefined ? [] : [real];
    if (!isScript(file)) return [];
    const specifiers = specifiersIn(this.#textOf(file), { hasMarkup: mayHoldMarkup(file) });
    const imported = specifiers.flatMap((specifier) => this.#resolver.filesOf(specifier, file));
    return [...new Set([...this.#configs.nearest(folderOf(file)).files, ...imported])];
  }

  /** A file that may not be read still is an input, and bach tells that it cannot read it. */
  #textOf(file) {
    try {
      return decoded(readFileSync(this.#tree.absolute(file)));
    } catch (error) {
      if (error.code === 'EACCES' || error.code === 'EPERM' || error.code === 'ENOENT') return '';
      throw error;
    }
  }
}

/** The other things that are reached are lists of the scripts of a package. */
function isFile(reached) {
  return typeof reached === 'string';
}

/** Bytes that are no UTF-8 become signs that no specifier holds. */
function decoded(bytes) {
  const isUtf16 = bytes[0] === 0xff && bytes[1] === 0xfe;
  return bytes.toString(isUtf16 ? 'utf16le' : 'utf8').replace(/^\uFEFF/, '');
}
