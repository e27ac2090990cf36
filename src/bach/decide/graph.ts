import { orderedByBarriers, type Before } from './barriers.ts';
import type { PlanEdge } from './graph-target.ts';
import type { Plan } from './plan.ts';
import { gateScopes } from './scopes.ts';
import { shapeOf, type Shape } from './shape.ts';

/** The order in which a plan may run: nodes by number, and what each waits for. */
export interface ExecutionGraph extends Shape {
  readonly before: Before;
  /**
   * Barrier edges left out because two orders contradict each other: `from` is `@barrier/<pipeline>/<index>`,
   * `to` a target or `@scope/<composite>/start`.
   */
  readonly relaxed: readonly PlanEdge[];
}

/**
 * Builds the execution graph: dependencies first, then the barriers between pipeline steps, outermost pipelines
 * first, then the scopes, which gate what is not already ordered before them.
 */
export function executionGraph(plan: Plan): ExecutionGraph {
  const shape = shapeOf(plan);
  const { before, relaxed } = orderedByBarriers(shape);
  gateScopes(shape, before);
  return { ...shape, before, relaxed };
}

/** The other direction of `before`, packed: what follows `node` is in `to` from `first[node]` to `first[node + 1]`. */
export interface After {
  readonly first: Int32Array;
  readonly to: Int32Array;
}

export function successors(before: Before): After {
  const first = new Int32Array(before.length + 2);
  for (const nodes of before) for (const node of nodes) first[node + 2]!++;
  for (let node = 2; node < first.length; node++) first[node]! += first[node - 1]!;
  const to = new Int32Array(first.at(-1)!);
  before.forEach((nodes, later) => {
    for (const node of nodes) to[first[node + 1]!++] = later;
  });
  return { first, to };
}
