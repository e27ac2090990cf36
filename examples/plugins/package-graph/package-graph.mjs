/**
 * A graph plugin for bach: for each name in `sources`, the folders of the packages that its entries name and of all
 * packages of the repository that those depend on. Entries are folders and patterns. Needs Node 20 and nothing else.
 */
import { answer, inputsOf } from '../common/plugin.mjs';
import { asInput } from '../common/paths.mjs';
import { PackageGraph } from './dependencies.mjs';

answer(({ tree, sources }) => {
  const graph = new PackageGraph(tree);
  return { inputs: inputsOf(sources, (entries, source) => graph.closure(graph.named(entries, source)).map(asInput)) };
});
