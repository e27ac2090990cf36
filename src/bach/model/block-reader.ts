import { didYouMean } from '../../kernel/text/index.ts';
import type { Findings } from './findings.ts';
import type { Attribute, Block, Body, Span } from './hcl/index.ts';
import type { BlockSchema } from './schema.ts';

/** Reports what the schema of a block does not have: unknown and later words, wrong labels. */
export function checkBody(body: Body, schema: BlockSchema, findings: Findings): void {
  for (const attribute of body.attributes) checkAttribute(attribute, schema, findings);
  checkBlocks(body, schema, findings);
}

/** As `checkBody` for a body whose attributes have free names. */
export function checkBlocks(body: Body, schema: BlockSchema, findings: Findings): void {
  for (const block of body.blocks) checkBlockType(block, schema, findings);
}

/** Reports missing and extra labels; true when the block has just those it needs. */
export function checkLabels(block: Block, schema: BlockSchema, findings: Findings): boolean {
  const missing = schema.labels[block.labels.length];
  if (missing !== undefined) {
    findings.decode({
      severity: 'error',
      summary: `Missing ${missing} for ${block.type}`,
      detail: `A ${block.type} block needs ${schema.labels.length} label: its ${missing}.`,
      span: block.header,
    });
    return false;
  }
  const extra = block.labels[schema.labels.length];
  if (extra === undefined) return true;
  findings.decode({
    severity: 'error',
    summary: `Extraneous label for ${block.type}`,
    detail: labelRule(block.type, schema.labels),
    span: extra,
  });
  return false;
}

export function attributeOf(body: Body, name: string): Attribute | undefined {
  return body.attributes.find((attribute) => attribute.name === name);
}

export function blocksOf(body: Body, type: string): readonly Block[] {
  return body.blocks.filter((block) => block.type === type);
}

function labelRule(type: string, labels: readonly string[]): string {
  if (labels.length === 0) return `A ${type} block takes no labels.`;
  return `A ${type} block takes only ${labels.length} label: its ${labels.join(', ')}.`;
}

function checkAttribute(attribute: Attribute, schema: BlockSchema, findings: Findings): void {
  const { name, nameSpan } = attribute;
  if (schema.attributes.includes(name)) return;
  if (schema.later.includes(name)) return findings.later(nameSpan, name);
  const isBlock = schema.blocks.includes(name);
  unsupported(findings, nameSpan, {
    what: 'argument',
    detail: `An argument named ${JSON.stringify(name)} is not expected here`,
    hint: isBlock ? `; write it as a block: ${name} { … }` : didYouMean(name, [...schema.attributes, ...schema.later]),
  });
}

function checkBlockType(block: Block, schema: BlockSchema, findings: Findings): void {
  const { type } = block;
  if (schema.blocks.includes(type)) return;
  if (schema.later.includes(type)) return findings.later(block.header, type);
  const isAttribute = schema.attributes.includes(type);
  unsupported(findings, block.typeSpan, {
    what: 'block type',
    detail: `Blocks of type ${JSON.stringify(type)} are not expected here`,
    hint: isAttribute ? `; write it as an argument: ${type} = …` : didYouMean(type, [...schema.blocks, ...schema.later]),
  });
}

interface Unsupported {
  readonly what: 'argument' | 'block type';
  readonly detail: string;
  readonly hint: string;
}

function unsupported(findings: Findings, span: Span, { what, detail, hint }: Unsupported): void {
  findings.decode({ severity: 'error', summary: `Unsupported ${what}`, detail: `${detail}${hint}`, span });
}
