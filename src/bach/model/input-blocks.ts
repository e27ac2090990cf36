import { AttributeReader, type AttributeScope } from './attribute-reader.ts';
import { blocksOf, labelsOf } from './block-reader.ts';
import type { PlacedText } from './expressions.ts';
import type { Block, Body, Span } from './hcl/index.ts';
import { checkInputPaths, type InputRules } from './input-paths.ts';
import type { InputSet } from './project.ts';
import { INPUT_SCHEMA, RESOURCE_SCHEMA } from './schema.ts';

export interface InputScope extends AttributeScope, InputRules {}

/** By `<kind>/<name>`, right or wrong: what may stand where a path may. */
export function inputSetNames(body: Body): ReadonlySet<string> {
  return new Set(blocksOf(body, 'input').map(({ labels }) => labels.map(({ value }) => value).join('/')));
}

/** Reads all `input` blocks, by `<kind>/<name>`. */
export function inputsOf(body: Body, scope: InputScope): ReadonlyMap<string, InputSet> {
  const sets = new Map<string, InputSet>();
  const headers = new Map<string, Span>();
  for (const block of blocksOf(body, 'input')) {
    const labels = labelsOf(block, INPUT_SCHEMA, scope.findings);
    if (labels === undefined) continue;
    const name = labels.join('/');
    const first = headers.get(name);
    headers.set(name, first ?? block.header);
    if (first !== undefined) scope.findings.duplicate(block.header, `duplicate input ${JSON.stringify(name)}`, first);
    else sets.set(name, { name, sources: sourcesOf(block, labels, scope) });
  }
  return sets;
}

function sourcesOf(block: Block, labels: readonly string[], scope: InputScope): readonly string[] {
  const subject = `input ${labels.map((label) => JSON.stringify(label)).join(' ')}`;
  const reader = new AttributeReader(block, subject, scope);
  const srcs = reader.given('srcs');
  if (srcs !== undefined && reader.given('src') !== undefined) reader.fault(srcs.nameSpan, 'must use src or srcs, not both');
  const sources = [...single(reader), ...reader.placedWords('srcs')];
  checkInputPaths(sources, { ...scope, subject });
  return sources.map(({ text }) => text);
}

function single(reader: AttributeReader): readonly PlacedText[] {
  const text = reader.text('src');
  return text === '' ? [] : [{ text, span: reader.placeOf('src') }];
}

/** Reads all `resource` blocks. `inputs` are there because both kinds of names meet in `inputs` of targets. */
export function resourcesOf(body: Body, inputs: ReadonlyMap<string, InputSet>, { findings }: AttributeScope): ReadonlySet<string> {
  const resources = new Map<string, Span>();
  for (const block of blocksOf(body, 'resource')) {
    const [name] = labelsOf(block, RESOURCE_SCHEMA, findings) ?? [];
    if (name === undefined) continue;
    const key = `resource/${name}`;
    const message = `duplicate resource ${JSON.stringify(key)}`;
    const first = resources.get(name);
    if (first !== undefined) findings.duplicate(block.header, message, first);
    else if (inputs.has(key)) findings.error(block.header, message);
    resources.set(name, first ?? block.header);
  }
  return new Set(resources.keys());
}
