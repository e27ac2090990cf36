import { inputPaths, type Project, type Target } from '../../model/index.ts';
import { coverOf, pathFromRoot, pathsFromRoot } from './path-cover.ts';

/** Where one path comes from and who reads it, as the Bachfile declares it. */
export interface Provenance {
  /** From the root where it lies in it. */
  readonly path: string;
  readonly producers: readonly FileParty[];
  readonly consumers: readonly FileParty[];
}

/** A target with the files that it declares, from the root, sorted. */
export interface FileParty {
  readonly target: Target;
  readonly outputs: readonly string[];
  readonly inputs: readonly string[];
}

/** One record for each path, in the order given; the targets in it are sorted by name. Nothing is opened. */
export function provenanceOf(project: Project, paths: readonly string[], root: string): readonly Provenance[] {
  const parties = partiesOf(project, root);
  return paths.map((given) => {
    const path = pathFromRoot(given, root);
    const covers = coverOf([path]);
    const producers = parties.filter(({ outputs }) => outputs.some(covers));
    const consumers = parties.filter(({ inputs }) => inputs.some(covers));
    return { path, producers, consumers };
  });
}

/** The root as an output would make every file a generated one. */
function partiesOf({ targets, inputs, resources }: Project, root: string): readonly FileParty[] {
  const byName = [...targets.values()].toSorted((a, b) => (a.name < b.name ? -1 : 1));
  return byName.map((target) => ({
    target,
    outputs: pathsFromRoot(target.outputs.map(({ path }) => path), root).filter((path) => path !== '.'),
    inputs: pathsFromRoot(inputPaths(target.inputs, inputs, resources), root),
  }));
}
