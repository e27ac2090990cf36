import type { Plan } from './plan.ts';

/** `from` runs before `to`. */
export interface PlanEdge {
  readonly from: string;
  readonly to: string;
}

export interface CompositeEdge extends PlanEdge {
  readonly kind: 'pipeline_step' | 'group_member';
}

/** From each dependency to its dependent, in plan order of `to`, then of `from`. */
export function dependencyEdges(plan: Plan): PlanEdge[] {
  return plan.targets.flatMap(({ name, dependsOn }) =>
    inPlanOrder(plan, dependsOn).map((from) => ({ from, to: name })),
  );
}

/** From each step or member to its composite, in plan order of `to`, then of `from`; a repeated step counts once. */
export function compositeEdges(plan: Plan): CompositeEdge[] {
  return plan.targets.flatMap((target) => {
    const kind = target.kind === 'pipeline' ? 'pipeline_step' : 'group_member';
    return inPlanOrder(plan, target.children).map((from) => ({ from, to: target.name, kind }) as const);
  });
}

function inPlanOrder(plan: Plan, names: readonly string[]): string[] {
  const indexes = new Set(names.map((name) => plan.indexOf.get(name) as number));
  return [...indexes].sort((a, b) => a - b).map((index) => plan.order[index] as string);
}
