import { didYouMean } from '../../../kernel/text/index.ts';
import type { AttributeScope } from '../attribute-reader.ts';
import { attributeOf } from '../block-reader.ts';
import type { Block, Expression } from '../hcl/index.ts';
import type { AgentMode, AgentSettings, AgentTemplate } from '../later.ts';
import type { Prompt } from '../project.ts';
import { referenceOf, type Reference } from '../references.ts';
import { agentFields, fieldReferences, type AgentFields } from './agent-fields.ts';
import { isInsideProject } from './inside-project.ts';
import { agentPlaceholders } from './placeholders.ts';
import { judged, type LaterReference } from './reference.ts';
import { IMPROVE_SCHEMA } from './schemas.ts';
import { Section } from './section.ts';
import { branchFault, gitOf, workspaceOf, workspacePathFault, type Git, type Workspace } from './workspace-blocks.ts';

const MERGE_LANE = 'merge-lane';
const IMPROVED_UNTIL = 'policy.passed';

/** What an agent without template inherits. */
const NO_TEMPLATE: AgentTemplate = {
  name: '',
  mode: 'implement',
  provider: '',
  role: '',
  prompt: '',
  policy: '',
  workspace: { mode: 'clone', path: '' },
  git: { branch: '', commit: 'required' },
};

export interface AgentScope extends AttributeScope {
  readonly templates: ReadonlyMap<string, AgentTemplate>;
}

/**
 * Reads what an `agent` block says beyond the common fields, over what its template says; the attributes and block
 * types of the block itself are for the caller to check. Nothing where the mode cannot be known.
 *
 * @example
 * decodeAgentSettings(block, { name: 'agent/checkout' }, { general, findings, templates });
 */
export function decodeAgentSettings(
  block: Block,
  target: { readonly name: string },
  scope: AgentScope,
): AgentSettings | undefined {
  const section = new Section(block, scope, { subject: subjectOf(target.name) });
  const own = agentFields(section);
  const template = templateOf(section, scope.templates);
  const mode = section.given('mode') === undefined ? template?.mode : own.mode;
  const plan = mode === 'implement' ? section.required('plan') : section.text('plan');
  const subject = subjectTarget(section);
  const workspace = workspaceOf(section, agentPlaceholders);
  const git = gitOf(section, agentPlaceholders);
  const improve = improveOf(section);
  if (template === undefined || mode === undefined) return undefined;
  const settings: AgentSettings = {
    mode,
    template: template.name,
    provider: own.provider?.name ?? template.provider,
    role: section.given('role') === undefined ? template.role : own.role,
    prompt: own.prompt?.name ?? template.prompt,
    plan,
    subject: subject?.name ?? '',
    policy: own.policy?.name ?? template.policy,
    ...placesOf(target.name, workspace ?? template.workspace, git ?? template.git),
    improve,
  };
  checkConcrete(section, settings, { template, workspace, git });
  checkMode(section, settings);
  return settings;
}

/** The in-run lock of an agent that names none; empty for no lock. */
export function defaultAgentLock({ mode }: { readonly mode: AgentMode }): string {
  return mode === 'merge' ? MERGE_LANE : '';
}

/** The files that an agent reads before it starts: its prompt and its plan. */
export function agentInputs(settings: AgentSettings, prompts: ReadonlyMap<string, Pick<Prompt, 'path'>>): readonly string[] {
  const plan = settings.mode === 'implement' ? settings.plan : '';
  return [prompts.get(settings.prompt)?.path ?? '', plan].filter((path) => path !== '');
}

/** What an agent's block names; what it inherits is told of its template. */
export function agentReferences(name: string, settings: AgentSettings, block: Block): readonly LaterReference[] {
  const subject = subjectOf(name);
  const { mode, provider } = settings;
  const own = (field: 'provider' | 'prompt' | 'policy' | 'subject'): Reference | undefined => {
    const expression = givenIn(block, field);
    return expression === undefined || settings[field] === '' ? undefined : { name: settings[field], span: expression };
  };
  const fields: AgentFields = { mode, provider: own('provider'), prompt: own('prompt'), policy: own('policy'), role: '' };
  const overridden = givenIn(block, 'mode');
  const inherited = fields.provider === undefined && mode !== 'implement' && overridden !== undefined;
  return [
    ...fieldReferences(subject, fields, mode),
    ...judged(subject, 'generic-provider', inherited ? [{ name: provider, span: overridden }] : []),
    ...judged(subject, 'merge-subject', mode === 'merge' ? [own('subject')] : []),
    ...judged(subject, 'judged-subject', mode === 'merge' ? [own('subject')] : []),
  ];
}

/** Nothing where the block names one that cannot be had: then nobody knows what it would give. */
function templateOf(section: Section, templates: AgentScope['templates']): AgentTemplate | undefined {
  if (section.given('template') === undefined) return NO_TEMPLATE;
  const reference = section.reference('template', 'agent_template');
  const template = reference && templates.get(reference.name);
  if (reference !== undefined && template === undefined) {
    const { name, span } = reference;
    section.fault(span, `references unknown agent_template ${JSON.stringify(name)}${didYouMean(name, templates.keys())}`);
  }
  return template;
}

function subjectTarget(section: Section): Reference | undefined {
  const attribute = section.given('subject');
  if (attribute === undefined) return undefined;
  const reference = referenceOf(attribute.expression, `${section.subject} subject`, section.scope.findings);
  if (reference === undefined || reference.name.startsWith('agent/')) return reference;
  section.attributeFault('subject', 'must reference an agent target');
  return undefined;
}

function improveOf(section: Section): AgentSettings['improve'] {
  const block = section.only('improve', IMPROVE_SCHEMA);
  if (block === undefined) return undefined;
  const improve = section.inner(block, 'improve');
  const maxAttempts = improve.number('max_attempts') ?? 1;
  if (maxAttempts <= 0) improve.attributeFault('max_attempts', 'must be greater than zero');
  else if (!Number.isSafeInteger(maxAttempts)) improve.attributeFault('max_attempts', 'must be a whole number');
  return { maxAttempts, until: improve.choice('until', [IMPROVED_UNTIL], `must be ${IMPROVED_UNTIL}`) ?? IMPROVED_UNTIL };
}

/** Each agent has a folder and a branch of its own, unless it or its template says otherwise. */
function placesOf(target: string, workspace: Workspace, git: Git): { readonly workspace: Workspace; readonly git: Git } {
  const name = target.slice(target.indexOf('/') + 1);
  return {
    workspace: { ...workspace, path: workspace.path || `.bach/agents/${name}` },
    git: { ...git, branch: git.branch || `bach/agents/${name}` },
  };
}

interface Origin {
  readonly template: AgentTemplate;
  /** Nothing where the block has none of its own. */
  readonly workspace: Workspace | undefined;
  readonly git: Git | undefined;
}

/** An agent can run only when nothing is left open. What a block or a template says itself is told there. */
function checkConcrete(section: Section, settings: AgentSettings, { template, workspace, git }: Origin): void {
  const isNamed = template !== NO_TEMPLATE || section.given('provider') !== undefined;
  if (!isNamed) section.attributeFault('provider', 'is required');
  for (const [name, text] of Object.entries({ role: section.given('role') && settings.role, plan: settings.plan })) {
    tell(agentPlaceholders(name, text ?? ''), name);
  }
  if (workspace === undefined) tell(agentPlaceholders('workspace.path', template.workspace.path), 'template');
  if (git === undefined) tell(agentPlaceholders('git.branch', template.git.branch), 'template');
  if (settings.mode !== 'implement') return;
  if ((workspace ?? template.workspace).path === '') tell(workspacePathFault(settings.workspace.path), 'workspace');
  if ((git ?? template.git).branch === '') tell(branchFault(settings.git.branch), 'git');

  function tell(fault: string | undefined, attribute: string): void {
    if (fault !== undefined) section.fault(section.placeOf(attribute), fault);
  }
}

function checkMode(section: Section, { mode, plan, policy, improve }: AgentSettings): void {
  if (mode === 'merge' && section.given('subject') === undefined) {
    section.attributeFault('subject', 'is required for merge mode');
  }
  if (!isInsideProject(plan)) section.attributeFault('plan', 'must be project-relative');
  if (mode === 'implement') return;
  const field = section.given('policy') === undefined ? 'mode' : 'policy';
  if (policy !== '') section.fault(section.placeOf(field), 'policy is supported only for implement mode');
  if (improve !== undefined) section.fault(section.block.header, 'improve is supported only for implement mode');
}

/** Null means that it is not set. */
function givenIn(block: Block, name: string): Expression | undefined {
  const expression = attributeOf(block.body, name)?.expression;
  return expression?.kind === 'null' ? undefined : expression;
}

const subjectOf = (name: string): string => `target ${JSON.stringify(name)}`;
