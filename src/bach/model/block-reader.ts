import { didYouMean } from '../../kernel/text/index.ts';
import type { Findings } from './findings.ts';
import type { Attribute, Block, Body, Span } from './hcl/index.ts';
import type { BlockSchema } from './schema.ts';

/** Reports what the schema of a block does not have. */
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
      detail: `This block needs ${labelCount(schema)}.`,
      span: block.header,
    });
    return false;
  }
  const extra = block.labels[schema.labels.length];
  if (extra === undefined) return true;
  findings.decode({
    severity: 'error',
    summary: `Extraneous label for ${block.type}`,
    detail: `This block takes ${schema.labels.length === 0 ? 'no labels' : `only ${labelCount(schema)}`}.`,
    span: extra,
  });
  return false;
}

/** Checks a block whole and gives its labels, which stand in lines and references; nothing when one is faulty. */
export function labelsOf(block: Block, schema: BlockSchema, findings: Findings): readonly string[] | undefined {
  checkBody(block.body, schema, findings);
  if (!checkLabels(block, schema, findings)) return undefined;
  const index = block.labels.findIndex(({ value }) => value === '' || /\p{Cc}/u.test(value));
  const faulty = block.labels[index];
  if (faulty === undefined) return block.labels.map(({ value }) => value);
  findings.error(faulty, `${block.type} ${schema.labels[index]} must not be empty or hold control characters`);
  return undefined;
}

export function attributeOf(body: Body, name: string): Attribute | undefined {
  return body.attributes.find((attribute) => attribute.name === name);
}

export function blocksOf(body: Body, type: string): readonly Block[] {
  return body.blocks.filter((block) => block.type === type);
}

function labelCount({ labels }: BlockSchema): string {
  return labels.length === 1 ? `1 label: its ${labels[0]}` : `${labels.length} labels: its ${labels.join(' and its ')}`;
}

function checkAttribute(attribute: Attribute, schema: BlockSchema, findings: Findings): void {
  const { name, nameSpan } = attribute;
  if (schema.attributes.includes(name)) return;
  const isBlock = schema.blocks.includes(name);
  unsupported(findings, nameSpan, {
    what: 'argument',
    detail: `An argument named ${JSON.stringify(name)} is not expected here`,
    hint: isBlock ? `; write it as a block: ${name} { … }` : didYouMean(name, schema.attributes),
  });
}

function checkBlockType(block: Block, schema: BlockSchema, findings: Findings): void {
  const { type } = block;
  if (schema.blocks.includes(type)) return;
  const isAttribute = schema.attributes.includes(type);
  unsupported(findings, block.typeSpan, {
    what: 'block type',
    detail: `Blocks of type ${JSON.stringify(type)} are not expected here`,
    hint: isAttribute ? `; write it as an argument: ${type} = …` : didYouMean(type, schema.blocks),
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
