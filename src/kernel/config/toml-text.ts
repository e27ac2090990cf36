import { parse, TomlError } from 'smol-toml';
import { placeAt, placeOfIndex, type Place } from './place.ts';

/** A file's content as it was read, before anybody asks what its keys mean. */
export type TomlContent =
  | { readonly table: TomlTable }
  /** Where the text stops to be TOML, and why. */
  | { readonly place: Place | undefined; readonly message: string };

export type TomlTable = Readonly<Record<string, unknown>>;

/** Deeper ones would only exhaust the stack of whoever walks them. */
const MAX_DEPTH = 100;

/** The readers take minutes for a key of thousands of parts; no setting has more than a few. */
const MAX_KEY_PARTS = 16;
const PART = `(?:[\\w-]+|"[^"\\n]*"|'[^'\\n]*')`;
const LONG_KEY = new RegExp(`(?:${PART}[ \\t]*\\.[ \\t]*){${MAX_KEY_PARTS}}`);

export function parseToml(text: string): TomlContent {
  const long = LONG_KEY.exec(text);
  if (long !== null) return { place: placeOfIndex(text, long.index), message: `not a setting: a key has more than ${MAX_KEY_PARTS} parts` };
  try {
    return { table: parse(text, { integersAsBigInt: true, maxDepth: MAX_DEPTH }) };
  } catch (error) {
    if (!(error instanceof TomlError)) throw error;
    const { line, column } = error;
    return { place: placeAt(text, { line, column }), message: reasonOf(error) };
  }
}

/** The first line without its heading; below it stands an excerpt of the file. */
function reasonOf({ message }: TomlError): string {
  const [first = ''] = message.split('\n', 1);
  return `not TOML: ${first.replace(/^Invalid TOML document: /, '')}`;
}

/** A table, and not a date, a list or a plain value. */
export function isTable(value: unknown): value is TomlTable {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Date);
}
