import type { AttributeScope } from '../attribute-reader.ts';
import type { Body } from '../hcl/index.ts';
import type { AgentTemplate } from '../later.ts';
import { agentFields, fieldReferences, type AgentFields } from './agent-fields.ts';
import { uniqueBlocks, type NamedBlock } from './named-blocks.ts';
import { hasPlaceholder, templatePlaceholders } from './placeholders.ts';
import type { LaterReference } from './reference.ts';
import { AGENT_TEMPLATE_SCHEMA } from './schemas.ts';
import { Section } from './section.ts';
import { gitOf, workspaceOf } from './workspace-blocks.ts';

export interface DecodedTemplate {
  readonly template: AgentTemplate;
  readonly references: readonly LaterReference[];
}

export function decodeAgentTemplates(body: Body, scope: AttributeScope): readonly DecodedTemplate[] {
  const blocks = uniqueBlocks(body, 'agent_template', { schema: AGENT_TEMPLATE_SCHEMA, findings: scope.findings });
  return blocks.map((named) => decodeTemplate(named, scope));
}

/** Faulty templates too, so that what names one does not find it missing. */
function decodeTemplate({ name, block }: NamedBlock, scope: AttributeScope): DecodedTemplate {
  const section = new Section(block, scope, { subject: `agent_template ${JSON.stringify(name)}` });
  const fields = agentFields(section);
  const mode = fields.mode ?? 'implement';
  checkFields(section, fields);
  const template: AgentTemplate = {
    name,
    mode,
    provider: fields.provider?.name ?? '',
    role: fields.role,
    prompt: fields.prompt?.name ?? '',
    policy: fields.policy?.name ?? '',
    workspace: workspaceOf(section, templatePlaceholders) ?? { mode: 'clone', path: '' },
    git: gitOf(section, templatePlaceholders) ?? { branch: '', commit: 'required' },
  };
  // A placeholder where none may stand was told, and names nothing.
  const references = fieldReferences(section.subject, fields, mode).filter((reference) => !hasPlaceholder(reference.name));
  return { template, references };
}

function checkFields(section: Section, { mode, provider, prompt, policy, role }: AgentFields): void {
  if (section.given('provider') === undefined) section.attributeFault('provider', 'is required');
  if (policy !== undefined && mode !== undefined && mode !== 'implement') {
    section.attributeFault('policy', 'is supported only for implement mode');
  }
  const texts = { provider: provider?.name, role, prompt: prompt?.name, policy: policy?.name };
  for (const [field, text] of Object.entries(texts)) {
    const fault = templatePlaceholders(field, text ?? '');
    if (fault !== undefined) section.fault(section.placeOf(field), fault);
  }
}
