import type { Policy } from '../later.ts';
import type { Project } from '../project.ts';

/** A node of the graph that no block declares: a policy at work on its subject. */
export interface PolicyNode {
  readonly name: string;
  readonly kind: 'policy';
  /** `standalone` can be run by itself, `attached` runs after its agent. */
  readonly form: 'standalone' | 'attached';
  readonly description: string;
  readonly policy: Policy;
  /** In the form `agent.checkout`. */
  readonly subject: string;
  /** As written, relative to the root; empty where nothing says it. */
  readonly subjectWorkspace: string;
  readonly subjectCommit: string;
  /** Canonical. */
  readonly requiredTargets: readonly string[];
}

/** `policy.<name>@<subject>` for each policy with a subject, then `policy/<name>@agent.<agent>` for each agent with a policy. */
export function generatedPolicyNodes(project: Pick<Project, 'policies' | 'targets'>): readonly PolicyNode[] {
  const policies = [...project.policies.values()];
  return [...policies.filter(({ subject }) => subject !== '').map(standaloneNode), ...attachedNodes(project)];
}

function standaloneNode(policy: Policy): PolicyNode {
  const { name, subject, subjectWorkspace, subjectCommit } = policy;
  const place = { subject, subjectWorkspace, subjectCommit };
  return nodeOf(policy, { name: `policy.${name}@${subject}`, form: 'standalone', ...place });
}

function attachedNodes({ policies, targets }: Pick<Project, 'policies' | 'targets'>): readonly PolicyNode[] {
  const nodes = [...targets.values()].map(({ name, agent }) => {
    const policy = agent?.mode === 'implement' ? policies.get(agent.policy) : undefined;
    if (agent === undefined || policy === undefined) return undefined;
    const subject = name.replace('/', '.');
    const place = { subject, subjectWorkspace: agent.workspace.path, subjectCommit: '' };
    return nodeOf(policy, { name: `policy/${policy.name}@${subject}`, form: 'attached', ...place });
  });
  return nodes.filter((node) => node !== undefined);
}

type Place = Pick<PolicyNode, 'name' | 'form' | 'subject' | 'subjectWorkspace' | 'subjectCommit'>;

function nodeOf(policy: Policy, place: Place): PolicyNode {
  const { requiredTargets } = policy;
  const requiring = requiredTargets.length === 0 ? '' : ` requiring ${requiredTargets.join(', ')}`;
  const description = `policy fan-out for ${place.subject}${requiring}`;
  return { kind: 'policy', description, policy, requiredTargets, ...place };
}
