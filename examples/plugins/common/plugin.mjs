import { PluginFault } from './fault.mjs';
import { withoutBraces } from './glob.mjs';
import { cleanPath, isInside } from './paths.mjs';
import { Tree } from './tree.mjs';

/**
 * Answers bach as a graph plugin: `describe` gets the project's tree and the plugin's `sources`, and returns the
 * document. A fault is told on standard error, with exit code 1 and nothing on standard output.
 *
 * @param {(project: { tree: Tree, sources: Record<string, string[]> }) => object} describe
 */
export function answer(describe) {
  try {
    const root = process.env.BACH_PROJECT_ROOT ?? process.cwd();
    const sources = JSON.parse(process.env.BACH_PLUGIN_SOURCES ?? '{}');
    process.stdout.write(`${JSON.stringify(describe({ tree: new Tree(root), sources }))}\n`);
  } catch (error) {
    if (!(error instanceof PluginFault)) throw error;
    process.stderr.write(`${error.message}\n`);
    process.exitCode = 1;
  }
}

/**
 * `inputs` of the document. `pathsOf` gets the entries of one source, which are cleaned and have no braces, and the
 * source's name; it gives paths and patterns in any order.
 */
export function inputsOf(sources, pathsOf) {
  const named = Object.entries(sources).map(([name, entries]) => {
    const paths = pathsOf(entries.flatMap(withoutBraces).map((entry) => cleanEntry(name, entry)), name);
    return [name, [...new Set(paths)].sort()];
  });
  return Object.fromEntries(named);
}

function cleanEntry(source, entry) {
  const path = cleanPath(entry);
  if (isInside(path)) return path;
  throw new PluginFault(`source "${source}": "${entry}" must stay under the project root`);
}
