import { PluginFault } from './fault.mjs';
import { readJson, readText } from './files.mjs';
import { entriesMatching, withoutBraces } from './glob.mjs';
import { cleanPath, joinPath } from './paths.mjs';

/**
 * The packages of a repository, the root's own among them: `{ folder, name, manifest }`. Which they are is told by
 * pnpm-workspace.yaml or, where there is none, by `workspaces` of the root's package.json, as npm, yarn and bun have it.
 */
export function readPackages(tree) {
  const patterns = (pnpmPatterns(tree) ?? manifestPatterns(tree)).flatMap(withoutBraces).map(cleanPattern);
  const folders = new Set(['']);
  for (const { pattern, isExcluded } of patterns) {
    for (const folder of entriesMatching(tree, pattern)) {
      if (isExcluded) folders.delete(folder);
      else folders.add(folder);
    }
  }
  const packages = [...folders].filter((folder) => tree.isFile(joinPath(folder, 'package.json'))).map((folder) => packageIn(tree, folder));
  return { packages, byName: namesOf(packages) };
}

export function packageIn(tree, folder) {
  const manifest = readJson(tree, joinPath(folder, 'package.json'));
  return { folder, name: manifest.name, manifest };
}

function namesOf(packages) {
  const byName = new Map();
  for (const each of packages) {
    if (typeof each.name !== 'string') continue;
    const other = byName.get(each.name);
    if (other !== undefined) {
      throw new PluginFault(`the packages in "${other.folder || '.'}" and "${each.folder || '.'}" have one name, "${each.name}": rename one of them`);
    }
    byName.set(each.name, each);
  }
  return byName;
}

function cleanPattern(text) {
  const isExcluded = text.startsWith('!');
  return { isExcluded, pattern: cleanPath(isExcluded ? text.slice(1) : text) };
}

/** A list, or an object that has one in `packages`. */
function manifestPatterns(tree) {
  if (!tree.isFile('package.json')) return [];
  const { workspaces } = readJson(tree, 'package.json');
  const patterns = workspaces?.packages ?? workspaces ?? [];
  if (Array.isArray(patterns) && patterns.every((pattern) => typeof pattern === 'string')) return patterns;
  throw new PluginFault('package.json: workspaces must be a list of texts');
}

/** The list `packages` of a pnpm-workspace.yaml in its usual forms: one item a line, or all in brackets. */
function pnpmPatterns(tree) {
  if (!tree.isFile('pnpm-workspace.yaml')) return undefined;
  const lines = readText(tree, 'pnpm-workspace.yaml').split(/\r?\n/).map((line) => line.replace(/(^|\s)#.*$/, ''));
  const start = lines.findIndex((line) => /^packages\s*:/.test(line));
  if (start < 0) return [];
  const [first, ...others] = [lines[start].replace(/^[^:]*:/, ''), ...lines.slice(start + 1)];
  const end = others.findIndex((line) => /^[^\s\]-]/.test(line));
  const list = [first, ...(end < 0 ? others : others.slice(0, end))].join('\n').trim();
  const items = list.startsWith('[') ? list.slice(1, list.indexOf(']')).split(',') : list.split('\n');
  return items.map((item) => item.trim().replace(/^-\s*/, '').replace(/^(["'])(.*)\1$/, '$2')).filter((item) => item !== '');
}
