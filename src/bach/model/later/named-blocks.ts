import { blocksOf, labelsOf } from '../block-reader.ts';
import type { Findings } from '../findings.ts';
import type { Block, Body } from '../hcl/index.ts';
import type { BlockSchema } from '../schema.ts';

export interface NamedBlock {
  /** The label; empty for a block that takes none. */
  readonly name: string;
  readonly block: Block;
}

interface Checking {
  readonly schema: BlockSchema;
  readonly findings: Findings;
}

/** The blocks of a type, each checked against its schema; those with faulty labels are told and left out. */
export function namedBlocks(body: Body, type: string, { schema, findings }: Checking): readonly NamedBlock[] {
  return blocksOf(body, type).flatMap((block) => {
    const labels = labelsOf(block, schema, findings);
    return labels === undefined ? [] : [{ name: labels[0] ?? '', block }];
  });
}

/** As `namedBlocks`; a name that stands twice is told and left out. */
export function uniqueBlocks(body: Body, type: string, checking: Checking): readonly NamedBlock[] {
  const unique = new Map<string, NamedBlock>();
  for (const named of namedBlocks(body, type, checking)) {
    const first = unique.get(named.name);
    if (first !== undefined) tellDuplicate(named, first.block, checking.findings);
    else unique.set(named.name, named);
  }
  return [...unique.values()];
}

export function tellDuplicate({ name, block }: NamedBlock, first: Block, findings: Findings): void {
  findings.duplicate(block.header, `duplicate ${block.type} ${JSON.stringify(name)}`, first.header);
}
