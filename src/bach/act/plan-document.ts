import { effectiveRisks, risksTogether, verdictEntry, type CacheVerdict, type EffectiveRisks, type Plan } from '../decide/index.ts';
import type { Project, Target } from '../model/index.ts';

const RISKS = ['remote', 'destructive', 'requires_confirmation'];

/** What the document of a dry run is made of. */
export interface PlannedRun {
  readonly project: Project;
  readonly plan: Plan;
  /** What each target would run, by its name. */
  readonly operations: ReadonlyMap<string, string>;
  /** What the cache says of each target, by its name. */
  readonly verdicts: ReadonlyMap<string, CacheVerdict>;
}

/** The document of `bach run --dry-run --json`. */
export function planDocument({ project, plan, operations, verdicts }: PlannedRun): object {
  const targets = plan.order.map((name) => project.targets.get(name)).filter((target) => target !== undefined);
  const risks = effectiveRisks(project.targets);
  const pipelines = targets.filter(({ kind }) => kind === 'pipeline').flatMap(edgesToChildren);
  const groups = targets.filter(({ kind }) => kind === 'group').flatMap(edgesToChildren);
  return {
    target: plan.label,
    requested_targets: plan.requested,
    selected_profiles: project.profiles.selected,
    target_order: plan.order,
    dependency_edges: targets.flatMap((target) => edgesToDependencies(target, plan)),
    ...unlessEmpty('pipeline_edges', pipelines),
    ...unlessEmpty('group_edges', groups),
    ...unlessEmpty('composite_edges', targets.flatMap(compositeEdges)),
    effective_risk: riskFlags(risksTogether(plan.requested, risks).labels),
    targets: targets.map((target) => targetEntry(target, { operation: operations.get(target.name), risks: risks.get(target.name), verdict: verdicts.get(target.name) })),
  };
}

interface Edge {
  readonly from: string;
  readonly to: string;
}

function edgesToDependencies({ name, dependsOn }: Target, { indexOf }: Plan): readonly Edge[] {
  const sorted = [...new Set(dependsOn)].sort((a, b) => (indexOf.get(a) ?? 0) - (indexOf.get(b) ?? 0));
  return sorted.map((from) => ({ from, to: name }));
}

/** In declared order, which is the order of a pipeline's steps. */
function edgesToChildren({ name, children }: Target): readonly Edge[] {
  return [...new Set(children)].map((from) => ({ from, to: name }));
}

function compositeEdges(target: Target): readonly (Edge & { readonly kind: string })[] {
  const kind = target.kind === 'pipeline' ? 'pipeline_step' : 'group_member';
  return edgesToChildren(target).map((edge) => ({ ...edge, kind }));
}

interface Planned {
  readonly operation: string | undefined;
  readonly risks: EffectiveRisks | undefined;
  readonly verdict: CacheVerdict | undefined;
}

function targetEntry(target: Target, { operation, risks, verdict = { kind: 'not-cacheable' } }: Planned): object {
  const { name, kind, workdir, dependsOn, children, lock, inputs, outputs, environment, tools, preflights } = target;
  return {
    name,
    type: kind,
    ...unlessEmpty('operation', operation ?? ''),
    ...unlessEmpty('workdir', workdir),
    ...unlessEmpty('depends_on', dependsOn),
    ...(kind === 'pipeline' ? unlessEmpty('steps', children) : unlessEmpty('targets', children)),
    ...unlessEmpty('lock', lock),
    risks: riskFlags(risks?.labels ?? []),
    cache: verdictEntry(verdict),
    ...unlessEmpty('inputs', inputs),
    ...unlessEmpty('outputs', outputs.map(({ path }) => path)),
    ...unlessEmpty('env', environment.map((entry) => `${entry.name}=${entry.value}`)),
    ...unlessEmpty('tools', tools.map(({ name: tool, command, version, fix }) => given({ name: tool, command, version, fix }))),
    ...unlessEmpty('preflights', preflights.map(({ name: preflight, kind: kindOf, command, fix }) => given({ name: preflight, kind: kindOf, command, fix }))),
  };
}

/** What a requirement says, in this order. */
function given(requirement: Readonly<Record<string, string | readonly string[]>>): object {
  return Object.fromEntries(Object.entries(requirement).filter(([, value]) => value.length > 0));
}

function riskFlags(labels: readonly string[]): object {
  return { ...Object.fromEntries(RISKS.map((risk) => [risk, labels.includes(risk)])), labels };
}

function unlessEmpty(key: string, value: string | readonly unknown[]): object {
  return value.length === 0 ? {} : { [key]: value };
}
