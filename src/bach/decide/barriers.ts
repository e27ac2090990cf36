import { ClosureWalk } from './closure.ts';
import { components } from './components.ts';
import { isComposite, type PlanEdge } from './graph-target.ts';
import {
  childrenOf,
  compositesOutermostFirst,
  dependenciesOf,
  isBarrier,
  NONE,
  nodeName,
  type Shape,
} from './shape.ts';

/** The predecessors of each node. */
export type Before = readonly number[][];

export interface Ordered {
  readonly before: Before;
  /** Barrier edges left out because they would close a cycle. */
  readonly relaxed: readonly PlanEdge[];
}

/** Decides on a barrier edge against the edges so far. */
type Admits = (before: Before, barrier: number, node: number) => boolean;

/**
 * Dependency edges, and after each step of a pipeline a barrier that what is new in the next step waits for.
 * Contradictions are rare: all edges are tried first, innermost pipelines first because that takes the fewest.
 * Where this ties a knot, they are added again, outermost first, each checked inside its knot.
 */
export function orderedByBarriers(shape: Shape): Ordered {
  const pipelines = compositesOutermostFirst(shape).filter((index) => shape.barrierOf[index] !== NONE);
  const unchecked = withBarriers(shape, pipelines.toReversed(), () => true);
  if (pipelines.length === 0) return unchecked;
  const knots = components(unchecked.before);
  if (knots.count === shape.size) return unchecked;
  const precedence = new Precedence(knots.of);
  return withBarriers(shape, pipelines, (before, barrier, node) => !precedence.holds(before, node, barrier));
}

function withBarriers(shape: Shape, pipelines: readonly number[], admits: Admits): Ordered {
  const before = dependencyEdges(shape);
  const relaxed: PlanEdge[] = [];
  const walk = new ClosureWalk(shape);
  const gatedBy = new Int32Array(shape.size).fill(NONE);
  const gate = (barrier: number, node: number) => {
    // What waits for a gated node waits with it, so edges are needed at the roots alone.
    if (before[node]!.some((earlier) => gatedBy[earlier] === barrier)) {
      gatedBy[node] = barrier;
      return;
    }
    if (isBarrier(shape, node)) return;
    if (!admits(before, barrier, node)) {
      relaxed.push({ from: nodeName(shape, barrier), to: nodeName(shape, node) });
      return;
    }
    before[node]!.push(barrier);
    gatedBy[node] = barrier;
  };
  for (const pipeline of pipelines) gateSteps(shape, { pipeline, walk, gate });
  return { before, relaxed };
}

interface Gating {
  readonly pipeline: number;
  readonly walk: ClosureWalk;
  readonly gate: (barrier: number, node: number) => void;
}

/** A node belongs to the first step that needs it; the pipeline's own dependencies belong to none. */
function gateSteps(shape: Shape, { pipeline, walk, gate }: Gating): void {
  const firstBarrier = shape.barrierOf[pipeline]!;
  walk.restart();
  for (const dependency of dependenciesOf(shape.links, pipeline)) walk.visit(dependency, () => {});
  childrenOf(shape.links, pipeline).forEach((step, position) => {
    walk.visit(step, (node) => {
      if (position > 0) gate(firstBarrier + position - 1, node);
    });
  });
}

function dependencyEdges(shape: Shape): Before {
  const { plan, links } = shape;
  const before: number[][] = Array.from({ length: shape.size }, () => []);
  plan.targets.forEach((target, index) => {
    const waits = before[index]!;
    for (let at = links.first[index]!; at < links.first[index + 1]!; at++) waits.push(links.to[at]!);
    if (!isComposite(target)) return;
    const start = shape.startOf[index]!;
    before[start] = Array.from(dependenciesOf(links, index));
    waits.push(start);
    if (shape.barrierOf[index] !== NONE) chainBarriers(shape, index, before);
  });
  return before;
}

/** A barrier waits for its step and for the barrier before: a step may have finished early, as a dependency. */
function chainBarriers(shape: Shape, pipeline: number, before: Before): void {
  const first = shape.barrierOf[pipeline]!;
  const steps = childrenOf(shape.links, pipeline);
  steps.slice(0, -1).forEach((step, position) => {
    before[first + position]!.push(step);
    if (position > 0) before[first + position]!.push(first + position - 1);
  });
}

/** Answers whether one node comes before another; nodes of different knots never close a cycle. */
class Precedence {
  readonly #knotOf: Int32Array;
  readonly #seen: Int32Array;
  #search = 0;

  constructor(knotOf: Int32Array) {
    this.#knotOf = knotOf;
    this.#seen = new Int32Array(knotOf.length);
  }

  holds(before: Before, node: number, later: number): boolean {
    const knot = this.#knotOf[later];
    if (this.#knotOf[node] !== knot) return false;
    this.#search++;
    const reached = [later];
    for (let at = reached.pop(); at !== undefined; at = reached.pop()) {
      if (at === node) return true;
      for (const earlier of before[at]!) {
        if (this.#seen[earlier] === this.#search || this.#knotOf[earlier] !== knot) continue;
        this.#seen[earlier] = this.#search;
        reached.push(earlier);
      }
    }
    return false;
  }
}
