import { isTargetKind } from './target-name.ts';
import { decodeTarget, type DecodedTarget, type TargetScope } from './targets.ts';
import type { Body } from './hcl/index.ts';

/** Reads all target blocks in the order of the file; a name that stands twice is a finding. */
export function decodeTargets(body: Body, scope: TargetScope): readonly DecodedTarget[] {
  const decoded = new Map<string, DecodedTarget>();
  for (const block of body.blocks) {
    const found = isTargetKind(block.type) ? decodeTarget(block.type, block, scope) : undefined;
    if (found === undefined) continue;
    const { name } = found.target;
    const first = decoded.get(name)?.block;
    if (first !== undefined) scope.findings.duplicate(block.header, `duplicate target ${JSON.stringify(name)}`, first.header);
    else decoded.set(name, found);
  }
  return [...decoded.values()];
}
