import type { Diagnostic } from '../../kernel/text/index.ts';
import { blocksOf } from './block-reader.ts';
import { decodeBlocks } from './decode-project.ts';
import { environmentOf } from './environment.ts';
import type { FactAnswers, FactRequest } from './fact-request.ts';
import { Facts } from './facts.ts';
import { Findings, type Misnamed } from './findings.ts';
import type { Body, Scope, Value } from './hcl/index.ts';
import { loadFiles, type ImportRead, type LoadedFiles, type ReadImport } from './imports.ts';
import type { DecodedProject } from './link.ts';
import { ProcessEnvironment, type ProcessVariables } from './process-environment.ts';
import { profilesOf } from './profiles.ts';
import { projectRootOf, writtenStatePath } from './project-block.ts';
import type { EnvironmentEntry } from './project.ts';
import { generalScope } from './reference-objects.ts';
import type { Sources } from './sources.ts';
import { resolveVariables } from './variables.ts';

export interface BachfileFacts {
  /** The path as the user gave it; it stands in every message. */
  readonly file: string;
  /** The same, absolute and with all links followed. */
  readonly canonical: string;
  /** `--var name=value`, in the order given. */
  readonly overrides: readonly EnvironmentEntry[];
  /** `--profile`, in the order given. */
  readonly profiles: readonly string[];
  /** The environment of the process. */
  readonly environment: ProcessVariables;
  /** What is known already of what `needs` asked for. */
  readonly answers: FactAnswers;
  readonly readImport: ReadImport;
  /** Reads on behind faults of the syntax, for `readable`. */
  readonly salvages?: boolean;
}

/** Everything from outside the files that the evaluation looked at: with other values it might come out otherwise. */
export interface Reads {
  /** Names of the environment with their values; `undefined` for one that is not set. */
  readonly environment: ReadonlyMap<string, string | undefined>;
  /** By `factKey`. */
  readonly answers: FactAnswers;
  readonly imports: readonly ImportRead[];
}

export interface Bachfile {
  /** Nothing when a diagnostic is an error or something is needed. */
  readonly decoded: DecodedProject | undefined;
  readonly diagnostics: readonly Diagnostic[];
  /** What the command line names and no block declares, where the files could be read. Not empty: nothing is decoded. */
  readonly misnamed: readonly Misnamed[];
  /** What could be made of the files, faults or not; behind faults of the syntax only when `salvages`. */
  readonly readable: DecodedProject | undefined;
  /** The texts that were read, of imports too. */
  readonly sources: Sources;
  /** False when what the files say of the root and of the state could not be read. */
  readonly tellsPlace: boolean;
  /** Not empty: nothing else here counts but `root`; find these out, add them to `answers`, and read again. */
  readonly needs: readonly FactRequest[];
  /** `project.root` as written, where what is needed has to be looked for. */
  readonly root: string | undefined;
  /** The state database from the root, as far as it is known before anything has a value. */
  readonly statePath: string;
  readonly reads: Reads;
}

/**
 * Reads a Bachfile with its imports: texts to a checked project, with every fault and its range.
 *
 * @example
 * const { decoded, diagnostics, needs } = readBachfile(bytes, facts);
 */
export function readBachfile(bytes: Uint8Array, facts: BachfileFacts): Bachfile {
  const files = loadFiles({ canonical: facts.canonical, shown: facts.file, bytes }, facts.readImport);
  const world: World = { process: new ProcessEnvironment(facts.environment), facts: new Facts(facts.answers) };
  const isBroken = files.findings.hasErrors;
  if (isBroken && facts.salvages !== true) return result(files, world, { readable: undefined, root: undefined });
  // What follows from a fault of the syntax is noise.
  const findings = isBroken ? new Findings(files.sources) : files.findings;
  const root = projectRootOf(files.body, findings);
  if (root === '~' || root?.startsWith('~/') === true) world.process.read('HOME');
  const readable = decode({ ...files, findings }, { root, given: facts, ...world });
  return result(files, world, { readable, root, noise: isBroken ? findings : undefined });
}

interface World {
  readonly process: ProcessEnvironment;
  readonly facts: Facts;
}

interface Decoding extends World {
  readonly root: string | undefined;
  readonly given: BachfileFacts;
}

/** Stops where something is needed: nothing after that could be trusted. */
function decode({ body, findings }: LoadedFiles, { root, given, process, facts }: Decoding): DecodedProject | undefined {
  const world: Scope = { variables: process.values, functions: facts.functions };
  const variables = resolveVariables(body, { overrides: given.overrides, process, outer: world }, findings);
  if (facts.needs.length > 0) return undefined;
  const outer = within(world, new Map([['var', variables]]));
  const { environment, profiles, values } = environments(body, { outer, findings, selected: given.profiles });
  if (facts.needs.length > 0) return undefined;
  const seen: Scope = { variables: new Map([...values, ['var', variables]]), functions: facts.functions };
  return decodeBlocks(body, {
    file: given.file,
    root,
    entries: environment.entries,
    profiles,
    general: generalScope(body, seen, findings),
    environment: { outer: within(outer, values), findings },
    process,
    findings,
  });
}

interface EnvironmentFacts {
  readonly outer: Scope;
  readonly findings: Findings;
  readonly selected: readonly string[];
}

function environments(body: Body, { outer, findings, selected }: EnvironmentFacts) {
  const environment = environmentOf(blocksOf(body, 'env'), { outer, findings });
  return { environment, ...profilesOf(body, { selected, project: environment, outer, findings }) };
}

function within(parent: Scope, variables: ReadonlyMap<string, Value>): Scope {
  return { variables, functions: new Map(), parent };
}

interface Outcome {
  readonly readable: DecodedProject | undefined;
  readonly root: string | undefined;
  readonly noise?: Findings | undefined;
}

function result({ body, findings, imports, sources }: LoadedFiles, { process, facts }: World, { readable, root, noise }: Outcome): Bachfile {
  const { needs } = facts;
  const rest = {
    needs,
    root,
    statePath: writtenStatePath(body),
    sources,
    reads: { environment: process.reads, answers: facts.used, imports },
  };
  if (needs.length > 0) return { ...rest, decoded: undefined, readable: undefined, diagnostics: [], misnamed: [], tellsPlace: true };
  return {
    ...rest,
    decoded: findings.hasErrors || findings.misnamed.length > 0 ? undefined : readable,
    misnamed: findings.misnamed,
    readable,
    diagnostics: findings.diagnostics,
    tellsPlace: tellsPlace(body, [findings, ...(noise === undefined ? [] : [noise])]),
  };
}

function tellsPlace(body: Body, all: readonly Findings[]): boolean {
  const [project] = blocksOf(body, 'project');
  return project !== undefined && !all.some((findings) => findings.hasErrorsIn(project));
}
