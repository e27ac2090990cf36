import { filesBelow } from '../common/glob.mjs';
import { folderOf, isInside, joinPath } from '../common/paths.mjs';
import { packageIn, readPackages } from '../common/workspaces.mjs';
import { filesAt, isScript, namesSought } from './candidates.mjs';
import { targetsOf } from './exports.mjs';

/** No file has a longer path. */
const LONGEST = 4096;
const RELATIVE = /^\.\.?(?:\/|$)/;
const PACKAGE = /^((?:@[^/]+\/)?[^/]+)(?:\/(.*))?$/;
const ENTRIES = ['types', 'typings', 'source', 'module', 'main'];

/** Finds the files that specifiers lead to: relative ones, paths of a tsconfig.json, packages of the repository. */
export class Resolver {
  #tree;
  #configs;
  #packages;
  #owners = new Map();
  #scripts = new Map();

  constructor(tree, configs) {
    this.#tree = tree;
    this.#configs = configs;
    this.#packages = readPackages(tree);
  }

  /**
   * The files that decide what the specifier means in `file`, from the root. Names of files that are not there are
   * among them where something is missing: an input that appears, or was just removed, is a change as well. What
   * comes from outside the repository has none. A list among them holds the scripts of a package, and is the same one
   * for each specifier that leads to it: with thousands of them, to name each script each time would take minutes.
   */
  filesOf(specifier, file) {
    if (specifier.includes('\0') || specifier.length > LONGEST) return [];
    if (RELATIVE.test(specifier)) return this.#filesOrNames(joinPath(folderOf(file), specifier));
    if (specifier.startsWith('#')) return this.#internal(specifier, file);
    const mapped = this.#mapped(specifier, file);
    if (mapped.some((found) => this.#isThere(found))) return mapped;
    return this.#ofPackage(specifier) ?? this.#belowBase(specifier, file) ?? mapped;
  }

  #filesOrNames(path) {
    if (!isInside(path)) return [];
    const files = this.#tree.isFolder(path) ? this.#folderFiles(path) : filesAt(this.#tree, path);
    return files.length > 0 ? files : namesSought(path);
  }

  /** A file beside the folder, what its package.json says, its index. */
  #folderFiles(path) {
    const beside = path === '' ? [] : filesAt(this.#tree, path).filter((file) => folderOf(file) === folderOf(path));
    if (beside.length > 0) return beside;
    const manifest = joinPath(path, 'package.json');
    if (!this.#tree.isFile(manifest)) return filesAt(this.#tree, path);
    return [manifest, ...this.#entriesOf(packageIn(this.#tree, path))];
  }

  /** `paths` of the configuration; the longest pattern that fits, and of its targets the first that is there. */
  #mapped(specifier, file) {
    const { paths } = this.#configs.nearest(folderOf(file));
    const fitting = Object.keys(paths).flatMap((pattern) => fit(pattern, specifier));
    const [best] = fitting.sort((a, b) => b.prefix - a.prefix);
    if (best === undefined) return [];
    const found = paths[best.pattern].map((target) => this.#filesOrNames(target.replace('*', () => best.text)));
    const first = found.find((files) => files.some((each) => this.#isThere(each)));
    // A pattern that fits everything fits what comes from outside too.
    return first ?? (best.pattern === '*' ? [] : found.flat());
  }

  #belowBase(specifier, file) {
    const { baseUrl } = this.#configs.nearest(folderOf(file));
    const files = baseUrl === undefined ? [] : filesAt(this.#tree, joinPath(baseUrl, specifier));
    return files.length > 0 ? files : undefined;
  }

  #ofPackage(specifier) {
    const [, name, rest = ''] = PACKAGE.exec(specifier) ?? [];
    const found = this.#packages.byName.get(name);
    if (found === undefined) return undefined;
    const manifest = joinPath(found.folder, 'package.json');
    return [manifest, ...this.#exported(found, rest)];
  }

  #exported(found, rest) {
    const { exports } = found.manifest;
    if (exports === undefined || exports === null) {
      return rest === '' ? this.#entriesOf(found) : this.#filesOrNames(joinPath(found.folder, rest));
    }
    const targets = targetsOf(exports, rest === '' ? '.' : `./${rest}`) ?? [];
    return this.#targetFiles(targets, found);
  }

  #entriesOf(found) {
    const entries = ENTRIES.map((field) => found.manifest[field]).filter((entry) => typeof entry === 'string');
    if (entries.length === 0) return this.#filesOrNames(joinPath(found.folder, 'index'));
    return this.#targetFiles(entries, found);
  }

  /** Where a target is built, or not there, every script of the package may be what it is built from. */
  #targetFiles(targets, { folder }) {
    if (targets.length === 0) return [];
    const paths = targets.map((target) => joinPath(folder, target)).filter((path) => this.#isSource(path, folder));
    const found = paths.flatMap((path) => filesAt(this.#tree, path));
    if (found.length > 0) return found;
    return [...paths, this.#scriptsBelow(folder)];
  }

  #scriptsBelow(folder) {
    const known = this.#scripts.get(folder);
    if (known !== undefined) return known;
    const scripts = filesBelow(this.#tree, folder).filter((path) => isScript(path) && this.#isSource(path, folder));
    this.#scripts.set(folder, scripts);
    return scripts;
  }

  #isThere(found) {
    return typeof found === 'string' ? this.#tree.isFile(found) : found.length > 0;
  }

  #isSource(path, folder) {
    return isInside(path) && !this.#isBuilt(path, folder);
  }

  #isBuilt(path, folder) {
    const { outDir } = this.#configs.nearest(folder);
    return outDir !== undefined && outDir !== folder && path.startsWith(`${outDir}/`);
  }

  /** `imports` of the package that the file is in. */
  #internal(specifier, file) {
    const owner = this.#ownerOf(folderOf(file));
    if (owner === undefined) return [];
    const targets = targetsOf(owner.manifest.imports ?? {}, specifier) ?? [];
    const [own, others] = [targets.filter((each) => RELATIVE.test(each)), targets.filter((each) => !/^[.#]/.test(each))];
    const files = own.length === 0 ? [] : this.#targetFiles(own, owner);
    return [joinPath(owner.folder, 'package.json'), ...files, ...others.flatMap((each) => this.#ofPackage(each) ?? [])];
  }

  #ownerOf(folder) {
    const known = this.#owners.get(folder);
    if (known !== undefined) return known;
    const isHere = this.#tree.isFile(joinPath(folder, 'package.json'));
    const above = folder === '' ? undefined : folderOf(folder);
    const outer = isHere || above === undefined ? undefined : this.#ownerOf(above);
    const owner = isHere ? packageIn(this.#tree, folder) : outer;
    this.#owners.set(folder, owner);
    return owner;
  }
}

/** A pattern has at most one `*`; one without fits exactly, which beats all others. */
function fit(pattern, specifier) {
  const [before, after] = pattern.split('*');
  if (after === undefined) return pattern === specifier ? [{ pattern, text: '', prefix: Infinity }] : [];
  const isLongEnough = specifier.length >= before.length + after.length;
  if (!isLongEnough || !specifier.startsWith(before) || !specifier.endsWith(after)) return [];
  return [{ pattern, text: specifier.slice(before.length, specifier.length - after.length), prefix: before.length }];
}
