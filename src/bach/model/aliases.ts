import { AttributeReader, type AttributeScope } from './attribute-reader.ts';
import { blocksOf, labelsOf } from './block-reader.ts';
import type { Findings } from './findings.ts';
import type { Block, Body, Expression } from './hcl/index.ts';
import type { Alias } from './project.ts';
import { readReference, referenceText } from './references.ts';
import { ALIAS_SCHEMA } from './schema.ts';
import { canonicalName } from './target-name.ts';
import { targetHint } from './target-hint.ts';

interface Names {
  readonly targets: ReadonlySet<string>;
  readonly aliases: ReadonlySet<string>;
  readonly findings: Findings;
}

/** Reads all `alias` blocks; each must lead straight to one of the targets. */
export function aliasesOf(body: Body, targets: ReadonlySet<string>, scope: AttributeScope): ReadonlyMap<string, Alias> {
  const blocks = aliasBlocks(body, targets, scope.findings);
  const names = { targets, aliases: new Set(blocks.keys()), findings: scope.findings };
  const aliases = new Map<string, Alias>();
  for (const [name, block] of blocks) {
    const reader = new AttributeReader(block, `alias ${JSON.stringify(name)}`, scope);
    const target = targetOf(reader, names);
    const deprecated = reader.text('deprecated');
    if (target !== undefined) aliases.set(name, { name, target, deprecated });
  }
  return aliases;
}

function aliasBlocks(body: Body, targets: ReadonlySet<string>, findings: Findings): ReadonlyMap<string, Block> {
  const blocks = new Map<string, Block>();
  for (const block of blocksOf(body, 'alias')) {
    const [name] = labelsOf(block, ALIAS_SCHEMA, findings) ?? [];
    if (name === undefined) continue;
    const quoted = JSON.stringify(name);
    const first = blocks.get(name);
    if (first !== undefined) findings.duplicate(block.header, `duplicate alias ${quoted}`, first.header);
    else if (targets.has(canonicalName(name))) findings.error(block.header, `alias ${quoted} conflicts with target`);
    else blocks.set(name, block);
  }
  return blocks;
}

function targetOf(reader: AttributeReader, { targets, aliases }: Names): string | undefined {
  const expression = reader.given('target')?.expression;
  if (expression === undefined) {
    reader.fault(reader.block.header, 'target is required');
    return undefined;
  }
  const text = referenceText(expression) ?? '';
  const next = [text, canonicalName(text)].find((name) => aliases.has(name));
  if (next !== undefined) {
    reader.fault(expression, `points to alias ${JSON.stringify(next)}; alias chains are not supported`);
    return undefined;
  }
  return knownTarget(expression, reader, targets);
}

function knownTarget(expression: Expression, reader: AttributeReader, targets: ReadonlySet<string>): string | undefined {
  const parsed = readReference(expression);
  if (!('name' in parsed)) {
    reader.fault(expression, `target: ${parsed.message}`);
    return undefined;
  }
  if (targets.has(parsed.name)) return parsed.name;
  reader.fault(expression, `points to unknown target ${JSON.stringify(parsed.name)}${targetHint(parsed.name, targets)}`);
  return undefined;
}
