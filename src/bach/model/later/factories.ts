import type { AttributeScope } from '../attribute-reader.ts';
import type { Block, Body } from '../hcl/index.ts';
import type { Factory } from '../later.ts';
import { checkIdentifier } from './identifier.ts';
import { namedBlocks, tellDuplicate } from './named-blocks.ts';
import type { LaterReference } from './reference.ts';
import { FACTORY_SCHEMA, WORKFLOW_SCHEMA } from './schemas.ts';
import { Section } from './section.ts';
import { triggersOf } from './triggers.ts';
import { workflowOf, type DecodedWorkflow } from './workflows.ts';

export interface DecodedFactory {
  readonly factory: Factory;
  readonly references: readonly LaterReference[];
}

export function decodeFactories(body: Body, scope: AttributeScope): readonly DecodedFactory[] {
  const { findings } = scope;
  const decoded = new Map<string, DecodedFactory>();
  const blocks = new Map<string, Block>();
  for (const { name, block } of namedBlocks(body, 'factory', { schema: FACTORY_SCHEMA, findings })) {
    const found = decodeFactory(new Section(block, scope, { subject: `factory ${JSON.stringify(name)}` }), name);
    const first = blocks.get(name);
    blocks.set(name, first ?? block);
    if (first !== undefined) tellDuplicate({ name, block }, first, findings);
    else decoded.set(name, found);
  }
  return [...decoded.values()];
}

function decodeFactory(section: Section, name: string): DecodedFactory {
  checkIdentifier(section);
  const workflows = decodeWorkflows(section);
  const names = new Set(workflows.map(({ workflow }) => workflow.name));
  if (section.block.body.blocks.every(({ type }) => type !== 'workflow')) {
    section.fault(section.block.header, 'must declare at least one workflow');
  }
  return {
    factory: { name, workflows: workflows.map(({ workflow }) => workflow), ...triggersOf(section, names) },
    references: workflows.flatMap(({ references }) => references),
  };
}

function decodeWorkflows(factory: Section): readonly DecodedWorkflow[] {
  const decoded = new Map<string, DecodedWorkflow>();
  for (const { name, block } of factory.blocks('workflow', WORKFLOW_SCHEMA)) {
    const quoted = JSON.stringify(name);
    const found = workflowOf(factory.inner(block, `workflow ${quoted}`), name);
    if (decoded.has(name)) factory.fault(block.header, `has duplicate workflow ${quoted}`);
    else decoded.set(name, found);
  }
  return [...decoded.values()];
}
