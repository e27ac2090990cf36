import { components } from './components.ts';
import { compositeTargetCycle } from './errors.ts';
import { isComposite, type GraphTarget } from './graph-target.ts';

export interface CompositeCycle {
  /** The first declared composite on such a cycle. */
  readonly target: string;
  readonly message: string;
}

/**
 * The load-time check: a cycle that passes through a step or a member. Cycles of `depends_on` alone are left
 * to {@link planRun}, so that the rest of a file stays usable. References to unknown targets are skipped.
 */
export function compositeCycle(targets: ReadonlyMap<string, GraphTarget>): CompositeCycle | undefined {
  const all = [...targets.values()];
  if (!all.some(isComposite)) return undefined;
  const ids = new Map(all.map((target, id) => [target.name, id]));
  const idsOf = (names: readonly string[]) => names.map((name) => ids.get(name)).filter((id) => id !== undefined);
  const knots = components(all.map((target) => idsOf([...target.dependsOn, ...target.children]))).of;
  const found = all.find((target, id) => idsOf(target.children).some((child) => knots[child] === knots[id]));
  if (found === undefined) return undefined;
  return { target: found.name, message: compositeTargetCycle({ name: found.name }).message };
}
