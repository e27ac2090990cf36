import type { Preflight, Target, ToolRequirement } from '../../model/index.ts';
import { requiredRisks } from './graph-view.ts';
import { labelsOf, type RiskLabels } from './labels.ts';
import type { NamedNode } from './named-node.ts';
import { oneLine } from './one-line.ts';

/** What a person is told of a target or of a generated node, line by line. */
export function explanationLines(named: NamedNode, risks: RiskLabels): readonly string[] {
  return named.kind === 'policy' ? policyLines(named.node) : [...aliasLines(named), ...targetLines(named.target, risks)];
}

/** The same as a document. */
export function explanationDocument(named: NamedNode, risks: RiskLabels): object {
  return named.kind === 'policy' ? policyDocument(named.node, risks) : targetDocument(named, risks);
}

type NamedTarget = Extract<NamedNode, { readonly kind: 'target' }>;
type Node = Extract<NamedNode, { readonly kind: 'policy' }>['node'];

function aliasLines({ alias }: NamedTarget): readonly string[] {
  if (alias === undefined) return [];
  return [`Alias: ${alias.name}`, `Canonical target: ${alias.target}`, ...filled('Deprecated', alias.deprecated)];
}

function targetLines(target: Target, risks: RiskLabels): readonly string[] {
  return [
    `Target: ${target.name}`,
    ...filled('Description', target.description),
    ...filled('When', target.when),
    ...filled('Cost', target.cost),
    ...filled('Risks', labelsOf(risks, target.name).join(', ')),
    ...listed('Depends on', target.dependsOn),
    ...childrenLines(target),
    ...listed('Inputs', target.inputs),
    ...listed('Outputs', target.outputs.map(({ path }) => path)),
    ...listed('Produces', target.produces),
    ...listed('Required tools', target.tools.map(toolText)),
    ...listed('Preflights', target.preflights.map(preflightText)),
  ];
}

function childrenLines({ kind, children }: Target): readonly string[] {
  if (kind === 'pipeline') return listed('Steps', children);
  return kind === 'group' ? listed('Members', children) : [];
}

function filled(label: string, text: string): readonly string[] {
  return text === '' ? [] : [`${label}: ${oneLine(text)}`];
}

function listed(label: string, values: readonly string[]): readonly string[] {
  return values.length === 0 ? [`${label}: -`] : [`${label}:`, ...values.map((value) => `  - ${oneLine(value)}`)];
}

function toolText({ name, version, command, fix }: ToolRequirement): string {
  return [name, version && `(${version})`, ...checkText(command, fix)].filter((part) => part !== '').join(' ');
}

function preflightText({ label, command, fix }: Preflight): string {
  return [label, ...checkText(command, fix)].join(' ');
}

function checkText(command: readonly string[], fix: string): readonly string[] {
  return [...(command.length === 0 ? [] : [`via ${command.join(' ')}`]), ...(fix === '' ? [] : [`- ${fix}`])];
}

function policyLines({ name, subject, subjectWorkspace, subjectCommit, requiredTargets }: Node): readonly string[] {
  const facts = [
    'generated: true',
    `subject: ${subject}`,
    ...filled('subject_workspace', subjectWorkspace),
    ...filled('subject_commit', subjectCommit),
    `required_targets: ${requiredTargets.join(', ') || '-'}`,
  ];
  return [name, ...facts.map((fact) => `  ${fact}`)];
}

function targetDocument({ target, alias }: NamedTarget, risks: RiskLabels): object {
  const { name, kind, description, when, cost, dependsOn, children, inputs, outputs, produces, tools, preflights } = target;
  return {
    ...(alias && { alias: { name: alias.name, target: alias.target, deprecated: alias.deprecated } }),
    name,
    type: kind,
    description,
    when,
    cost,
    risks: labelsOf(risks, name),
    depends_on: dependsOn,
    ...(kind === 'pipeline' && { steps: children }),
    ...(kind === 'group' && { targets: children }),
    inputs,
    outputs: outputs.map((output) => (output.name === '' ? { path: output.path } : { name: output.name, path: output.path })),
    produces,
    tools: tools.map((tool) => ({ name: tool.name, command: tool.command, version: tool.version, fix: tool.fix })),
    preflights: preflights.map((check) => ({ name: check.name, kind: check.kind, command: check.command, fix: check.fix })),
  };
}

function policyDocument({ name, kind, description, ...node }: Node, risks: RiskLabels): object {
  return {
    name,
    type: kind,
    generated: true,
    description,
    risks: requiredRisks(node.requiredTargets, risks),
    subject: node.subject,
    subject_workspace: node.subjectWorkspace,
    subject_commit: node.subjectCommit,
    required_targets: node.requiredTargets,
  };
}
