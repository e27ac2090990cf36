import { didYouMean } from '../../kernel/text/index.ts';
import type { AttributeReader } from './attribute-reader.ts';
import { valueOf } from './expressions.ts';
import type { Findings } from './findings.ts';
import { entriesOf, itemsOf, type Expression, type Value } from './hcl/index.ts';
import { LITERALS_ONLY } from './literals.ts';
import type { Preflight, ToolRequirement } from './project.ts';

const TOOL_FIELDS = ['name', 'command', 'version', 'fix'];
const PREFLIGHT_FIELDS = ['name', 'kind', 'command', 'fix'];

/** Reads `tools`: literal objects, because they are looked at before anything has a value. */
export function toolsOf(target: AttributeReader, findings: Findings): readonly ToolRequirement[] {
  return entriesIn({ target, findings, list: 'tools', fields: TOOL_FIELDS }).flatMap((entry) => tool(entry) ?? []);
}

/** Reads `preflights`, as `tools`. */
export function preflightsOf(target: AttributeReader, findings: Findings): readonly Preflight[] {
  return entriesIn({ target, findings, list: 'preflights', fields: PREFLIGHT_FIELDS }).flatMap((entry) => preflight(entry) ?? []);
}

function tool(entry: Entry): ToolRequirement | undefined {
  const name = entry.text('name');
  const command = entry.words('command');
  if (name === undefined || command === undefined) return undefined;
  if (name === '') return entry.fault('tool requirement must set name');
  if (command[0] === '') return entry.fault(`tool ${JSON.stringify(name)} command must not start with an empty string`);
  return { name, command, version: entry.text('version') ?? '', fix: entry.text('fix') ?? '' };
}

function preflight(entry: Entry): Preflight | undefined {
  const name = entry.text('name');
  const kind = entry.text('kind');
  const command = entry.words('command');
  if (name === undefined || kind === undefined || command === undefined) return undefined;
  const label = name || kind;
  if (label === '') return entry.fault('preflight must set name or kind');
  const [program, ...rest] = command;
  if (program === undefined) return entry.fault(`preflight ${JSON.stringify(label)} must set command`);
  if (program === '') return entry.fault(`preflight ${JSON.stringify(label)} command must not start with an empty string`);
  return { label, name, kind, command: [program, ...rest], fix: entry.text('fix') ?? '' };
}

interface List {
  readonly target: AttributeReader;
  readonly findings: Findings;
  readonly list: 'tools' | 'preflights';
  readonly fields: readonly string[];
}

function entriesIn(list: List): readonly Entry[] {
  const expression = list.target.given(list.list)?.expression;
  const value = expression && valueOf(expression, { subject: '', scope: LITERALS_ONLY, findings: list.findings });
  if (expression === undefined || value === undefined) return [];
  const items = itemsOf(value);
  if (items === undefined) {
    list.target.fault(expression, `${list.list} must be a list`);
    return [];
  }
  return items.flatMap((item, index) => entryOf(item, placeOfItem(expression, index), list) ?? []);
}

/** Where the list is not written out, its parts have no places of their own. */
function placeOfItem(expression: Expression, index: number): Expression {
  return (expression.kind === 'tuple' ? expression.items[index] : undefined) ?? expression;
}

function entryOf(item: Value, place: Expression, { target, list, fields }: List): Entry | undefined {
  const values = entriesOf(item);
  const entry = new Entry(values ?? new Map(), { target, place, list });
  if (values === undefined) return entry.fault(`${list} entries must be objects`);
  for (const name of values.keys()) {
    if (!fields.includes(name)) entry.fault(`${list} entries have no ${JSON.stringify(name)}${didYouMean(name, fields)}`);
  }
  return entry;
}

/** One object of the list. A field that is not set is empty; nothing where it was told to be faulty. */
class Entry {
  readonly #values: ReadonlyMap<string, Value>;
  readonly #target: AttributeReader;
  readonly #place: Expression;
  readonly #list: string;

  constructor(values: ReadonlyMap<string, Value>, at: { readonly target: AttributeReader; readonly place: Expression; readonly list: string }) {
    this.#values = values;
    this.#target = at.target;
    this.#place = at.place;
    this.#list = at.list;
  }

  text(name: string): string | undefined {
    const value = this.#values.get(name);
    if (value === undefined || value.kind === 'null') return '';
    return isText(value) ? value.text : this.fault(`${this.#list} ${name} must be a string`);
  }

  words(name: string): readonly string[] | undefined {
    const value = this.#values.get(name);
    if (value === undefined || value.kind === 'null') return [];
    const items = itemsOf(value);
    if (items?.every(isText) === true) return items.map(({ text }) => text);
    return this.fault(`${this.#list} ${name} must be a list of strings`);
  }

  fault(what: string): undefined {
    this.#target.fault(this.#place, what);
  }
}

function isText(value: Value): value is Extract<Value, { kind: 'string' }> {
  return value.kind === 'string' && !value.text.includes('\0');
}
