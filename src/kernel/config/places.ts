import { lstatSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { homeUnknown } from './errors.ts';

export type Environment = Readonly<Record<string, string | undefined>>;

/** What makes a folder the root of a project; a `.git` may be a file. */
const ROOT_MARKS = ['.drover', '.git'];

/** `$XDG_CONFIG_HOME/drover/config.toml`, else below `~/.config`; nothing when neither folder is known. */
export function userConfigFile(environment: Environment): string | undefined {
  const folder = baseFolder(environment, { variable: 'XDG_CONFIG_HOME', inHome: '.config' });
  return folder === undefined ? undefined : join(folder, 'drover', 'config.toml');
}

/**
 * The folder for what is kept of this machine: `configured`, else `$XDG_STATE_HOME/drover`, else `~/.local/state/drover`.
 * It need not exist. Throws `home-unknown`.
 */
export function stateFolder(configured: string | undefined, environment: Environment): string {
  const purpose = 'the state folder';
  if (configured !== undefined) return expandHome(configured, { environment, purpose });
  const folder = baseFolder(environment, { variable: 'XDG_STATE_HOME', inHome: '.local/state' });
  if (folder === undefined) throw homeUnknown({ purpose, reason: whyUnknown(environment, ['HOME', 'XDG_STATE_HOME']), setting: 'XDG_STATE_HOME, or state.folder' });
  return join(folder, 'drover');
}

const FOLDER_VARIABLES = ['HOME', 'XDG_CONFIG_HOME', 'XDG_STATE_HOME'] as const;

type FolderVariable = (typeof FOLDER_VARIABLES)[number];

/** The variables for folders that are set and count for nothing, since they are relative. */
export function relativeFolders(environment: Environment): readonly { readonly name: FolderVariable; readonly value: string }[] {
  return FOLDER_VARIABLES.flatMap((name) => {
    const value = environment[name] ?? '';
    return value === '' || absolute(value) !== undefined ? [] : [{ name, value }];
  });
}

interface HomeUse {
  readonly environment: Environment;
  /** What the path is for, as a message says it. */
  readonly purpose: string;
}

/** A configured path with `~/` replaced by the home folder. Throws `home-unknown`. */
export function expandHome(path: string, { environment, purpose }: HomeUse): string {
  if (!path.startsWith('~/')) return path;
  const home = absolute(environment['HOME']);
  if (home === undefined) throw homeUnknown({ purpose, reason: whyUnknown(environment, ['HOME']), setting: 'write an absolute path instead of "~/"' });
  return join(home, path.slice(2));
}

/** The nearest folder from `folder` upwards that holds `.drover` or `.git`; else `folder` itself. */
export function projectRoot(folder: string): string {
  for (let at = folder; ; at = dirname(at)) {
    if (ROOT_MARKS.some((mark) => isThere(join(at, mark)))) return at;
    if (dirname(at) === at) return folder;
  }
}

function baseFolder(
  environment: Environment,
  { variable, inHome }: { readonly variable: string; readonly inHome: string },
): string | undefined {
  // The standard of these variables says that a relative path is to be ignored.
  const named = absolute(environment[variable]);
  const home = absolute(environment['HOME']);
  return named ?? (home === undefined ? undefined : join(home, inHome));
}

/** Only `HOME` is missed when it is not set. */
function whyUnknown(environment: Environment, names: readonly FolderVariable[]): string {
  const relative = relativeFolders(environment).filter(({ name }) => names.includes(name));
  const told = relative.map(({ name, value }) => `${name} is ${JSON.stringify(value)}, not an absolute path`);
  return (environment['HOME'] ?? '') === '' ? ['HOME is not set', ...told].join('; ') : told.join('; ');
}

function absolute(path: string | undefined): string | undefined {
  return path?.startsWith('/') === true ? path : undefined;
}

function isThere(path: string): boolean {
  try {
    return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
  } catch {
    // A folder that cannot be searched holds no project that could be used.
    return false;
  }
}
