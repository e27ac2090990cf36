import { expandVariables } from '../../kernel/text/index.ts';
import { RUN_DIRECTORY } from '../decide/index.ts';
import type { EnvironmentEntry, ImageOperation, Operation } from '../model/index.ts';


/** The builder whose pushes are a command of its images. */
const CONTAINER = 'container';

/** The environment that all targets of a run share; later layers win over earlier ones. */
export interface EnvironmentLayers {
  readonly parent: Readonly<Record<string, string | undefined>>;
  /** `.env`, then `--env-file`. */
  readonly files: readonly EnvironmentEntry[];
  readonly project: readonly EnvironmentEntry[];
  /** Of the selected profiles, later over earlier. */
  readonly profiles: readonly EnvironmentEntry[];
}

export type Argv = readonly [string, ...string[]];

/** What runs, with every placeholder replaced. */
export interface ExpandedOperation {
  /** One after the other, as long as each succeeds. */
  readonly commands: readonly [Argv, ...Argv[]];
  /** How it is shown: the words of the command, `sh -c` and the script, or the commands of an image joined by `&&`. */
  readonly text: string;
  /** Of the image that it builds. */
  readonly tags: readonly string[];
}

/** What all targets of a run share; the run and each target put their own entries on top. */
export function sharedEnvironment({ parent, files, project, profiles }: EnvironmentLayers): Readonly<Record<string, string>> {
  const shared: Record<string, string> = Object.create(null);
  for (const [name, value] of Object.entries(parent)) if (value !== undefined) shared[name] = value;
  for (const { name, value } of [...files, ...project, ...profiles]) shared[name] = value;
  return shared;
}

/** What a run gives each target. */
export interface RunFacts {
  /** Of the run; in the environment of everything that it starts. */
  readonly id: string;
  /** The target's run directory, absolute. */
  readonly directory: string;
  /** What git says of the project. */
  readonly git: readonly EnvironmentEntry[];
}

/** The run directory stands above everything: a target must find its own, whatever its `env` says. */
export function targetEnvironment(
  shared: Readonly<Record<string, string>>,
  entries: readonly EnvironmentEntry[],
  { id, directory, git }: RunFacts,
): Readonly<Record<string, string>> {
  const environment: Record<string, string> = Object.assign(Object.create(null), shared);
  for (const { name, value } of [...git, ...entries]) environment[name] = value;
  environment['BACH_RUN_DIRECTORY'] = directory;
  environment['RUN_DIRECTORY'] = directory;
  environment['DROVER_RUN'] = id;
  return environment;
}

const OF_THE_RUN = ['BACH_RUN_DIRECTORY', 'RUN_DIRECTORY', 'DROVER_RUN'];

/**
 * The same on top of the environment of a target without entries, to look up single variables: thousands of targets
 * share what is below.
 */
export function variablesOf(base: Readonly<Record<string, string>>, entries: readonly EnvironmentEntry[]): Readonly<Record<string, string>> {
  if (entries.length === 0) return base;
  const variables: Record<string, string> = Object.create(base);
  for (const { name, value } of entries) if (!OF_THE_RUN.includes(name)) variables[name] = value;
  return variables;
}

/** Replaces `$(RUN_DIRECTORY)`, then `$NAME` and `${NAME}`; this happens before a shell sees the text. */
export function expandOperation(
  operation: Operation,
  environment: Readonly<Record<string, string>>,
  runDirectory: string,
): ExpandedOperation {
  const expand = (text: string): string => expandText(text, environment, runDirectory);
  if (operation.kind === 'shell') {
    const script = expand(operation.script);
    return { commands: [['/bin/sh', '-c', script]], text: `sh -c ${script}`, tags: [] };
  }
  const [first, ...rest] = operation.kind === 'command' ? ([operation.argv] as const) : imageCommands(operation);
  const each = ([program, ...words]: Argv): Argv => [expand(program), ...words.map(expand)];
  const commands = [each(first), ...rest.map(each)] as const;
  const tags = operation.kind === 'image' ? operation.fullTags.map(expand) : [];
  return { commands, text: commands.map((argv) => argv.join(' ')).join(' && '), tags };
}

/** Piece by piece, so that a dollar in the path of the run directory is never taken for a variable. */
export function expandText(text: string, environment: Readonly<Record<string, string>>, runDirectory: string): string {
  const expandPiece = (piece: string): string => expandVariables(piece, (name) => environment[name]);
  return text.split(RUN_DIRECTORY).map(expandPiece).join(runDirectory);
}

export function expandRunDirectory(text: string, runDirectory: string): string {
  return text.split(RUN_DIRECTORY).join(runDirectory);
}

/** The build, then a push of each tag where that is wanted. */
function imageCommands(image: ImageOperation): readonly [Argv, ...Argv[]] {
  const { builder, platform, dockerfile, fullTags, buildArgs, context } = image;
  const build: Argv = [
    builder,
    'build',
    ...(platform === '' ? [] : ['--platform', platform]),
    '--file',
    dockerfile,
    ...fullTags.flatMap((tag) => ['--tag', tag]),
    ...buildArgs.flatMap((argument) => ['--build-arg', argument]),
    context,
  ];
  return [build, ...(image.push ? fullTags.map((tag) => pushOf(tag, builder)) : [])];
}

function pushOf(tag: string, builder: string): Argv {
  const isContainer = builder.split('/').at(-1) === CONTAINER;
  return isContainer ? [builder, 'image', 'push', tag] : [builder, 'push', tag];
}
