import { traversalOf } from '../hcl/index.ts';
import type { FactoryPhase, Workflow } from '../later.ts';
import { readReference, type Reference } from '../references.ts';
import { parseReference } from '../target-name.ts';
import { checkIdentifier } from './identifier.ts';
import { isInsideProject } from './inside-project.ts';
import { planPathPlaceholders } from './placeholders.ts';
import { judged, type LaterReference } from './reference.ts';
import { PHASE_SCHEMAS } from './schemas.ts';
import type { Section } from './section.ts';

export interface DecodedWorkflow {
  readonly workflow: Workflow;
  readonly references: readonly LaterReference[];
}

interface DecodedPhase {
  readonly phase: FactoryPhase;
  readonly references: readonly LaterReference[];
}

/** Reads a workflow; its phases are told as `plan.path` and `deploy "staging" target`. */
export function workflowOf(workflow: Section, name: string): DecodedWorkflow {
  checkIdentifier(workflow);
  const plan = planPhase(workflow);
  const implement = implementPhase(workflow);
  const merge = mergePhase(workflow);
  const deploys = namedPhases(workflow, 'deploy');
  const verifies = namedPhases(workflow, 'verify');
  const phases = [plan, implement, merge, ...deploys, ...verifies].filter((phase) => phase !== undefined);
  return {
    workflow: {
      name,
      plan: plan?.phase,
      implement: implement?.phase,
      merge: merge?.phase,
      deploys: deploys.map(({ phase }) => phase),
      verifies: verifies.map(({ phase }) => phase),
    },
    references: phases.flatMap(({ references }) => references),
  };
}

function planPhase(workflow: Section): DecodedPhase | undefined {
  const phase = singlePhase(workflow, 'plan');
  if (phase === undefined) return undefined;
  const template = requiredTemplate(phase);
  const path = phase.required('path');
  checkPlanPath(workflow, phase, path);
  const requiresApproval = phase.given('requires_approval') === undefined || phase.flag('requires_approval');
  return {
    phase: { name: '', target: '', agentTemplate: template?.name ?? '', path, requiresApproval },
    references: judged(`${phase.subject}.agent_template:`, 'phase-template', [template]),
  };
}

function implementPhase(workflow: Section): DecodedPhase | undefined {
  const phase = singlePhase(workflow, 'implement');
  if (phase === undefined) return undefined;
  refuseApproval(phase);
  const template = requiredTemplate(phase);
  return {
    phase: { name: '', target: '', agentTemplate: template?.name ?? '', path: '', requiresApproval: false },
    references: judged(`${phase.subject}.agent_template:`, 'implement-template', [template]),
  };
}

function mergePhase(workflow: Section): DecodedPhase | undefined {
  const phase = singlePhase(workflow, 'merge');
  if (phase === undefined) return undefined;
  refuseApproval(phase);
  return targetPhase(phase, { name: '', requiresApproval: false });
}

function singlePhase(workflow: Section, type: 'plan' | 'implement' | 'merge'): Section | undefined {
  const block = workflow.only(type, PHASE_SCHEMAS[type]);
  return block && workflow.inner(block, type, '.');
}

/** Two phases of one name would be one to an approval and to the record of the work item. */
function namedPhases(workflow: Section, type: 'deploy' | 'verify'): readonly DecodedPhase[] {
  const phases = new Map<string, DecodedPhase>();
  for (const { name, block } of workflow.blocks(type, PHASE_SCHEMAS[type])) {
    const title = `${type} ${JSON.stringify(name)}`;
    const phase = workflow.inner(block, title);
    checkIdentifier(phase);
    if (type === 'verify') refuseApproval(phase);
    const requiresApproval = type === 'deploy' && phase.flag('requires_approval');
    const found = targetPhase(phase, { name, requiresApproval });
    if (phases.has(name)) workflow.fault(block.header, `has duplicate ${title}`);
    else phases.set(name, found);
  }
  return [...phases.values()];
}

function targetPhase(phase: Section, known: Pick<FactoryPhase, 'name' | 'requiresApproval'>): DecodedPhase {
  const target = requiredTarget(phase);
  return {
    phase: { ...known, target: target?.name ?? '', agentTemplate: '', path: '' },
    references: judged(`${phase.reading('target').subject}:`, 'phase-target', [target]),
  };
}

function refuseApproval(phase: Section): void {
  const attribute = phase.given('requires_approval');
  if (attribute !== undefined) phase.fault(attribute.nameSpan, 'does not support requires_approval');
}

function requiredTemplate(phase: Section): Reference | undefined {
  if (phase.given('agent_template') === undefined) phase.attributeFault('agent_template', 'is required');
  return phase.reference('agent_template', 'agent_template');
}

/** `shell.deploy`, the same as a string, the form of the command line, or an alias as a string. */
function requiredTarget(phase: Section): Reference | undefined {
  const attribute = phase.given('target');
  if (attribute === undefined || traversalOf(attribute.expression) === undefined) return textTarget(phase);
  const parsed = readReference(attribute.expression);
  if ('name' in parsed) return { name: parsed.name, span: attribute.expression };
  phase.scope.findings.error(attribute.expression, `${phase.reading('target').subject}: ${parsed.message}`);
  return undefined;
}

function textTarget(phase: Section): Reference | undefined {
  const text = phase.required('target');
  if (text === '') return undefined;
  const parsed = parseReference(text);
  return { name: 'name' in parsed ? parsed.name : text, span: phase.placeOf('target') };
}

function checkPlanPath(workflow: Section, phase: Section, path: string): void {
  if (!isInsideProject(path)) phase.attributeFault('path', 'must be project-relative');
  const fault = planPathPlaceholders('plan.path', path);
  if (fault !== undefined) workflow.fault(phase.placeOf('path'), fault);
}
