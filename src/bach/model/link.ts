import type { Diagnostic } from '../../kernel/text/index.ts';
import { fileDiagnostic } from './findings.ts';
import { inputFault } from './input-paths.ts';
import { inputReach, type InputSets } from './input-reach.ts';
import type { InputSet, Project, Target } from './project.ts';
import type { Place } from './sources.ts';
import { targetHint } from './target-hint.ts';

/** A checked project whose targets depend only on what they say themselves. Plain data, fit to be stored. */
export interface DecodedProject {
  readonly project: Project;
  readonly pluginPlaces: ReadonlyMap<string, Place>;
  readonly promptPlaces: ReadonlyMap<string, Place>;
}

/** What one graph plugin emitted. */
export interface GraphAdditions {
  readonly plugin: string;
  /** By `plugin/<plugin>/<name>`. */
  readonly inputs: ReadonlyMap<string, readonly string[]>;
  /** By canonical name. */
  readonly targets: ReadonlyMap<string, TargetAdditions>;
}

export interface TargetAdditions {
  /** Canonical. */
  readonly dependsOn: readonly string[];
  readonly inputs: readonly string[];
}

export interface LinkedProject {
  /** Nothing when a diagnostic is an error. */
  readonly project: Project | undefined;
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * Makes one graph of a project: merges what graph plugins emitted, then makes each target depend on the producers of
 * its inputs.
 *
 * @example
 * const { project } = linkProject(decoded, []); // as `bach validate`, which runs no plugins
 */
export function linkProject({ project, pluginPlaces }: DecodedProject, additions: readonly GraphAdditions[]): LinkedProject {
  const diagnostics = additions.flatMap((each) => faultsIn(each, project, pluginPlaces));
  if (diagnostics.length > 0) return { project: undefined, diagnostics };
  const inputs = withPluginInputs(project.inputs, additions);
  const targets = [...project.targets.values()].map((target) => withAdditions(target, additions));
  return { project: { ...project, inputs, targets: withProducers(targets, inputs) }, diagnostics };
}

function faultsIn(emitted: GraphAdditions, project: Project, places: DecodedProject['pluginPlaces']): readonly Diagnostic[] {
  const place = places.get(emitted.plugin);
  if (place === undefined) return [];
  const faults = [...missingTargets(emitted, project), ...inputFaults(emitted, project)];
  return faults.map((fault) => fileDiagnostic(place.file, place.range, `plugin ${JSON.stringify(emitted.plugin)} ${fault}`));
}

function missingTargets({ targets }: GraphAdditions, { targets: known }: Project): readonly string[] {
  const named = [...targets].flatMap(([name, { dependsOn }]) => [name, ...dependsOn]);
  const missing = [...new Set(named)].filter((name) => !known.has(name));
  return missing.map((name) => `referenced missing target ${JSON.stringify(name)}${targetHint(name, known.keys())}`);
}

/** What a plugin emits is held to the rules of what stands in the Bachfile. */
function inputFaults({ inputs, targets }: GraphAdditions, project: Project): readonly string[] {
  const emitted = new Set([...[...inputs.values()].flat(), ...[...targets.values()].flatMap((each) => each.inputs)]);
  const isSet = (path: string): boolean => project.inputs.has(path) || inputs.has(path) || path.startsWith('resource/');
  return [...emitted].flatMap((path) => {
    const fault = isSet(path) ? undefined : inputFault(path, project.backend.statePath);
    return fault === undefined ? [] : [`emitted the input ${JSON.stringify(path)}, which ${fault}`];
  });
}

function withPluginInputs(inputs: Project['inputs'], additions: readonly GraphAdditions[]): Project['inputs'] {
  const emitted = additions.flatMap((each) => [...each.inputs]);
  const sets = emitted.map(([name, sources]): [string, InputSet] => [name, { name, sources }]);
  return sets.length === 0 ? inputs : new Map([...inputs, ...sets]);
}

function withAdditions(target: Target, additions: readonly GraphAdditions[]): Target {
  const ours = additions.map(({ targets }) => targets.get(target.name)).filter((each) => each !== undefined);
  if (ours.length === 0) return target;
  return {
    ...target,
    dependsOn: unique([...target.dependsOn, ...ours.flatMap(({ dependsOn }) => dependsOn)]),
    inputs: unique([...target.inputs, ...ours.flatMap(({ inputs }) => inputs)]),
  };
}

/** Who consumes what it produces itself does not wait for itself. */
function withProducers(targets: readonly Target[], inputs: InputSets): Project['targets'] {
  const producers = new Map(targets.flatMap(({ name, produces }) => produces.map((product) => [product, name] as const)));
  const linked = targets.map((target) => {
    if (producers.size === 0 || target.inputs.length === 0) return target;
    const needed = inputReach(target.inputs, inputs).map((entry) => producers.get(entry));
    const others = needed.filter((name) => name !== undefined && name !== target.name) as readonly string[];
    return others.length === 0 ? target : { ...target, dependsOn: unique([...target.dependsOn, ...others]) };
  });
  return new Map(linked.map((target) => [target.name, target]));
}

function unique(names: readonly string[]): readonly string[] {
  return [...new Set(names)];
}

/** What `problem` says of the files of prompts, each at the place of its path. */
export function promptDiagnostics(
  { project, promptPlaces }: DecodedProject,
  problem: (path: string) => string | undefined,
): readonly Diagnostic[] {
  return [...project.prompts.values()].flatMap(({ name, path }) => {
    const fault = problem(path);
    const place = promptPlaces.get(name);
    if (fault === undefined || place === undefined) return [];
    return [fileDiagnostic(place.file, place.range, `prompt ${JSON.stringify(name)} path ${JSON.stringify(path)} ${fault}`)];
  });
}
