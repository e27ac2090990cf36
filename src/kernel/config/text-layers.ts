import { didYouMean, nearest } from '../text/index.ts';
import { wrongValue } from './file-layer.ts';
import { variableOf, type ConfigKey } from './key.ts';
import type { Environment } from './places.ts';
import type { Layers } from './resolve.ts';

/** `--set name=value`, or an option that stands for one key. */
export interface FlagValue {
  readonly name: string;
  readonly text: string;
  /** The option as the user wrote it. */
  readonly flag: string;
}

interface TextLayer<Values> {
  readonly values: Values;
  /** Each with the name of the variable or the option. */
  readonly faults: readonly string[];
}

/** Reads the variables of all keys. An empty one counts as not set. */
export function readVariables(keys: readonly ConfigKey<unknown>[], environment: Environment): TextLayer<Layers['environment']> {
  const values = new Map<string, unknown>();
  const faults: string[] = [];
  for (const key of keys) {
    const text = environment[variableOf(key)] ?? '';
    if (text === '') continue;
    const value = key.type.fromText(text);
    if (value === undefined) faults.push(`${variableOf(key)}: ${wrongValue(key, JSON.stringify(text))}`);
    else values.set(key.name, value);
  }
  return { values, faults };
}

/** Reads options; the last one of a key counts. */
export function readFlags(keys: readonly ConfigKey<unknown>[], flags: readonly FlagValue[]): TextLayer<Layers['flags']> {
  const values = new Map<string, { readonly value: unknown; readonly flag: string }>();
  const faults: string[] = [];
  for (const { name, text, flag } of flags) {
    const key = keys.find((each) => each.name === name);
    const value = key?.type.fromText(text);
    if (value !== undefined) values.set(name, { value, flag });
    else faults.push(`${flag}: ${key === undefined ? unknownKey(name, keys) : wrongValue(key, JSON.stringify(text))}`);
  }
  return { values, faults };
}

function unknownKey(name: string, keys: readonly ConfigKey<unknown>[]): string {
  return `unknown key ${JSON.stringify(name)}${didYouMean(name, keys.map((key) => key.name))}`;
}

/** Names of our own that are no keys. */
const OTHER_VARIABLES = ['DROVER_DEBUG', 'DROVER_RUN'];

/** Variables that look like a misspelt key. Others with our prefix are somebody's own business. */
export function misspeltVariables(keys: readonly ConfigKey<unknown>[], environment: Environment): readonly string[] {
  const known = [...keys.map(variableOf), ...OTHER_VARIABLES];
  return Object.keys(environment)
    .filter((name) => name.startsWith('DROVER_') && !known.includes(name))
    .flatMap((name) => {
      const meant = nearest(name.slice('DROVER_'.length), known.map((each) => each.slice('DROVER_'.length)));
      return meant === undefined ? [] : [`${name} has no effect; did you mean "DROVER_${meant}"?`];
    });
}
