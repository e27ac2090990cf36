import { expandVariables } from '../../kernel/text/index.ts';
import type { EnvironmentEntry, Operation } from '../model/index.ts';

const RUN_DIRECTORY = '$(RUN_DIRECTORY)';

/** The environment of a target's operation; later layers win over earlier ones. */
export interface EnvironmentLayers {
  readonly parent: Readonly<Record<string, string | undefined>>;
  /** `.env`, then `--env-file`. */
  readonly files: readonly EnvironmentEntry[];
  readonly project: readonly EnvironmentEntry[];
}

/** What runs, with every placeholder replaced. */
export interface ExpandedOperation {
  readonly argv: readonly [string, ...string[]];
  /** How it is shown: the words of the command, or `sh -c` and the script. */
  readonly text: string;
}

/** What all targets of a run share; each target puts its own entries on top. */
export function sharedEnvironment({ parent, files, project }: EnvironmentLayers): Readonly<Record<string, string>> {
  const shared: Record<string, string> = Object.create(null);
  for (const [name, value] of Object.entries(parent)) if (value !== undefined) shared[name] = value;
  for (const { name, value } of [...files, ...project]) shared[name] = value;
  return shared;
}

/** What a run gives each target. */
export interface RunFacts {
  /** Of the run; in the environment of everything that it starts. */
  readonly id: string;
  /** The target's run directory, absolute. */
  readonly directory: string;
}

/** The run directory stands above everything: a target must find its own, whatever its `env` says. */
export function targetEnvironment(
  shared: Readonly<Record<string, string>>,
  entries: readonly EnvironmentEntry[],
  { id, directory }: RunFacts,
): Readonly<Record<string, string>> {
  const environment: Record<string, string> = Object.assign(Object.create(null), shared);
  for (const { name, value } of entries) environment[name] = value;
  environment['BACH_RUN_DIRECTORY'] = directory;
  environment['RUN_DIRECTORY'] = directory;
  environment['DROVER_RUN'] = id;
  return environment;
}

/** Replaces `$(RUN_DIRECTORY)`, then `$NAME` and `${NAME}`; this happens before a shell sees the text. */
export function expandOperation(
  operation: Operation,
  environment: Readonly<Record<string, string>>,
  runDirectory: string,
): ExpandedOperation {
  // Piece by piece, so that a dollar in the path of the run directory is never taken for a variable.
  const expandPiece = (text: string): string => expandVariables(text, (name) => environment[name]);
  const expand = (text: string): string => text.split(RUN_DIRECTORY).map(expandPiece).join(runDirectory);
  if (operation.kind === 'shell') {
    const script = expand(operation.script);
    return { argv: ['/bin/sh', '-c', script], text: `sh -c ${script}` };
  }
  const [program, ...rest] = operation.argv;
  const argv: [string, ...string[]] = [expand(program), ...rest.map(expand)];
  return { argv, text: argv.join(' ') };
}

export function expandRunDirectory(text: string, runDirectory: string): string {
  return text.split(RUN_DIRECTORY).join(runDirectory);
}
