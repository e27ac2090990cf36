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
  const told = new Set<number>();
  return all.flatMap(({ name }, id) => {
    const knot = knots[id]!;
    const inKnot = (other: number): readonly number[] => edges[other]!.filter((next) => knots[next] === knot);
    if (told.has(knot) || inKnot(id).length === 0) return [];
    told.add(knot);
    const names = circleFrom(id, inKnot).map((each) => all[each]!.name);
    return [{ target: name, message: `${dependencyCycle({ name }).message}: ${pathOf(names)}` }];
  });
}

/** Breadth first, until an edge leads back to the start: one does, since all of a knot reach each other. */
function circleFrom(start: number, edgesOf: (id: number) => readonly number[]): readonly number[] {
  const cameFrom = new Map<number, number>();
  const reached = [start];
  const leadsBack = (id: number) => edgesOf(id).includes(start);
  for (const id of reached) {
    if (leadsBack(id)) break;
    for (const next of edgesOf(id)) {
      if (cameFrom.has(next)) continue;
      cameFrom.set(next, id);
      reached.push(next);
    }
  }
  return [...pathTo(reached.find(leadsBack)!, start, cameFrom), start];
}

function pathTo(end: number, start: number, cameFrom: ReadonlyMap<number, number>): readonly number[] {
  const path = [end];
  for (let at = end; at !== start; path.push(at)) at = cameFrom.get(at)!;
  return path.toReversed();
}

function pathOf(names: readonly string[]): string {
  const between = names.length - 1 - MOST_NAMED;
  const shown = between <= 0 ? names : [...names.slice(0, MOST_NAMED), `(${between} others)`, ...names.slice(-1)];
  return shown.join(' -> ');
}
