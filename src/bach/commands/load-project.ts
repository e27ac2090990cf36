import type { VerbContext } from '../../kernel/terminal/index.ts';
import { formatDiagnostic, type Diagnostic } from '../../kernel/text/index.ts';
import { compositeCycle } from '../decide/index.ts';
import {
  fileDiagnostic,
  linkProject,
  promptDiagnostics,
  type DecodedProject,
  type GraphAdditions,
  type Misnamed,
  type Project,
} from '../model/index.ts';
import {
  findKept,
  keepProject,
  type Candidate,
  type KeptProject,
  type ProjectSource,
  type StatePlace,
} from '../store/index.ts';
import { invalidBachfile, undeclaredName } from './errors.ts';
import type { ProjectInput } from './inputs.ts';
import { answerOnce, areAnsweredSo, rootOf, sourceOf, type AnswerFact, type FactWorld } from './project-source.ts';
import type { ReadProject } from './read-project.ts';

/** A project that may be used: decoded and linked without errors, with its folder. */
export interface LoadedProject {
  readonly project: Project;
  readonly place: StatePlace;
  /** The kept one that it is, when nothing has to be told about it and nothing but files and state decides what it is. */
  readonly kept: Pick<Candidate, 'head' | 'root'> | undefined;
  /** Keeps the project for later commands where that is allowed and not done yet; to be called by who writes anyway. */
  keep(): void;
}

export type PeekedProject = Pick<LoadedProject, 'project' | 'place'>;

export interface CheckedBachfile {
  /** Nothing when a diagnostic is an error. */
  readonly project: Project | undefined;
  readonly diagnostics: readonly Diagnostic[];
}

interface Checked extends CheckedBachfile {
  keep?(): void;
  /** Where it comes from when it was kept. */
  readonly candidate?: Candidate;
  /** What the command line names and nothing declares; there is no project then. */
  readonly misnamed?: readonly Misnamed[];
  /** What was read of a Bachfile that does not load. */
  readonly read?: ReadProject;
}

/** A project, or what can be read of one whose Bachfile does not load. */
export interface ReadableProject {
  readonly project: Project;
  readonly place: StatePlace;
  /** Texts of files that do not load: secrets may stand where no block can be read. */
  readonly texts: readonly string[];
}

/** What loading asks of the world beside the Bachfile and its imports. */
export interface ProjectWorld extends FactWorld {
  /** What the graph plugins of the project emit. */
  runGraphPlugins(project: Project, root: string): Promise<readonly GraphAdditions[]>;
  /** How the message about a faulty prompt file ends: `must be a regular file`. */
  promptProblem(path: string, root: string): string | undefined;
  /** What an earlier run kept is used, and what is read from the files may be kept. */
  readonly usesKept: boolean;
  /** What can be read of a file that does not load is wanted too. */
  readonly salvages?: boolean;
}

/** Loads the project for a verb that needs it whole. Throws `invalid-bachfile` with every diagnostic. */
export async function loadProject(input: ProjectInput, context: VerbContext, world: Partial<ProjectWorld> = {}): Promise<LoadedProject> {
  const { project, diagnostics, candidate, keep = () => undefined } = declared(await check({ input, context, world }), input);
  if (project === undefined) throw invalidBachfile({ lines: diagnostics.map(formatDiagnostic) });
  for (const diagnostic of diagnostics) context.out.notice(formatDiagnostic(diagnostic));
  const kept = candidate !== undefined && diagnostics.length === 0 && isOfFilesAlone(project) ? candidate : undefined;
  return { project, place: placeOf(project, input, context), kept, keep };
}

/** Prompts are looked at, and plugins asked, each time. */
function isOfFilesAlone({ prompts, plugins }: Project): boolean {
  return prompts.size + plugins.size === 0;
}

function declared(checked: Checked, { file }: ProjectInput): Checked {
  const { misnamed = [] } = checked;
  if (misnamed.length > 0) throw undeclaredName({ file, misnamed });
  return checked;
}

/** The project without what its plugins add, and without a word about it; nothing where the Bachfile has errors. */
export async function peekProject(input: ProjectInput, context: VerbContext, world: Partial<ProjectWorld>): Promise<PeekedProject | undefined> {
  const { project } = await checkBachfile(input, context, world);
  return project === undefined ? undefined : { project, place: placeOf(project, input, context) };
}

function placeOf({ root, backend }: Project, input: ProjectInput, context: VerbContext): StatePlace {
  return { root: rootOf(input, context, root), statePath: backend.statePath, clock: context.clock };
}

/**
 * Loads as much as verbs need that look at what is recorded. That the Bachfile does not load is told in one line: what
 * ran before is there all the same.
 */
export async function loadReadable(input: ProjectInput, context: VerbContext, world: Partial<ProjectWorld>): Promise<ReadableProject> {
  const { project, diagnostics, read } = declared(await check({ input, context, world: { ...world, salvages: true } }), input);
  const readable = project ?? read?.readable?.project;
  if (readable === undefined) throw invalidBachfile({ lines: diagnostics.map(formatDiagnostic) });
  const place = { root: rootOf(input, context, readable.root), statePath: readable.backend.statePath, clock: context.clock };
  if (project !== undefined) {
    for (const diagnostic of diagnostics) context.out.notice(formatDiagnostic(diagnostic));
    return { project, place, texts: [] };
  }
  context.out.notice(`${input.file} does not load: "bach validate" tells why`);
  if (read?.tellsPlace === false) context.out.notice(`${input.file} does not tell where the state is: ${place.statePath} in ${place.root} is used`);
  return { project: readable, place, texts: read?.sources.all.map(({ text }) => text) ?? [] };
}

/**
 * Reads and checks the Bachfile itself, without running a plugin; faults of the files and of `--profile` and `--var` come
 * back as diagnostics, only a missing Bachfile is thrown.
 */
export async function checkBachfile(
  input: ProjectInput,
  context: VerbContext,
  world: Partial<ProjectWorld> = {},
): Promise<CheckedBachfile> {
  const { runGraphPlugins: _, usesKept: __, ...ofFiles } = world;
  const { misnamed = [], ...checked } = await check({ input, context, world: ofFiles });
  const faults = misnamed.map(({ message }) => fileDiagnostic(input.file, FILE_START, message));
  return { ...checked, diagnostics: [...checked.diagnostics, ...faults] };
}

/** Of a fault that no line of the file has. */
const FILE_START = { start: { line: 1, column: 1, byte: 0 }, end: { line: 1, column: 1, byte: 0 } };

interface Asked {
  readonly input: ProjectInput;
  readonly context: VerbContext;
  readonly world: Partial<ProjectWorld>;
}

interface Loading extends Asked {
  readonly answer: AnswerFact;
}

async function check(asked: Asked): Promise<Checked> {
  const loading: Loading = { ...asked, answer: answerOnce(asked.context, asked.world) };
  const source = sourceOf(asked.input, asked.context);
  const found = asked.world.usesKept === true ? await findCurrent(source, loading) : undefined;
  if (found === undefined) return checkFiles(source, loading);
  return { ...(await whole(found.kept, loading)), candidate: found.candidate };
}

/** What an earlier run kept, when the world still gives the answers that it was decoded with. */
async function findCurrent(source: ProjectSource, { answer }: Loading): Promise<FoundProject | undefined> {
  const candidate = findKept(source);
  if (candidate === undefined || !(await areAnsweredSo(candidate, answer))) return undefined;
  const kept = candidate.open();
  return kept && { candidate, kept };
}

interface FoundProject {
  readonly candidate: Candidate;
  readonly kept: KeptProject;
}

async function checkFiles(source: ProjectSource, loading: Loading): Promise<Checked> {
  // The parser and all that decodes is loaded only where something has to be decoded.
  const { readProject } = await import('./read-project.ts');
  const { input, context, world, answer } = loading;
  const read = await readProject(source, {
    answer,
    rootOf: (written) => rootOf(input, context, written),
    salvages: world.salvages === true,
  });
  const { decoded, diagnostics, misnamed } = read;
  if (decoded === undefined) return { project: undefined, diagnostics, read, misnamed };
  const checked = await whole({ decoded, linked: false, diagnostics }, loading);
  const { project } = checked;
  if (world.usesKept !== true || project === undefined) return { ...checked, read };
  return { ...checked, keep: () => keepRead(source, { read, decoded, project }, loading) };
}

async function whole({ decoded, linked, diagnostics }: KeptProject, { input, context, world }: Loading): Promise<CheckedBachfile> {
  const { promptProblem, runGraphPlugins } = world;
  const folder = promptProblem === undefined && runGraphPlugins === undefined ? '' : rootOf(input, context, decoded.project.root);
  const faults = promptProblem === undefined ? [] : promptDiagnostics(decoded, (path) => promptProblem(path, folder));
  if (faults.length > 0) return { project: undefined, diagnostics: [...diagnostics, ...faults] };
  if (linked) return { project: decoded.project, diagnostics };
  const additions = (await runGraphPlugins?.(decoded.project, folder)) ?? [];
  return link(decoded, additions, diagnostics);
}

function link(decoded: DecodedProject, additions: readonly GraphAdditions[], found: readonly Diagnostic[]): CheckedBachfile {
  const { project, diagnostics: faults } = linkProject(decoded, additions);
  const diagnostics = [...found, ...faults];
  if (project === undefined) return { project, diagnostics };
  const cycle = compositeCycle(project.targets);
  const target = cycle && project.targets.get(cycle.target);
  if (cycle === undefined || target === undefined) return { project, diagnostics };
  // A circle through groups and pipelines has no meaning, so it is refused before any verb.
  return { project: undefined, diagnostics: [...diagnostics, fileDiagnostic(target.file, target.range, cycle.message)] };
}

interface Linked {
  readonly read: ReadProject;
  readonly decoded: DecodedProject;
  /** Linked and without errors. */
  readonly project: Project;
}

/** What graph plugins add is found out each time. */
function keepRead(source: ProjectSource, { read, decoded, project }: Linked, { input, context }: Loading): void {
  const linked = ![...project.plugins.values()].some(({ type }) => type === 'graph');
  const kept: KeptProject = { decoded: linked ? { ...decoded, project } : decoded, linked, diagnostics: read.diagnostics };
  const root = rootOf(input, context, project.root);
  keepProject(source, { kept, reads: read.reads, imported: read.imported, root, statePath: read.statePath }, context.secretNames);
}
