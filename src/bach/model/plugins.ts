import { AttributeReader } from './attribute-reader.ts';
import { blocksOf, labelsOf } from './block-reader.ts';
import { environmentList, type EnvironmentScope } from './environment.ts';
import { valueOf, type Reading } from './expressions.ts';
import { convert, entriesOf, itemsOf, listOf, STRING, type Attribute, type Block, type Body, type Span, type Value } from './hcl/index.ts';
import { checkInputPaths } from './input-paths.ts';
import type { InputScope } from './input-blocks.ts';
import { commandOrShell } from './operation.ts';
import type { Plugin } from './project.ts';
import { PLUGIN_SCHEMA } from './schema.ts';
import type { Place } from './sources.ts';

export interface PluginScope extends InputScope {
  readonly environment: EnvironmentScope;
}

export interface DecodedPlugin {
  readonly plugin: Plugin;
  /** Of the block's header. */
  readonly place: Place;
}

/** Reads all `plugin` blocks, of both types. */
export function pluginsOf(body: Body, scope: PluginScope): ReadonlyMap<string, DecodedPlugin> {
  const plugins = new Map<string, DecodedPlugin>();
  const headers = new Map<string, Span>();
  for (const block of blocksOf(body, 'plugin')) {
    const [name] = labelsOf(block, PLUGIN_SCHEMA, scope.findings) ?? [];
    if (name === undefined) continue;
    const first = headers.get(name);
    headers.set(name, first ?? block.header);
    if (first !== undefined) scope.findings.duplicate(block.header, `duplicate plugin ${JSON.stringify(name)}`, first);
    else plugins.set(name, { plugin: decodePlugin(name, block, scope), place: scope.findings.placeOf(block.header) });
  }
  return plugins;
}

function decodePlugin(name: string, block: Block, scope: PluginScope): Plugin {
  const reader = new AttributeReader(block, `plugin ${JSON.stringify(name)}`, scope);
  const type = typeOf(reader);
  checkFields(type, reader);
  const inputs = reader.placedWords('inputs');
  checkInputPaths(inputs, { ...scope, subject: `${reader.subject} inputs` });
  const environment = reader.given('env');
  return {
    name,
    type: type ?? 'graph',
    operation: commandOrShell(reader),
    workdir: reader.text('workdir'),
    inputs: inputs.map(({ text }) => text),
    sources: sourcesOf(reader),
    environment: environment === undefined ? [] : environmentList(environment, scope.environment),
    timeoutMs: type === 'quality' ? reader.timeoutMs() : undefined,
  };
}

/** Nothing for a type that is none. */
function typeOf(reader: AttributeReader): Plugin['type'] | undefined {
  const text = reader.text('type');
  if (text === '' || text === 'graph') return 'graph';
  if (text === 'quality') return 'quality';
  reader.fault(reader.placeOf('type'), `has unsupported type ${JSON.stringify(text)}; want graph or quality`);
  return undefined;
}

function checkFields(type: Plugin['type'] | undefined, reader: AttributeReader): void {
  const refused = type === 'graph' ? ['timeout'] : ['sources', 'inputs'];
  for (const name of type === undefined ? [] : refused) {
    const given = reader.given(name);
    if (given !== undefined) reader.fault(given.nameSpan, `${type} plugins do not support ${name}`);
  }
  const isIdle = reader.given('command') === undefined && reader.given('shell') === undefined;
  if (type === 'quality' && isIdle) reader.fault(reader.block.header, 'must set command or shell: a quality plugin is nothing without');
}

function sourcesOf(reader: AttributeReader): ReadonlyMap<string, readonly string[]> {
  const attribute = reader.given('sources');
  const reading = reader.reading('sources');
  const value = attribute && valueOf(attribute.expression, reading);
  if (attribute === undefined || value === undefined) return new Map();
  const entries = entriesOf(value);
  if (entries === undefined) {
    reader.fault(attribute.expression, 'sources must be an object of lists');
    return new Map();
  }
  return new Map([...entries].map(([name, list]) => [name, sourceList(list, { name, attribute, reading })] as const));
}

interface SourceList {
  readonly name: string;
  readonly attribute: Attribute;
  readonly reading: Reading;
}

function sourceList(list: Value, { name, attribute, reading }: SourceList): readonly string[] {
  const converted = convert(list, listOf(STRING));
  const items = converted.kind === 'failure' ? undefined : itemsOf(converted);
  const texts = items?.map((item) => (item.kind === 'string' && !item.text.includes('\0') ? item.text : undefined)) ?? [undefined];
  const complete = texts.filter((text) => text !== undefined);
  if (complete.length === texts.length) return complete;
  reading.findings.error(attribute.expression, `${reading.subject} ${JSON.stringify(name)} must be a list of strings`);
  return [];
}
