import { inputPaths, type Output, type Project, type Target } from '../../model/index.ts';

/** What stands for a target's run directory; shown as it is where there is none. */
export const RUN_DIRECTORY = '$(RUN_DIRECTORY)';

type Declared = Pick<Target, 'kind' | 'runnable' | 'inputs' | 'outputs'>;

/** Whether a result can be kept: there is something to run, and something that tells whether it still stands. */
export function isCacheable(target: Declared): boolean {
  if (target.kind === 'agent' || !target.runnable) return false;
  return target.inputs.length > 0 || target.outputs.some(({ path }) => !isOfOneRun(path));
}

/** The outputs that are evidence, from the root, in the order in which they count: named ones by their names. */
export function evidencePaths(target: Pick<Target, 'outputs'>): readonly string[] {
  return outputPaths(target).filter((path) => !isOfOneRun(path));
}

/** All declared outputs; the order in which the names of an object are written says nothing. */
export function outputPaths({ outputs }: Pick<Target, 'outputs'>): readonly string[] {
  const [only] = outputs;
  if (only !== undefined && outputs.length === 1) return [only.path];
  return outputs.toSorted(byName).map(({ path }) => path);
}

/** Without names, in the order in which they are written. */
function byName(a: Output, b: Output): number {
  if (a.name === b.name) return 0;
  return a.name < b.name ? -1 : 1;
}

/** A run directory is another one each time. */
function isOfOneRun(path: string): boolean {
  return path.includes(RUN_DIRECTORY);
}

/** Where the inputs of a target are to be looked for. */
export interface InputSearch {
  /** Paths, folders and patterns, from the root. */
  readonly patterns: readonly string[];
  /** What the target itself makes is no input of it. */
  readonly except: readonly string[];
}

type Sets = Pick<Project, 'inputs' | 'resources' | 'qualities'>;

export function inputSearch(target: Pick<Target, 'name' | 'inputs' | 'outputs'>, { inputs, resources, qualities }: Sets): InputSearch {
  const references = inputReferences(target, { qualities });
  return { patterns: inputPaths(references, inputs, resources), except: evidencePaths(target) };
}

/** The inputs as written, and the rules that judge the result. */
export function inputReferences({ name, inputs }: Pick<Target, 'name' | 'inputs'>, { qualities }: Pick<Project, 'qualities'>): readonly string[] {
  const rules = qualities.get(name)?.regoPolicies ?? [];
  return rules.length === 0 ? inputs : [...inputs, ...rules.map(({ path }) => path)];
}
