import { readJson } from '../common/files.mjs';
import { folderOf, isInside, joinPath } from '../common/paths.mjs';

const NAMES = ['tsconfig.json', 'jsconfig.json'];
const CONFIG_FOLDER = `\${configDir}`;

/** The settings of the compiler for each folder. Each file is read once. */
export class Configs {
  #tree;
  #ofFolder = new Map();

  constructor(tree) {
    this.#tree = tree;
  }

  /**
   * Of the nearest tsconfig.json (or jsconfig.json) at or above a folder, with all that it extends:
   * `{ files, paths, baseUrl, outDir }`. `files` are those that were read; `paths` gives a list of paths for each
   * pattern.
   */
  nearest(folder) {
    const known = this.#ofFolder.get(folder);
    if (known !== undefined) return known;
    const name = NAMES.map((each) => joinPath(folder, each)).find((path) => this.#tree.isFile(path));
    const above = name === undefined && folder !== '' ? this.nearest(folderOf(folder)) : { files: [], paths: {} };
    const config = name === undefined ? above : this.#whole(name, folder);
    this.#ofFolder.set(folder, config);
    return config;
  }

  #whole(file, folder) {
    const { files, baseUrl, paths = {}, pathsFolder, outDir } = this.#merged(file, new Set());
    const settled = (path) => (path === undefined ? undefined : settle(path, folder));
    const base = settled(baseUrl) ?? pathsFolder;
    const targets = ([pattern, list]) => [pattern, [list].flat().map((target) => settle(placed(String(target), base), folder))];
    return { files, paths: Object.fromEntries(Object.entries(paths).map(targets)), baseUrl: settled(baseUrl), outDir: settled(outDir) };
  }

  /** Later configurations win, the file itself last. One that extends itself is read once. */
  #merged(file, readBefore) {
    if (readBefore.has(file)) return { files: [] };
    const { extends: extended = [], compilerOptions } = readJson(this.#tree, file);
    const seen = new Set([...readBefore, file]);
    const bases = [extended].flat().map((name) => this.#extended(file, String(name))).filter((path) => path !== undefined);
    // One that is not there yet changes the meaning of the project when it comes.
    const parents = bases.map((path) => (this.#tree.isFile(path) ? this.#merged(path, seen) : { files: [path] }));
    const merged = Object.assign({}, ...parents, optionsIn(compilerOptions ?? {}, folderOf(file)));
    return { ...merged, files: [file, ...parents.flatMap(({ files }) => files)] };
  }

  #extended(file, name) {
    if (/^\.\.?(?:\/|$)/.test(name)) return this.#firstFile(joinPath(folderOf(file), name));
    for (let folder = folderOf(file); ; folder = folderOf(folder)) {
      const path = this.#firstFile(joinPath(folder, 'node_modules', name));
      if (path !== undefined && this.#tree.isFile(path)) return path;
      if (folder === '') return undefined;
    }
  }

  #firstFile(path) {
    const names = [path, `${path}.json`, joinPath(path, 'tsconfig.json')].filter(isInside);
    return names.find((name) => this.#tree.isFile(name)) ?? names[path.endsWith('.json') ? 0 : 1];
  }
}

/** Only what is set, so that merging leaves the rest alone. */
function optionsIn({ baseUrl, paths, outDir }, folder) {
  return {
    ...(typeof baseUrl === 'string' && { baseUrl: placed(baseUrl, folder) }),
    ...(typeof paths === 'object' && paths !== null && { paths, pathsFolder: folder }),
    ...(typeof outDir === 'string' && { outDir: placed(outDir, folder) }),
  };
}

/** A path is meant from the file that it stands in, or from the one that extends it. */
function placed(path, folder) {
  return path.startsWith(CONFIG_FOLDER) ? path : joinPath(folder, path);
}

function settle(path, folder) {
  return path.startsWith(CONFIG_FOLDER) ? joinPath(folder, `.${path.slice(CONFIG_FOLDER.length)}`) : path;
}
