import { attributeOf, blocksOf } from './block-reader.ts';
import type { EnvironmentScope } from './environment.ts';
import type { Findings } from './findings.ts';
import { FUNCTIONS } from './functions.ts';
import { objectValue, stringValue, type Block, type Body, type Value } from './hcl/index.ts';
import { namedOutputsOf } from './outputs.ts';
import type { Output, TargetKind } from './project.ts';
import { TARGET_KINDS } from './target-name.ts';
import { decodeTarget, type DecodedTarget } from './targets.ts';

export interface TargetBlocksScope {
  /** `var` and the entries of the project's environment. */
  readonly visible: ReadonlyMap<string, Value>;
  readonly environment: EnvironmentScope;
  readonly findings: Findings;
}

interface TargetBlock {
  readonly kind: TargetKind;
  readonly block: Block;
}

/** Reads all target blocks in the order of the file; a name that stands twice is a finding. */
export function decodeTargets(body: Body, scope: TargetBlocksScope): readonly DecodedTarget[] {
  const blocks = targetBlocks(body);
  const general = {
    variables: new Map([...scope.visible, ...referenceObjects(blocks)]),
    functions: FUNCTIONS,
  };
  const decoded = new Map<string, DecodedTarget>();
  for (const { kind, block } of blocks) {
    const found = decodeTarget(kind, block, { general, environment: scope.environment, findings: scope.findings });
    if (found === undefined) continue;
    const { name } = found.target;
    if (decoded.has(name)) scope.findings.error(block.header, `duplicate target ${JSON.stringify(name)}`);
    else decoded.set(name, found);
  }
  return [...decoded.values()];
}

function targetBlocks(body: Body): readonly TargetBlock[] {
  const found = TARGET_KINDS.flatMap((kind) => blocksOf(body, kind).map((block) => ({ kind, block })));
  return found.toSorted((a, b) => a.block.start - b.block.start);
}

/** What attributes may name of other targets: `shell.build.outputs.binary`, `group.ci`, `pipeline.release`. */
function referenceObjects(blocks: readonly TargetBlock[]): readonly (readonly [string, Value])[] {
  return TARGET_KINDS.map((kind) => {
    const ofKind = blocks.filter((each) => each.kind === kind);
    const entries = ofKind.map(({ block }) => [nameOf(block), referenceValue(kind, block)] as const);
    return [kind, objectValue(entries)] as const;
  });
}

function referenceValue(kind: TargetKind, block: Block): Value {
  if (kind !== 'shell') return stringValue(`${kind}.${nameOf(block)}`);
  const named = namedOutputsOf(attributeOf(block.body, 'outputs'));
  const outputs = named.map(({ name, path }: Output) => [name, stringValue(path)] as const);
  return objectValue([['outputs', objectValue(outputs)]]);
}

function nameOf(block: Block): string {
  return block.labels[0]?.value ?? '';
}
