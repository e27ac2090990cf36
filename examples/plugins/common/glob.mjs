import { joinPath } from './paths.mjs';

const SPECIAL = /[*?[\\]/;

/**
 * The files and folders that a pattern names. `*`, `?` and `[a-z]` stay within a name; `**` stands for folders of any
 * depth, but not for hidden ones, links and `node_modules`.
 */
export function entriesMatching(tree, pattern) {
  const steps = pattern === '' ? [] : pattern.split('/');
  const found = new Set();
  const met = new Set();
  const pending = [{ path: '', at: 0 }];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const key = `${next.at}/${next.path}`;
    if (met.has(key)) continue;
    met.add(key);
    if (next.at === steps.length) found.add(next.path);
    else pending.push(...waysOn(tree, next, steps[next.at]));
  }
  return [...found].filter((path) => tree.isFile(path) || tree.isFolder(path)).sort();
}

/** The files beneath a folder, with the same exceptions as `**`. */
export function filesBelow(tree, folder) {
  const files = [];
  const pending = [folder];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    for (const [name, { kind }] of tree.list(next)) if (kind === 'file') files.push(joinPath(next, name));
    pending.push(...foldersIn(tree, next));
  }
  return files.sort();
}

/** `{a,b}` written out, as a list of patterns. */
export function withoutBraces(pattern) {
  const [whole, before, choices, after] = /^(.*?)\{([^{}]*,[^{}]*)\}(.*)$/.exec(pattern) ?? [];
  if (whole === undefined) return [pattern];
  return choices.split(',').flatMap((choice) => withoutBraces(`${before}${choice}${after}`));
}

function waysOn(tree, { path, at }, step) {
  if (step === '**') return [{ path, at: at + 1 }, ...foldersIn(tree, path).map((folder) => ({ path: folder, at }))];
  if (!SPECIAL.test(step)) return [{ path: joinPath(path, step), at: at + 1 }];
  const wanted = nameExpression(step);
  const names = [...tree.list(path).keys()].filter((name) => name !== 'node_modules' && wanted.test(name));
  return names.map((name) => ({ path: joinPath(path, name), at: at + 1 }));
}

function foldersIn(tree, folder) {
  const entries = [...tree.list(folder)].filter(([name, { kind, isLink }]) => {
    return kind === 'folder' && !isLink && name !== 'node_modules' && !name.startsWith('.');
  });
  return entries.map(([name]) => joinPath(folder, name));
}

function nameExpression(step) {
  const source = step.replace(/\\(.)|\[([^\]]+)\]|([*?])|[^]/gu, (whole, escaped, letters, sign) => {
    if (letters !== undefined) return `[${letters.replace(/[[\\]/g, String.raw`\$&`)}]`;
    if (sign !== undefined) return sign === '*' ? '.*' : '.';
    return (escaped ?? whole).replace(/[$()*+./?[\\\]^{|}]/g, String.raw`\$&`);
  });
  return new RegExp(`^${source}$`, 'su');
}
