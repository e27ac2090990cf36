import type { VerbContext, VerbResult } from '../../kernel/terminal/index.ts';
import { effectiveRisks, oneLine, requiredRisks } from '../decide/index.ts';
import { generatedPolicyNodes, type Alias, type Project } from '../model/index.ts';
import type { ProjectInput } from './inputs.ts';
import { loadProject } from './load-project.ts';
import { projectWorld } from './project-world.ts';

export interface ListInput extends ProjectInput {
  /** The aliases too, behind the targets. */
  readonly aliases: boolean;
  /** The generated policy nodes too, among the targets. */
  readonly generated: boolean;
}

interface Row {
  readonly name: string;
  readonly type: string;
  readonly description: string;
  readonly cost: string;
  /** With those that it inherits. */
  readonly risks: readonly string[];
  readonly generated: boolean;
}

/** Columns that the name takes before a description. */
const NAME_WIDTH = 24;
const COST_WIDTH = 7;
const RISKS_WIDTH = 42;

/** `bach list`: one line for each target, in the order of their names. */
export async function listVerb(input: ListInput, context: VerbContext): Promise<VerbResult> {
  const { project } = await loadProject(input, context, projectWorld(context));
  const rows = rowsOf(project, input).toSorted(byName);
  const aliases = input.aliases ? [...project.aliases.values()].toSorted(byName) : [];
  const lines = [...(input.verbose ? verboseLines(rows) : rows.map(lineOf)), ...aliases.map(aliasLine)];
  return { exit: 0, json: documentOf(rows, input.aliases ? aliases : undefined), text: lines.join('\n') };
}

function rowsOf(project: Project, { generated }: ListInput): readonly Row[] {
  const risks = effectiveRisks(project.targets);
  const targets = [...project.targets.values()].map(({ name, kind, description, cost }) => {
    return { name, type: kind, description, cost, risks: risks.get(name)?.labels ?? [], generated: false };
  });
  const nodes = generated ? generatedPolicyNodes(project) : [];
  const policies = nodes.map(({ name, kind, description, requiredTargets }) => {
    return { name, type: kind, description, cost: '', risks: requiredRisks(requiredTargets, risks), generated: true };
  });
  return [...targets, ...policies];
}

function documentOf(rows: readonly Row[], aliases: readonly Alias[] | undefined): object {
  const targets = rows.map(({ generated, ...row }) => (generated ? { ...row, generated } : row));
  return aliases === undefined ? { targets } : { targets, aliases };
}

function lineOf({ name, description }: Row): string {
  return description === '' ? name : `${name.padEnd(NAME_WIDTH)} ${oneLine(description)}`;
}

function verboseLines(rows: readonly Row[]): readonly string[] {
  const width = Math.max('TARGET'.length, ...rows.map(({ name }) => name.length));
  const line = (name: string, cost: string, risks: string, description: string): string =>
    `${name.padEnd(width)} ${cost.padEnd(COST_WIDTH)} ${risks.padEnd(RISKS_WIDTH)} ${description}`.trimEnd();
  const lines = rows.map(({ name, cost, risks, description }) => line(name, cost || '-', risks.join(',') || '-', oneLine(description)));
  return [line('TARGET', 'COST', 'RISKS', 'DESCRIPTION'), ...lines];
}

function aliasLine({ name, target, deprecated }: Alias): string {
  const arrow = `${name} -> ${target}`;
  return deprecated === '' ? arrow : `${arrow}  ${oneLine(deprecated)}`;
}

function byName(a: { readonly name: string }, b: { readonly name: string }): number {
  return a.name < b.name ? -1 : 1;
}
