import { inputPaths, type Project } from '../../model/index.ts';
import { coverOf, pathsFromRoot } from './path-cover.ts';

/** A target that changed files concern. */
export interface AffectedTarget {
  readonly target: string;
  /** Those of its declared inputs that stand for one of the files, from the root, sorted; never empty. */
  readonly inputs: readonly string[];
}

/**
 * The targets whose inputs the changed paths are among, by name. Nothing is opened: a folder stands for everything
 * beneath it, and a path that does not exist counts as any other.
 */
export function affectedTargets(
  { targets, inputs, resources }: Pick<Project, 'targets' | 'inputs' | 'resources'>,
  paths: readonly string[],
  root: string,
): readonly AffectedTarget[] {
  const covers = coverOf(pathsFromRoot(paths, root));
  const concerned = [...targets.values()].flatMap(({ name, inputs: entries }) => {
    const matching = pathsFromRoot(inputPaths(entries, inputs, resources), root).filter(covers);
    return matching.length === 0 ? [] : [{ target: name, inputs: matching }];
  });
  return concerned.toSorted((a, b) => (a.target < b.target ? -1 : 1));
}
