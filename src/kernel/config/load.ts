import { join } from 'node:path';
import { resolveInside } from '../files/index.ts';
import { plainName } from '../text/index.ts';
import { configInvalid, configNotTrusted, configOptionInvalid } from './errors.ts';
import { readFileLayer, type FileFault, type FileLayer } from './file-layer.ts';
import { shownValue, type ConfigKey } from './key.ts';
import { formatOrigin, type Origin } from './origin.ts';
import type { Place } from './place.ts';
import { relativeFolders, userConfigFile, type Environment } from './places.ts';
import { resolveKey, type Layers, type Resolved, type Source } from './resolve.ts';
import { misspeltVariables, readFlags, readVariables, type FlagValue } from './text-layers.ts';
import type { PlainValue } from './value-type.ts';

export interface ConfigSources {
  readonly environment: Environment;
  /** Absolute; its `.drover/config.toml` is read. Without it there is no project. */
  readonly projectRoot?: string | undefined;
  readonly flags?: readonly FlagValue[];
  /** Every key that may be written. */
  readonly keys: readonly ConfigKey<unknown>[];
}

/** One key with what it is in the end. */
export interface Setting {
  readonly name: string;
  readonly means: string;
  /** As it may be shown; `undefined` when nothing is set. */
  readonly value: PlainValue | undefined;
  readonly origins: readonly Origin[];
}

export interface Config {
  get<Value>(key: ConfigKey<Value>): Value;
  /** Every key, in the order of their declarations, with file and line. */
  settings(): Promise<readonly Setting[]>;
  /** What was written and has no effect, and why, one sentence each. */
  warnings(): Promise<readonly string[]>;
  /** The files that say something. */
  readonly files: readonly { readonly layer: 'user' | 'project'; readonly file: string }[];
}

/** More would scroll away what comes first. */
const MOST_FAULTS = 20;

const PROJECT_FILE = '.drover/config.toml';

/**
 * Resolves the configuration: defaults, the user's file, the project's file as far as it narrows, variables, options.
 * A missing file says nothing. Throws `config-option-invalid`, `config-invalid` and `config-not-trusted` with all places at once, and what
 * keeps a file from being read: `permission-denied`, `not-a-file`, `not-a-regular-file`, `file-too-large`,
 * `path-outside`, `not-found` (a link that leads nowhere).
 *
 * @example
 * const config = await loadConfig({ environment: process.env, projectRoot: projectRoot(cwd), keys: [containment] });
 * const wanted = config.get(containment);
 */
export async function loadConfig({ environment, projectRoot, flags = [], keys }: ConfigSources): Promise<Config> {
  const userFile = userConfigFile(environment);
  const user = userFile === undefined ? undefined : readFileLayer(userFile, keys);
  const project = projectRoot === undefined ? undefined : readProjectLayer(projectRoot, keys);
  const variables = readVariables(keys, environment);
  const options = readFlags(keys, flags);
  await refuseFaults([user, project], { variables: variables.faults, options: options.faults });
  if (project !== undefined) await refuseUntrusted(project, keys);
  const layers = { user, project, environment: variables.values, flags: options.values };
  return configOf({ layers, resolved: keys.map((key) => resolveKey(key, layers)), idle: [...misspeltVariables(keys, environment), ...idleFolders(environment)] });
}

/** A project may be anybody's: its file must not be a link to somewhere else. */
function readProjectLayer(root: string, keys: readonly ConfigKey<unknown>[]): FileLayer {
  const file = join(root, PROJECT_FILE);
  resolveInside(root, file);
  return readFileLayer(file, keys);
}

interface OtherFaults {
  readonly variables: readonly string[];
  readonly options: readonly string[];
}

/** All of them are told at once; faults of options alone are wrong usage. */
async function refuseFaults(layers: readonly (FileLayer | undefined)[], { variables, options }: OtherFaults): Promise<void> {
  const ofFiles = layers.flatMap((layer) => (layer === undefined ? [] : layer.faults.map((fault) => ({ layer, fault }))));
  const lines = await Promise.all(ofFiles.slice(0, MOST_FAULTS).map(({ layer, fault }) => faultLine(layer, fault)));
  const more = ofFiles.length - lines.length;
  const kept = [...lines, ...(more > 0 ? [`and ${more} more`] : []), ...variables];
  if (kept.length > 0) throw configInvalid({ lines: [...kept, ...options] });
  if (options.length > 0) throw configOptionInvalid({ lines: options });
}

async function refuseUntrusted(project: FileLayer, keys: readonly ConfigKey<unknown>[]): Promise<void> {
  const refused = keys.filter(({ name, narrow }) => narrow === undefined && project.values.has(name));
  const lines = refused.map(({ name }) =>
    faultLine(project, { path: name.split('.'), message: `${name} is not taken from a project's file` }),
  );
  if (lines.length > 0) throw configNotTrusted({ lines: await Promise.all(lines) });
}

async function faultLine(layer: FileLayer, { path, place, message }: FileFault): Promise<string> {
  const found = place ?? (path.length === 0 ? undefined : await layer.placeOf(path));
  return `${plainName(layer.file)}${placeText(found)}: ${message}`;
}

function placeText(place: Place | undefined): string {
  return place === undefined ? '' : `:${place.line}:${place.column}`;
}

function idleFolders(environment: Environment): readonly string[] {
  return relativeFolders(environment).map(({ name, value }) => `${name} = ${JSON.stringify(value)} has no effect: it is not an absolute path`);
}

interface Loaded {
  readonly layers: Layers;
  readonly resolved: readonly Resolved[];
  /** About variables that have no effect. */
  readonly idle: readonly string[];
}

function configOf({ layers, resolved, idle }: Loaded): Config {
  const values = new Map(resolved.map(({ key, value }) => [key.name, value]));
  return {
    get: <Value>(key: ConfigKey<Value>) => values.get(key.name) as Value,
    settings: () => Promise.all(resolved.map(settingOf)),
    warnings: async () => [...(await Promise.all(resolved.flatMap((each) => refusal(each, layers)))), ...idle],
    files: (['user', 'project'] as const).flatMap((layer) => {
      const from = layers[layer];
      return from?.isPresent === true ? [{ layer, file: from.file }] : [];
    }),
  };
}

async function settingOf({ key, value, sources }: Resolved): Promise<Setting> {
  const origins = await Promise.all(sources.map((source) => originOf(source, key)));
  return { name: key.name, means: key.means, value: shownValue(key, value), origins };
}

async function originOf(source: Source, { name }: ConfigKey<unknown>): Promise<Origin> {
  if (!('from' in source)) return source;
  const place = await source.from.placeOf(name.split('.'));
  return { layer: source.layer, file: source.from.file, ...(place === undefined ? {} : { line: place.line }) };
}

/** Nothing for a key whose project got what it asked for. */
function refusal({ key, refused }: Resolved, { user, project }: Layers): readonly Promise<string>[] {
  if (refused === undefined || project === undefined) return [];
  const isSet = user?.values.has(key.name) === true;
  const tell = async (): Promise<string> => {
    const own = await originOf(isSet ? { layer: 'user', from: user } : { layer: 'default' }, key);
    const message = `${key.name} = ${refused} has no effect: a project's file may only narrow it (${formatOrigin(own)})`;
    return faultLine(project, { path: key.name.split('.'), message });
  };
  return [tell()];
}
