import { effectiveRisks, risksTogether, type Plan } from '../decide/index.ts';
import { canonicalName, generatedPolicyNodes, type Project } from '../model/index.ts';
import { needsConfirmation, notInThisRelease } from './errors.ts';

/**
 * Throws `not-in-this-release`, by name, for what is requested, is known to this project and is no target: generated
 * policy nodes, and factories that somebody takes for targets.
 */
export function refuseLaterNames(project: Project, requested: readonly string[]): void {
  const others = requested.filter((name) => !project.targets.has(canonicalName(name)) && !project.aliases.has(name));
  if (others.length === 0) return;
  const nodes = new Set(generatedPolicyNodes(project).map(({ name }) => canonicalName(name)));
  const policies = others.filter((name) => nodes.has(canonicalName(name)));
  if (policies.length > 0) throw notInThisRelease({ targets: policies, what: 'generated policy nodes' });
  const factories = others.filter((name) => isFactory(canonicalName(name), project));
  if (factories.length > 0) throw notInThisRelease({ targets: factories, what: 'factories' });
}

function isFactory(name: string, { factories }: Project): boolean {
  return name.startsWith('factory/') && factories.has(name.slice('factory/'.length));
}

/** Throws `not-in-this-release`, by name, for what a plan covers and this release cannot do: agents, quality. */
export function refuseLaterParts({ targets, qualities }: Project, { order }: Plan): void {
  const agents = order.filter((name) => targets.get(name)?.kind === 'agent');
  if (agents.length > 0) throw notInThisRelease({ targets: agents, what: 'agent targets' });
  const measured = order.filter((name) => qualities.has(name));
  if (measured.length > 0) throw notInThisRelease({ targets: measured, what: 'targets with a quality block' });
}

/** Throws `needs-confirmation` when anything that a plan covers wants to be confirmed. */
export function refuseUnconfirmed(project: Project, plan: Plan): void {
  // All that a plan covers is in its order, and most projects have nothing of the kind.
  if (!plan.order.some((name) => project.targets.get(name)?.risks.requiresConfirmation)) return;
  const risks = risksTogether(plan.requested, effectiveRisks(project.targets)).labels;
  if (risks.includes('requires_confirmation')) throw needsConfirmation({ label: plan.label, risks });
}
