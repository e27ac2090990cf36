import type { BlockSchema } from '../schema.ts';

/** What an `agent` block takes beyond the fields of all targets. */
export const AGENT_ATTRIBUTES: readonly string[] = [
  'template', 'mode', 'provider', 'role', 'prompt', 'plan', 'subject', 'policy',
];
export const AGENT_BLOCKS: readonly string[] = ['workspace', 'git', 'improve'];

export const PROVIDER_SCHEMA = schema({ labels: ['name'], attributes: ['type', 'command'] });

export const AGENT_TEMPLATE_SCHEMA = schema({
  labels: ['name'],
  attributes: ['mode', 'provider', 'role', 'prompt', 'policy'],
  blocks: ['workspace', 'git'],
});
export const WORKSPACE_SCHEMA = schema({ attributes: ['mode', 'path'] });
export const GIT_SCHEMA = schema({ attributes: ['branch', 'commit'] });
export const IMPROVE_SCHEMA = schema({ attributes: ['max_attempts', 'until'] });

export const POLICY_SCHEMA = schema({
  labels: ['name'],
  attributes: ['subject', 'subject_workspace', 'subject_commit', 'reviewers', 'required_targets'],
  blocks: ['quality_gate'],
});
export const GATE_SCHEMA = schema({ attributes: ['metric', 'min', 'max'] });

export const QUALITY_SCHEMA = schema({
  labels: ['target'],
  attributes: ['reports'],
  blocks: ['junit', 'cov', 'lint', 'complexity', 'quality_gate', 'rego_policy'],
});
export const REPORT_SCHEMA = schema({ attributes: ['path', 'format', 'parser'] });
export const REGO_SCHEMA = schema({ attributes: ['path', 'package', 'allow', 'findings'] });

export const FACTORY_SCHEMA = schema({ labels: ['name'], blocks: ['workflow', 'triggers'] });
export const WORKFLOW_SCHEMA = schema({ labels: ['name'], blocks: ['plan', 'implement', 'merge', 'deploy', 'verify'] });

/** Phases that take no `requires_approval` know the word, to say just that. */
export const PHASE_SCHEMAS = {
  plan: schema({ attributes: ['agent_template', 'path', 'requires_approval'] }),
  implement: schema({ attributes: ['agent_template', 'requires_approval'] }),
  merge: schema({ attributes: ['target', 'requires_approval'] }),
  deploy: schema({ labels: ['name'], attributes: ['target', 'requires_approval'] }),
  verify: schema({ labels: ['name'], attributes: ['target', 'requires_approval'] }),
} as const;

export const TRIGGERS_SCHEMA = schema({ blocks: ['manual', 'provider'] });
export const MANUAL_SCHEMA = schema({});
export const TRIGGER_SCHEMA = schema({
  labels: ['name'],
  attributes: ['command', 'poll_interval', 'config'],
  blocks: ['route'],
});
export const ROUTE_SCHEMA = schema({ attributes: ['label', 'workflow'] });

function schema(parts: Partial<BlockSchema>): BlockSchema {
  return { labels: [], attributes: [], blocks: [], ...parts };
}
