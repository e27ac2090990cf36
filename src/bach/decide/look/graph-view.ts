import { generatedPolicyNodes, type Project, type Target, type TargetKind } from '../../model/index.ts';
import { components } from '../components.ts';
import { executionGraph } from '../graph.ts';
import { isComposite } from '../graph-target.ts';
import { planRun } from '../plan.ts';
import { labelsOf, type RiskLabels } from './labels.ts';

/** The targets of a project and what leads from one to another, as people and programs look at it. */
export interface GraphView {
  /** By name. */
  readonly nodes: readonly GraphNode[];
  /** By from, type, order, to. */
  readonly edges: readonly GraphEdge[];
  /** Orders of pipeline steps that give way because they would close a circle. */
  readonly relaxed: readonly RelaxedEdge[];
}

export interface GraphNode {
  readonly name: string;
  readonly kind: TargetKind | 'policy';
  readonly description: string;
  readonly cost: string;
  readonly lock: string;
  /** With those that it inherits. */
  readonly risks: readonly string[];
}

/** `from` needs `to`. */
export interface GraphEdge {
  readonly from: string;
  readonly to: string;
  readonly type: 'depends_on' | 'pipeline_step' | 'group_member';
  /** Of a step, from 1. */
  readonly order: number | undefined;
}

/** `from`, a target or `@scope/<composite>/start`, does not wait for `to`, which is `@barrier/<pipeline>/<index>`. */
export interface RelaxedEdge {
  readonly from: string;
  readonly to: string;
}

type Targets = ReadonlyMap<string, Target>;

/** A target that needs a circle of targets can never run, so it is left out, and its edges with it. */
export function graphView(project: Pick<Project, 'targets' | 'policies'>, risks: RiskLabels): GraphView {
  const targets = withoutCircles(project.targets);
  const nodes = [...targets.values()].map((target) => ({ ...target, risks: labelsOf(risks, target.name) }));
  const edges = [...targets.values()].flatMap(edgesOf).toSorted(edgeOrder);
  return { nodes: [...nodes, ...attachedNodes(project, risks)].toSorted(nameOrder), edges, relaxed: relaxedEdges(targets) };
}

/** What runs with a policy node brings its risks along. */
export function requiredRisks(required: readonly string[], risks: RiskLabels): readonly string[] {
  const labels = new Set(required.flatMap((name) => labelsOf(risks, name)));
  return ['remote', 'destructive', 'requires_confirmation'].filter((label) => labels.has(label));
}

function attachedNodes(project: Pick<Project, 'targets' | 'policies'>, risks: RiskLabels): readonly GraphNode[] {
  const attached = generatedPolicyNodes(project).filter(({ form }) => form === 'attached');
  return attached.map(({ name, kind, description, requiredTargets }) => {
    return { name, kind, description, cost: '', lock: '', risks: requiredRisks(requiredTargets, risks) };
  });
}

function withoutCircles(targets: Targets): Targets {
  const all = [...targets.values()];
  const ids = new Map(all.map(({ name }, id) => [name, id]));
  const links = all.map(({ dependsOn, children }) => [...dependsOn, ...children].flatMap((name) => ids.get(name) ?? []));
  const { of: knots, count } = components(links);
  const sizes = new Uint32Array(count);
  for (const knot of knots) sizes[knot]! += 1;
  // What a target needs is in its own knot or in one of a lower number.
  const order = [...all.keys()].toSorted((a, b) => knots[a]! - knots[b]!);
  const stuck = new Set<number>();
  for (const id of order) {
    const isCircle = sizes[knots[id]!]! > 1 || links[id]!.includes(id);
    if (isCircle || links[id]!.some((link) => stuck.has(link))) stuck.add(id);
  }
  return new Map([...targets].filter((_, id) => !stuck.has(id)));
}

function edgesOf({ name, kind, dependsOn, children }: Target): readonly GraphEdge[] {
  const needs = [...new Set(dependsOn)].map((to) => ({ from: name, to, type: 'depends_on', order: undefined }) as const);
  if (kind === 'pipeline') {
    return [...needs, ...children.map((to, index) => ({ from: name, to, type: 'pipeline_step', order: index + 1 }) as const)];
  }
  return [...needs, ...[...new Set(children)].map((to) => ({ from: name, to, type: 'group_member', order: undefined }) as const)];
}

/**
 * What gives way when everything runs at once, and what when a composite runs alone. Without a contradiction in the
 * whole there is none in a part.
 */
function relaxedEdges(targets: Targets): readonly RelaxedEdge[] {
  const whole = relaxedIn(targets, [...targets.keys()].toSorted());
  if (whole.length === 0) return [];
  const composites = [...targets.values()].filter(isComposite);
  const found = [...whole, ...composites.flatMap(({ name }) => relaxedIn(targets, [name]))];
  const unique = new Map(found.map((edge) => [`${edge.from}\n${edge.to}`, edge]));
  return [...unique.keys()].toSorted().flatMap((key) => unique.get(key)!);
}

function relaxedIn(targets: Targets, requested: readonly string[]): readonly RelaxedEdge[] {
  const plan = planRun(targets, requested);
  if (!plan.ok) return [];
  // The edges of an execution graph point the other way: from what comes first.
  return executionGraph(plan).relaxed.map(({ from, to }) => ({ from: to, to: from }));
}

function edgeOrder(a: GraphEdge, b: GraphEdge): number {
  const byNames = compare(a.from, b.from) || compare(a.type, b.type);
  return byNames || (a.order ?? 0) - (b.order ?? 0) || compare(a.to, b.to);
}

function nameOrder(a: { readonly name: string }, b: { readonly name: string }): number {
  return compare(a.name, b.name);
}

function compare(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
