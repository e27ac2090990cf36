import type { FileLayer } from './file-layer.ts';
import { shownValue, variableOf, type ConfigKey } from './key.ts';

/** A layer that a value came from, before anybody asks for the line. */
export type Source =
  | { readonly layer: 'default' }
  | { readonly layer: 'user' | 'project'; readonly from: FileLayer }
  | { readonly layer: 'environment'; readonly variable: string }
  | { readonly layer: 'flag'; readonly flag: string };

export interface Resolved {
  readonly key: ConfigKey<unknown>;
  readonly value: unknown;
  /** Several where a project adds to what its user has. */
  readonly sources: readonly Source[];
  /** What the project's file asked for and did not get, as it may be shown. */
  readonly refused: string | undefined;
}

/** What each layer says, by the name of the key. */
export interface Layers {
  readonly user: FileLayer | undefined;
  readonly project: FileLayer | undefined;
  readonly environment: ReadonlyMap<string, unknown>;
  readonly flags: ReadonlyMap<string, { readonly value: unknown; readonly flag: string }>;
}

/** Puts the layers of one key on each other. */
export function resolveKey(key: ConfigKey<unknown>, layers: Layers): Resolved {
  const ofFiles = withProject(ofUser(key, layers), layers);
  const flag = layers.flags.get(key.name);
  if (flag !== undefined) return replaced(ofFiles, flag.value, { layer: 'flag', flag: flag.flag });
  if (!layers.environment.has(key.name)) return ofFiles;
  return replaced(ofFiles, layers.environment.get(key.name), { layer: 'environment', variable: variableOf(key) });
}

/** What a project asked for is told also where a later layer has the last word. */
function replaced(before: Resolved, value: unknown, source: Source): Resolved {
  return { ...before, value, sources: [source] };
}

function ofUser(key: ConfigKey<unknown>, { user }: Layers): Resolved {
  const isSet = user?.values.has(key.name) === true;
  return {
    key,
    value: isSet ? user.values.get(key.name) : key.fallback,
    sources: [isSet ? { layer: 'user', from: user } : { layer: 'default' }],
    refused: undefined,
  };
}

function withProject(own: Resolved, { project }: Layers): Resolved {
  const { key } = own;
  if (key.narrow === undefined || project?.values.has(key.name) !== true) return own;
  const asked = project.values.get(key.name);
  const value = key.narrow(own.value, asked);
  const source: Source = { layer: 'project', from: project };
  if (isSame(key, value, asked)) return { ...own, value, sources: [source] };
  if (isSame(key, value, own.value)) return { ...own, refused: JSON.stringify(shownValue(key, asked)) };
  const others = own.sources.filter(({ layer }) => layer !== 'default');
  return { ...own, value, sources: [...others, source] };
}

function isSame(key: ConfigKey<unknown>, one: unknown, other: unknown): boolean {
  return JSON.stringify(plainOrNull(key, one)) === JSON.stringify(plainOrNull(key, other));
}

function plainOrNull({ type }: ConfigKey<unknown>, value: unknown): unknown {
  return value === undefined ? null : type.toPlain(value);
}
