import { PluginFault } from '../common/fault.mjs';
import { entriesMatching } from '../common/glob.mjs';
import { isInside, joinPath } from '../common/paths.mjs';
import { packageIn, readPackages } from '../common/workspaces.mjs';

const KINDS = ['dependencies', 'devDependencies', 'peerDependencies', 'optionalDependencies'];
/** A dependency that is a folder: `file:../money`. */
const FOLDER = /^(?:file|link|portal|workspace):(?=\.{0,2}\/|\.\.?$)(.*)$/;
/** A dependency under another name: `workspace:@app/money@^1.0.0`. */
const OTHER_NAME = /^(?:npm|workspace):((?:@[^/@]+\/)?[^/@]+)@/;

/** Which packages of a repository depend on which. */
export class PackageGraph {
  #tree;
  #byName;
  #byFolder;

  constructor(tree) {
    const { packages, byName } = readPackages(tree);
    this.#tree = tree;
    this.#byName = byName;
    this.#byFolder = new Map(packages.map((each) => [each.folder, each]));
  }

  /** The folders of packages that the entries of a source name. */
  named(entries, source) {
    return entries.flatMap((entry) => {
      const folders = entriesMatching(this.#tree, entry).filter((folder) => this.#packageAt(folder) !== undefined);
      if (folders.length > 0) return folders;
      const known = [...this.#byFolder.keys()].filter((folder) => folder !== '').sort().join(', ');
      throw new PluginFault(`source "${source}": "${entry || '.'}" is no folder with a package.json; packages are: ${known || 'none'}`);
    });
  }

  /** The folders, and those of all packages that they depend on, directly or through others. */
  closure(folders) {
    const reached = new Set(folders);
    // A set that grows while it is walked gives what is added to it too.
    for (const folder of reached) for (const needed of this.#neededBy(folder)) reached.add(needed);
    return [...reached];
  }

  /** What is behind a link is needed as well as the link. */
  #neededBy(folder) {
    const real = this.#tree.real(folder);
    const dependencies = KINDS.flatMap((kind) => Object.entries(this.#packageAt(folder)?.manifest[kind] ?? {}));
    const needed = dependencies.map(([name, wanted]) => this.#folderOf(name, String(wanted), real ?? folder));
    return [real, ...needed].filter((path) => path !== undefined);
  }

  #folderOf(name, wanted, from) {
    const [, folder] = FOLDER.exec(wanted) ?? [];
    if (folder === undefined) return this.#byName.get(OTHER_NAME.exec(wanted)?.[1] ?? name)?.folder;
    const path = joinPath(from, folder);
    return isInside(path) && this.#packageAt(path) !== undefined ? path : undefined;
  }

  /** A package that no workspace names may be depended on by its folder. */
  #packageAt(folder) {
    const known = this.#byFolder.get(folder);
    if (known !== undefined || !this.#tree.isFile(joinPath(folder, 'package.json'))) return known;
    const found = packageIn(this.#tree, folder);
    this.#byFolder.set(folder, found);
    return found;
  }
}
