import { AttributeReader, type AttributeScope } from './attribute-reader.ts';
import { blocksOf, labelsOf } from './block-reader.ts';
import { climbsOut } from './input-paths.ts';
import type { Block, Body, Span } from './hcl/index.ts';
import type { Prompt } from './project.ts';
import { PROMPT_SCHEMA } from './schema.ts';
import type { Place } from './sources.ts';

export interface DecodedPrompt {
  readonly prompt: Prompt;
  /** Of the path, for what only a look at the disk can tell. */
  readonly place: Place;
}

/** Reads all `prompt` blocks; whether their files are there is for those to say who see the disk. */
export function promptsOf(body: Body, scope: AttributeScope): ReadonlyMap<string, DecodedPrompt> {
  const prompts = new Map<string, DecodedPrompt>();
  const headers = new Map<string, Span>();
  for (const block of blocksOf(body, 'prompt')) {
    const [name] = labelsOf(block, PROMPT_SCHEMA, scope.findings) ?? [];
    if (name === undefined) continue;
    const first = headers.get(name);
    headers.set(name, first ?? block.header);
    if (first !== undefined) scope.findings.duplicate(block.header, `duplicate prompt ${JSON.stringify(name)}`, first);
    else prompts.set(name, decodePrompt(name, block, scope));
  }
  return prompts;
}

function decodePrompt(name: string, block: Block, scope: AttributeScope): DecodedPrompt {
  const reader = new AttributeReader(block, `prompt ${JSON.stringify(name)}`, scope);
  const prompt = { name, path: pathOf(reader), description: reader.text('description'), version: reader.text('version') };
  return { prompt, place: scope.findings.placeOf(reader.placeOf('path')) };
}

function pathOf(reader: AttributeReader): string {
  const path = reader.text('path');
  // Of one that could not be read the fault was told already.
  const isEmpty = path === '' && (reader.given('path') === undefined || isEmptyText(reader));
  if (isEmpty) reader.fault(reader.placeOf('path'), 'path is required');
  if (!path.startsWith('/') && !climbsOut(path)) return path;
  reader.fault(reader.placeOf('path'), `path ${JSON.stringify(path)}: prompt path must stay under the project root`);
  return '';
}

function isEmptyText(reader: AttributeReader): boolean {
  const expression = reader.given('path')?.expression;
  return expression?.kind === 'template' && expression.parts.length === 0;
}
