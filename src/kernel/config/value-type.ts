import { formatDuration, parseDuration } from '../text/index.ts';
import { readDailyHours } from './daily-hours.ts';
import { postProblem } from './post-address.ts';

/** What a key takes, wherever it is written. */
export interface ValueType<Value> {
  /** Completes "expected …". */
  readonly expected: string;
  /** Reads a value of a TOML file, where integers are `bigint`; `undefined` when it does not fit. */
  fromToml(raw: unknown): Value | undefined;
  /** Reads the text of a variable or an option; `undefined` when it does not fit. */
  fromText(text: string): Value | undefined;
  /** A plain value for a document; its JSON text is TOML too. */
  toPlain(value: Value): PlainValue;
}

export type PlainValue = string | number | boolean | readonly PlainValue[];

export const truth: ValueType<boolean> = {
  expected: 'true or false',
  fromToml: (raw) => (typeof raw === 'boolean' ? raw : undefined),
  fromText: (text) => (text === 'true' ? true : text === 'false' ? false : undefined),
  toPlain: (value) => value,
};

/** A duration in Go's grammar, as nanoseconds. */
export const duration: ValueType<bigint> = {
  expected: 'a duration such as "1h30m" or "250ms"',
  fromToml: (raw) => (typeof raw === 'string' ? parseDuration(raw) : undefined),
  fromText: parseDuration,
  toPlain: formatDuration,
};

/** A whole number from `least` to `most`. */
export function whole({ least, most }: { readonly least: number; readonly most: number }): ValueType<number> {
  const inRange = (value: number): number | undefined => (value >= least && value <= most ? value : undefined);
  return {
    expected: `a whole number from ${least} to ${most}`,
    fromToml: (raw) => (typeof raw === 'bigint' ? inRange(Number(raw)) : undefined),
    fromText: (text) => (/^-?\d+$/.test(text) ? inRange(Number(text)) : undefined),
    toPlain: (value) => value,
  };
}

/** A text that `accepts` lets through. */
export function textThat(expected: string, accepts: (value: string) => boolean): ValueType<string> {
  return textOf(expected, { read: (value) => (accepts(value) ? value : undefined), write: (value) => value });
}

/** The name of an environment variable, by which a secret is referred to. */
export const variableName = textThat('the name of an environment variable', (value) => /^[A-Za-z_][A-Za-z0-9_]*$/.test(value));

/** A place that `expandHome` makes absolute. */
export const absolutePlace = textThat('an absolute path, or one that starts with "~/"', (value) => /^(~?\/)[^\0]*$/.test(value));

export const dailyHours = textThat(
  'hours such as "22:00-07:00" or "22:00-07:00 Europe/Berlin"',
  (value) => !('problem' in readDailyHours(value)),
);

export const postAddress = textThat(
  'an https address, or an http one of this machine, without user name and password',
  (value) => postProblem(value) === undefined,
);

export const variableNames = listOf(variableName, 'a list of names of environment variables');

/** One of a few words. */
export function oneOf<const Word extends string>(words: readonly Word[]): ValueType<Word> {
  const quoted = words.map((word) => JSON.stringify(word));
  const expected = [quoted.slice(0, -1).join(', '), ...quoted.slice(-1)].join(' or ');
  return textOf(expected, { read: (value) => words.find((word) => word === value), write: (value) => value });
}

interface Spelling<Value> {
  readonly read: (text: string) => Value | undefined;
  readonly write: (value: Value) => string;
}

/** Anything that is written as one text. */
export function textOf<Value>(expected: string, { read, write }: Spelling<Value>): ValueType<Value> {
  return {
    expected,
    fromToml: (raw) => (typeof raw === 'string' ? read(raw) : undefined),
    fromText: read,
    toPlain: write,
  };
}

/** An array in TOML; in a variable or an option the items stand between commas. */
export function listOf<Item>(item: ValueType<Item>, expected: string): ValueType<readonly Item[]> {
  return {
    expected,
    fromToml: (raw) => (Array.isArray(raw) ? all(raw.map((each) => item.fromToml(each))) : undefined),
    fromText: (given) => all(partsOf(given).map((each) => item.fromText(each))),
    toPlain: (items) => items.map((each) => item.toPlain(each)),
  };
}

function partsOf(given: string): readonly string[] {
  return given.split(',').map((part) => part.trim()).filter((part) => part !== '');
}

function all<Item>(items: readonly (Item | undefined)[]): readonly Item[] | undefined {
  const present = items.filter((item) => item !== undefined);
  return present.length === items.length ? present : undefined;
}
