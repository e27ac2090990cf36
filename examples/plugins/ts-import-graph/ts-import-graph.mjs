/**
 * A graph plugin for bach: for each name in `sources`, the files that its entries name and all that those import.
 * Entries are files, folders and patterns. Needs Node 20 and nothing else.
 */
import { entriesMatching, filesBelow } from '../common/glob.mjs';
import { asInput, asPattern } from '../common/paths.mjs';
import { answer, inputsOf } from '../common/plugin.mjs';
import { isScript } from './candidates.mjs';
import { ImportGraph } from './import-graph.mjs';

answer(({ tree, sources }) => {
  const graph = new ImportGraph(tree);
  const inputs = inputsOf(sources, (entries) => {
    const named = new Set(entries.flatMap((entry) => filesAt(tree, entry)));
    const imported = graph.closure(named).filter((path) => !named.has(path));
    return [...entries.map(asPattern), ...imported.map(asInput)];
  });
  return { inputs };
});

/** An entry is an input itself, so that bach sees the files under it come and go. */
function filesAt(tree, entry) {
  const entries = entriesMatching(tree, entry);
  return entries.flatMap((path) => (tree.isFile(path) ? [path] : filesBelow(tree, path).filter(isScript)));
}
