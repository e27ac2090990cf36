import type { Block, Body, Span } from '../../../src/bach/model/hcl/ast.ts';
import type { SpanDiagnostic } from '../../../src/bach/model/hcl/diagnostic.ts';
import {
  ANY,
  convert,
  evaluate,
  mapValue,
  NULL,
  nullValue,
  objectValue,
  typeOf,
  UNKNOWN,
  type Value,
} from '../../../src/bach/model/hcl/values/index.ts';
import { unify } from '../../../src/bach/model/hcl/values/unify.ts';
import { NO_NAMES, type Schema } from './schema.ts';

export interface Decoded {
  readonly value: Value;
  readonly diagnostics: readonly SpanDiagnostic[];
}

/** The value of a body by a schema; arguments and blocks that the schema does not name are errors. */
export function decode(body: Body, schema: Schema): Decoded {
  const diagnostics: SpanDiagnostic[] = unexpected(body, schema);
  const value = decodeMember(body, schema, diagnostics);
  return { value, diagnostics };
}

function unexpected(body: Body, schema: Schema): SpanDiagnostic[] {
  const members = schema.kind === 'object' ? [...schema.members.values()] : [schema];
  const names = new Set(members.map((each) => (each.kind === 'attr' ? each.name : undefined)));
  const types = new Set(members.map((each) => ('nested' in each ? each.type : undefined)));
  return [
    ...body.attributes
      .filter(({ name }) => !names.has(name))
      .map(({ name, nameSpan }) => error(nameSpan, 'Unsupported argument', `an argument named ${name} is not expected here`)),
    ...body.blocks
      .filter(({ type }) => !types.has(type))
      .map(({ type, typeSpan }) => error(typeSpan, 'Unsupported block type', `a block ${type} is not expected here`)),
  ];
}

function decodeMember(body: Body, schema: Schema, diagnostics: SpanDiagnostic[]): Value {
  switch (schema.kind) {
    case 'literal':
      return schema.value;
    case 'object':
      return objectValue([...schema.members].map(([name, each]) => [name, decodeMember(body, each, diagnostics)]));
    case 'attr':
      return decodeAttribute(body, schema, diagnostics);
    case 'block':
      return decodeBlock(body, schema, diagnostics);
    case 'block_map':
      return decodeBlockMap(body, schema, diagnostics);
  }
}

type Member<K extends Schema['kind']> = Extract<Schema, { kind: K }>;

function decodeAttribute(body: Body, { name, type }: Member<'attr'>, diagnostics: SpanDiagnostic[]): Value {
  const attribute = body.attributes.find((each) => each.name === name);
  if (attribute === undefined) return nullValue(type);
  const evaluated = evaluate(attribute.expression, NO_NAMES);
  diagnostics.push(...evaluated.diagnostics);
  const converted = convert(evaluated.value, type);
  if (converted.kind !== 'failure') return converted;
  diagnostics.push(error(attribute.expression, 'Incorrect attribute value type', converted.message));
  return UNKNOWN;
}

function decodeBlock(body: Body, schema: Member<'block'>, diagnostics: SpanDiagnostic[]): Value {
  const [block, ...more] = body.blocks.filter(({ type }) => type === schema.type);
  diagnostics.push(...more.map(({ header }) => error(header, 'Duplicate block', `only one block ${schema.type} is allowed`)));
  return block === undefined ? NULL : decodeNested(block, schema.nested, diagnostics);
}

function decodeBlockMap(body: Body, schema: Member<'block_map'>, diagnostics: SpanDiagnostic[]): Value {
  const blocks = body.blocks.filter(({ type }) => type === schema.type);
  const labelled = blocks.filter(({ labels }) => labels.length === schema.labels.length);
  for (const { header } of blocks.filter((block) => !labelled.includes(block))) {
    diagnostics.push(error(header, 'Missing block label', `a block ${schema.type} needs ${schema.labels.join(', ')}`));
  }
  const entries = labelled.map(
    (block) => [block.labels[0]?.value ?? '', decodeNested(block, schema.nested, diagnostics)] as const,
  );
  return mapValue(entries, unify(entries.map(([, value]) => typeOf(value))) ?? ANY);
}

function decodeNested(block: Block, schema: Schema, diagnostics: SpanDiagnostic[]): Value {
  const decoded = decode(block.body, schema);
  diagnostics.push(...decoded.diagnostics);
  return decoded.value;
}

function error({ start, end }: Span, summary: string, detail: string): SpanDiagnostic {
  return { severity: 'error', summary, detail, span: { start, end } };
}
