import { components } from './components.ts';
import { dependencyCycle } from './errors.ts';
import type { GraphTarget } from './graph-target.ts';

export interface DependencyCycle {
  /** The first declared target on it. */
  readonly target: string;
  readonly message: string;
}

/** Of a longer circle only its beginning is told. */
const MOST_NAMED = 20;

/**
 * The circles of `depends_on`, each once with its path: of targets that all reach each other the shortest through the
 * first declared. Takes a time that grows with the graph alone.
 */
export function dependencyCycles(targets: ReadonlyMap<string, GraphTarget>): readonly DependencyCycle[] {
  const all = [...targets.values()];
  const ids = new Map(all.map(({ name }, id) => [name, id]));
  const edges = all.map(({ dependsOn }) => dependsOn.map((name) => ids.get(name)).filter((id) => id !== undefined));
  const knots = components(edges).of;
  const told = new Set<number | undefined>();
  return all.flatMap((target, id) => {
    const inKnot = (other: number): readonly number[] => (edges[other] ?? []).filter((next) => knots[next] === knots[id]);
    if (told.has(knots[id]) || inKnot(id).length === 0) return [];
    told.add(knots[id]);
    const names = circleFrom(id, inKnot).map((each) => all[each]?.name ?? '');
    return [{ target: target.name, message: `${dependencyCycle({ name: target.name }).message}: ${pathOf(names)}` }];
  });
}

/** Breadth first, until an edge leads back to the start. */
function circleFrom(start: number, edgesOf: (id: number) => readonly number[]): readonly number[] {
  const cameFrom = new Map<number, number>();
  const reached = [start];
  for (const id of reached) {
    for (const next of edgesOf(id)) {
      if (next === start) return [...pathTo(id, start, cameFrom), start];
      if (cameFrom.has(next)) continue;
      cameFrom.set(next, id);
      reached.push(next);
    }
  }
  return [start];
}

function pathTo(end: number, start: number, cameFrom: ReadonlyMap<number, number>): readonly number[] {
  const path = [end];
  for (let at: number | undefined = end; at !== undefined && at !== start; ) {
    at = cameFrom.get(at);
    if (at !== undefined) path.push(at);
  }
  return path.toReversed();
}

function pathOf(names: readonly string[]): string {
  const last = names.at(-1) ?? '';
  const between = names.length - 1 - MOST_NAMED;
  const shown = between <= 0 ? names : [...names.slice(0, MOST_NAMED), `(${between} others)`, last];
  return shown.join(' -> ');
}
