import type { DroverError } from '../../kernel/errors/index.ts';
import { canonicalName } from '../model/index.ts';
import { compositeTargetCycle, dependencyCycle, noTargets, unknownTarget } from './errors.ts';
import type { GraphTarget } from './graph-target.ts';

/** Everything one run covers, each target once. */
export interface Plan {
  readonly ok: true;
  /** Canonical requested names, first-seen order. */
  readonly requested: readonly string[];
  /** The requested names joined by one space: how a run is labelled. */
  readonly label: string;
  /** Names in visit order: dependencies, then children, then the target itself. */
  readonly order: readonly string[];
  /** The targets of `order`, by the same index. */
  readonly targets: readonly GraphTarget[];
  readonly indexOf: ReadonlyMap<string, number>;
}

export interface PlanFailure {
  readonly ok: false;
  /** `no-targets`, `unknown-target`, `dependency-cycle` or `composite-target-cycle`. */
  readonly error: DroverError;
}

/**
 * Expands requested names (canonical or `type.name`) to the targets of one run.
 *
 * @example
 * const plan = planRun(targets, ['shell/lint', 'group/ci']);
 * if (!plan.ok) throw plan.error;
 */
export function planRun(
  targets: ReadonlyMap<string, GraphTarget>,
  requested: readonly string[],
): Plan | PlanFailure {
  const given = requested.filter((name) => name !== '');
  const names = [...new Set(given.map((name) => (targets.has(name) ? name : canonicalName(name))))];
  if (names.length === 0) return { ok: false, error: noTargets({}) };
  const visit: Visit = { targets, placed: new Map(), found: [] };
  for (const name of names) {
    const error = visitFrom(name, visit);
    if (error !== undefined) return { ok: false, error };
  }
  return {
    ok: true,
    requested: names,
    label: names.join(' '),
    order: visit.found.map((target) => target.name),
    targets: visit.found,
    indexOf: visit.placed,
  };
}

const ON_PATH = -1;

interface Visit {
  readonly targets: ReadonlyMap<string, GraphTarget>;
  /** Index in `found`, or ON_PATH. */
  readonly placed: Map<string, number>;
  readonly found: GraphTarget[];
}

interface Frame {
  readonly target: GraphTarget;
  /** Counts through the dependencies, then through the children. */
  next: number;
}

/** The path is a list, not the call stack: a chain of 10,000 dependencies is legal. */
function visitFrom(root: string, visit: Visit): DroverError | undefined {
  const path: Frame[] = [];
  const refused = enter(root, path, visit);
  if (refused !== undefined) return refused;
  for (let frame = path.at(-1); frame !== undefined; frame = path.at(-1)) {
    const { dependsOn, children } = frame.target;
    const name = dependsOn[frame.next] ?? children[frame.next - dependsOn.length];
    frame.next++;
    const error = name === undefined ? leave(path, visit) : enter(name, path, visit);
    if (error !== undefined) return error;
  }
  return undefined;
}

function enter(name: string, path: Frame[], visit: Visit): DroverError | undefined {
  const place = visit.placed.get(name);
  if (place === ON_PATH) return describeCycle(name, path);
  if (place !== undefined) return undefined;
  const target = visit.targets.get(name);
  if (target === undefined) return unknownTarget({ name, known: [...visit.targets.keys()] });
  visit.placed.set(name, ON_PATH);
  path.push({ target, next: 0 });
  return undefined;
}

function leave(path: Frame[], visit: Visit): undefined {
  const { target } = path.pop() as Frame;
  visit.placed.set(target.name, visit.found.length);
  visit.found.push(target);
}

function describeCycle(name: string, path: readonly Frame[]): DroverError {
  const cycle = path.slice(path.findIndex((frame) => frame.target.name === name));
  const throughChild = cycle.some((frame) => frame.next > frame.target.dependsOn.length);
  return throughChild ? compositeTargetCycle({ name }) : dependencyCycle({ name });
}
