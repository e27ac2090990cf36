import { isComposite } from './graph-target.ts';
import { linksOf, type Links } from './links.ts';
import type { Plan } from './plan.ts';

export const NONE = -1;

/** The nodes of an execution graph: the targets by plan index, then scope starts, then barriers. */
export interface Shape {
  readonly plan: Plan;
  readonly links: Links;
  readonly size: number;
  /** The target that a node belongs to: itself, its composite, its pipeline. */
  readonly owner: Int32Array;
  /** By target: its scope start, or NONE. */
  readonly startOf: Int32Array;
  /** By target: the barrier after a pipeline's first step, the later ones follow; NONE without one. */
  readonly barrierOf: Int32Array;
}

export function shapeOf(plan: Plan): Shape {
  const links = linksOf(plan);
  const owner = plan.targets.map((_, index) => index);
  const startOf = new Int32Array(plan.targets.length).fill(NONE);
  const barrierOf = new Int32Array(plan.targets.length).fill(NONE);
  plan.targets.forEach((target, index) => {
    if (isComposite(target)) startOf[index] = owner.push(index) - 1;
  });
  plan.targets.forEach((target, index) => {
    if (target.kind !== 'pipeline') return;
    const steps = childrenOf(links, index).length;
    if (steps > 1) barrierOf[index] = owner.length;
    for (let step = 1; step < steps; step++) owner.push(index);
  });
  return { plan, links, size: owner.length, owner: Int32Array.from(owner), startOf, barrierOf };
}

export function childrenOf({ firstChild, first, to }: Links, target: number): Int32Array {
  return to.subarray(firstChild[target], first[target + 1]);
}

export function dependenciesOf({ firstChild, first, to }: Links, target: number): Int32Array {
  return to.subarray(first[target], firstChild[target]);
}

/** What contains or depends on another comes before it; of others the plan order holds. */
export function compositesOutermostFirst({ plan, links, startOf }: Shape): number[] {
  const level = new Int32Array(plan.targets.length);
  for (let index = plan.targets.length - 1; index >= 0; index--) {
    const below = level[index]! + (startOf[index] === NONE ? 0 : 1);
    for (let at = links.first[index]!; at < links.first[index + 1]!; at++) {
      const link = links.to[at]!;
      level[link] = Math.max(level[link]!, below);
    }
  }
  const composites = plan.targets.flatMap((_, index) => (startOf[index] === NONE ? [] : [index]));
  return composites.sort((a, b) => level[a]! - level[b]! || a - b);
}

export function isStart(shape: Shape, node: number): boolean {
  return shape.startOf[shape.owner[node]!] === node;
}

export function isBarrier(shape: Shape, node: number): boolean {
  return shape.owner[node] !== node && !isStart(shape, node);
}

/** A name for people: the target's, `@scope/<composite>/start` or `@barrier/<pipeline>/<index>`. */
export function nodeName(shape: Shape, node: number): string {
  const owner = shape.owner[node]!;
  const name = shape.plan.order[owner]!;
  if (owner === node) return name;
  if (isStart(shape, node)) return `@scope/${name}/start`;
  return `@barrier/${name}/${node - shape.barrierOf[owner]!}`;
}
