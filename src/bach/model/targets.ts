import { AttributeReader, type AttributeScope } from './attribute-reader.ts';
import { attributeOf, blocksOf, labelsOf } from './block-reader.ts';
import { completionChecks } from './completion.ts';
import { environmentList, environmentOf, mergeEnvironments, type EnvironmentScope } from './environment.ts';
import type { PlacedText } from './expressions.ts';
import type { Block } from './hcl/index.ts';
import { imageOperation } from './image.ts';
import { agentInputs, decodeAgentSettings, defaultAgentLock, type LaterBlocks } from './later/index.ts';
import type { AgentSettings } from './later.ts';
import { commandOrShell } from './operation.ts';
import { outputsOf } from './outputs.ts';
import type { ProcessEnvironment } from './process-environment.ts';
import type { EnvironmentEntry, Operation, Prompt, Risks, Target, TargetKind } from './project.ts';
import { referencesOf, type Reference } from './references.ts';
import { preflightsOf, toolsOf } from './requirements.ts';
import { retryOf } from './retry.ts';
import { TARGET_SCHEMAS } from './schema.ts';

const COSTS = ['low', 'medium', 'high'];
const CHILDREN = { group: 'targets', pipeline: 'steps' } as const;
/** Words of operations, which groups and pipelines do not have. */
const WITHOUT_EFFECT = ['retry', 'success_when', 'fail_when'];

export interface TargetScope extends AttributeScope {
  /** What the values of `env` may name. */
  readonly environment: EnvironmentScope;
  readonly process: ProcessEnvironment;
  readonly later: LaterBlocks;
  readonly prompts: ReadonlyMap<string, Prompt>;
}

/** A decoded target with the places of what it names, which is checked once all targets are known. */
export interface DecodedTarget {
  readonly target: Target;
  readonly block: Block;
  readonly dependsOn: readonly Reference[];
  readonly children: readonly Reference[];
  readonly inputs: readonly PlacedText[];
  readonly produces: readonly PlacedText[];
}

/** Reads one target block; nothing when its label is faulty. */
export function decodeTarget(kind: TargetKind, block: Block, scope: TargetScope): DecodedTarget | undefined {
  const [label] = labelsOf(block, TARGET_SCHEMAS[kind], scope.findings) ?? [];
  if (label === undefined) return undefined;
  const name = `${kind}/${label}`;
  const reader = new AttributeReader(block, `target ${JSON.stringify(name)}`, scope);
  if (kind === 'group' || kind === 'pipeline') warnOfContracts(kind, reader, scope);
  const dependsOn = references(reader, 'depends_on', scope);
  const children = kind === 'group' || kind === 'pipeline' ? references(reader, CHILDREN[kind], scope) : [];
  const inputs = reader.placedWords('inputs');
  const produces = reader.placedWords('produces');
  const agent = kind === 'agent' ? agentOf(block, name, scope) : undefined;
  const target: Target = {
    name,
    kind,
    ...metadataOf(reader),
    dependsOn: namesOf(dependsOn),
    children: namesOf(children),
    lock: reader.text('lock') || (agent === undefined ? '' : defaultAgentLock(agent)),
    ...executionOf(kind, reader, scope),
    inputs: unique([...inputs.map(({ text }) => text), ...(agent === undefined ? [] : agentInputs(agent, scope.prompts))]),
    produces: unique(produces.map(({ text }) => text)),
    agent,
    ...scope.findings.placeOf(block.header),
  };
  return { target, block, dependsOn, children, inputs, produces };
}

function warnOfContracts(kind: TargetKind, { block, subject }: AttributeReader, { findings }: TargetScope): void {
  for (const { type, header } of block.body.blocks) {
    if (WITHOUT_EFFECT.includes(type)) findings.warning(header, `${subject} ${type} has no effect on a ${kind}; it belongs to its targets`);
  }
}

function references({ block, subject }: AttributeReader, name: string, { findings }: TargetScope): readonly Reference[] {
  const found = attributeOf(block.body, name);
  return found === undefined ? [] : referencesOf(found.expression, `${subject} ${name}`, findings);
}

function namesOf(found: readonly Reference[]): readonly string[] {
  return unique(found.map(({ name }) => name));
}

function unique(names: readonly string[]): readonly string[] {
  return [...new Set(names)];
}

function agentOf(block: Block, name: string, { general, findings, later }: TargetScope): AgentSettings | undefined {
  return decodeAgentSettings(block, { name }, { general, findings, templates: later.agentTemplates });
}

type Metadata = Pick<Target, 'description' | 'when' | 'cost' | 'risks' | 'quiet'>;

function metadataOf(reader: AttributeReader): Metadata {
  return {
    description: reader.text('description'),
    when: reader.text('when'),
    cost: costOf(reader),
    risks: risksOf(reader),
    quiet: reader.flag('quiet'),
  };
}

function costOf(reader: AttributeReader): string {
  const cost = reader.text('cost');
  if (cost === '' || COSTS.includes(cost)) return cost;
  reader.fault(reader.placeOf('cost'), `has invalid cost ${JSON.stringify(cost)}; want low, medium, or high`);
  return '';
}

function risksOf(reader: AttributeReader): Risks {
  return {
    remote: reader.flag('remote'),
    destructive: reader.flag('destructive'),
    requiresConfirmation: reader.flag('requires_confirmation'),
  };
}

type Execution = Pick<
  Target,
  'timeoutMs' | 'retry' | 'operation' | 'runnable' | 'workdir' | 'environment' | 'tools' | 'preflights' | 'outputs' | 'successWhen' | 'failWhen'
>;

function executionOf(kind: TargetKind, reader: AttributeReader, scope: TargetScope): Execution {
  const operation = operationOf(kind, reader, scope);
  return {
    timeoutMs: reader.timeoutMs(),
    retry: retryOf(reader, scope),
    operation,
    runnable: kind === 'agent' || operation !== undefined,
    workdir: reader.text('workdir'),
    environment: environmentIn(reader.block, scope.environment),
    tools: toolsOf(reader, scope.findings),
    preflights: preflightsOf(reader, scope.findings),
    outputs: outputsOf(attributeOf(reader.block.body, 'outputs'), `${reader.subject} outputs`, scope.findings),
    successWhen: completionChecks(reader, 'success_when', scope),
    failWhen: completionChecks(reader, 'fail_when', scope),
  };
}

function operationOf(kind: TargetKind, reader: AttributeReader, { process }: TargetScope): Operation | undefined {
  if (kind === 'image') return imageOperation(reader, process);
  return kind === 'shell' ? commandOrShell(reader) : undefined;
}

function environmentIn({ body }: Block, scope: EnvironmentScope): readonly EnvironmentEntry[] {
  const list = attributeOf(body, 'env');
  const { entries } = environmentOf(blocksOf(body, 'env'), scope);
  return list === undefined ? entries : mergeEnvironments(entries, environmentList(list, scope));
}
