import { lstatSync } from 'node:fs';
import { describeSystemError } from '../errors/index.ts';
import { readBytesIfPresent } from '../files/index.ts';
import { didYouMean } from '../text/index.ts';
import type { ConfigKey } from './key.ts';
import type { Place } from './place.ts';
import { positionsIn } from './positions.ts';
import { isTable, parseToml, type TomlTable } from './toml-text.ts';

/** One thing that is wrong with a file. */
export interface FileFault {
  /** Of the key; none for a text that is no TOML, whose place is known at once. */
  readonly path: readonly string[];
  readonly place?: Place | undefined;
  readonly message: string;
}

/** What one file says. */
export interface FileLayer {
  readonly file: string;
  /** False when there is no such file, which says nothing and is no fault. */
  readonly isPresent: boolean;
  /** By the name of the key. */
  readonly values: ReadonlyMap<string, unknown>;
  readonly faults: readonly FileFault[];
  /** Where a key is written; reads the text a second time, with another reader. */
  placeOf(path: readonly string[]): Promise<Place | undefined>;
}

/** Far above any configuration; more is something else. */
const MAX_BYTES = 64 * 1024;
/** For more faults nobody reads which key each may have meant, and finding that out takes its time. */
const MOST_SUGGESTIONS = 20;

/**
 * Reads a configuration file. Faults of its content are answered, so that all of them can be told at once.
 * Throws what keeps it from being read: `not-a-file`, `not-a-regular-file`, `permission-denied`, `file-too-large`.
 */
export function readFileLayer(file: string, keys: readonly ConfigKey<unknown>[]): FileLayer {
  const bytes = readBytesIfPresent(file, { maxBytes: MAX_BYTES });
  if (bytes === undefined) refuseDanglingLink(file);
  if (bytes === undefined) return layerOf({ file, text: '', isPresent: false, values: new Map(), faults: [] });
  return layerOf({ file, isPresent: true, ...contentOf(bytes, keys) });
}

function contentOf(bytes: Uint8Array, keys: readonly ConfigKey<unknown>[]): Omit<LayerContent, 'file' | 'isPresent'> {
  const text = decoded(bytes);
  if (text === undefined) {
    return { text: '', values: new Map(), faults: [{ path: [], message: 'not TOML: the file is not UTF-8' }] };
  }
  const content = parseToml(text);
  if ('table' in content) return { text, ...new TableReader(keys).read(content.table) };
  return { text, values: new Map(), faults: [{ path: [], ...content }] };
}

/** A mark at the start that says that it is UTF-8 is passed over. */
function decoded(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    // The decoder's own error says nothing more.
    return undefined;
  }
}

/** A link that leads nowhere is a configuration that went missing, not one that never was. */
function refuseDanglingLink(file: string): void {
  if (lstatSync(file, { throwIfNoEntry: false }) === undefined) return;
  throw describeSystemError({ code: 'ENOENT' }, { action: 'follow the link', path: file });
}

interface LayerContent extends Omit<FileLayer, 'placeOf'> {
  readonly text: string;
}

function layerOf({ text, ...content }: LayerContent): FileLayer {
  let positions: ReturnType<typeof positionsIn> | undefined;
  return {
    ...content,
    placeOf: async (path) => {
      positions ??= positionsIn(text);
      return (await positions).of(path);
    },
  };
}

/** Sorts what a table holds into values of known keys and faults. */
class TableReader {
  readonly #keys: ReadonlyMap<string, ConfigKey<unknown>>;
  /** Names of tables: `notify` and `notify.webhook`. */
  readonly #tables: ReadonlySet<string>;
  readonly #values = new Map<string, unknown>();
  readonly #faults: FileFault[] = [];

  constructor(keys: readonly ConfigKey<unknown>[]) {
    this.#keys = new Map(keys.map((key) => [key.name, key]));
    this.#tables = new Set(keys.flatMap(({ name }) => tablesAbove(name)));
  }

  read(table: TomlTable): Pick<FileLayer, 'values' | 'faults'> {
    this.#readTable(table, []);
    return { values: this.#values, faults: this.#faults };
  }

  #readTable(table: TomlTable, above: readonly string[]): void {
    for (const [word, raw] of Object.entries(table)) this.#readEntry([...above, word], raw);
  }

  #readEntry(path: readonly string[], raw: unknown): void {
    const name = dottedName(path);
    const key = this.#keys.get(name);
    if (key !== undefined) this.#readValue(path, { key, raw });
    else if (!this.#tables.has(name)) this.#fault(path, `unknown key ${name}${this.#suggestion(name)}`);
    else if (isTable(raw)) this.#readTable(raw, path);
    else this.#fault(path, `${name} is a table of keys, not a value`);
  }

  #readValue(path: readonly string[], { key, raw }: { readonly key: ConfigKey<unknown>; readonly raw: unknown }): void {
    const value = key.type.fromToml(raw);
    if (value === undefined) this.#fault(path, wrongValue(key, describeToml(raw)));
    else this.#values.set(key.name, value);
  }

  #fault(path: readonly string[], message: string): void {
    this.#faults.push({ path, message });
  }

  #suggestion(name: string): string {
    return this.#faults.length < MOST_SUGGESTIONS ? didYouMean(name, this.#known()) : '';
  }

  #known(): Iterable<string> {
    return [...this.#keys.keys(), ...this.#tables];
  }
}

/** `got` is left out where the value may be a secret. */
export function wrongValue(key: ConfigKey<unknown>, got: string): string {
  return `${key.name}: expected ${key.type.expected}${key.mask === undefined ? `, got ${got}` : ''}`;
}

function tablesAbove(name: string): readonly string[] {
  const words = name.split('.').slice(0, -1);
  return words.map((_, index) => words.slice(0, index + 1).join('.'));
}

/** A word that needs quotes in the file has them here too, so that `"a.b"` is not taken for `a.b`. */
function dottedName(path: readonly string[]): string {
  return path.map((word) => (/^[\w-]+$/.test(word) ? word : JSON.stringify(word))).join('.');
}

const LONGEST_SHOWN = 60;

function describeToml(raw: unknown): string {
  if (isTable(raw)) return 'a table';
  if (raw instanceof Date) return 'a date or a time';
  const shown = JSON.stringify(raw, (_, value) => (typeof value === 'bigint' ? Number(value) : value));
  return shown.length > LONGEST_SHOWN ? `${shown.slice(0, LONGEST_SHOWN)}…` : shown;
}
