import type { VerbContext, VerbResult } from '../../kernel/terminal/index.ts';
import type { Target } from '../model/index.ts';
import type { ProjectInput } from './inputs.ts';
import { loadProject } from './load-project.ts';

/** Columns that the name takes before a description. */
const NAME_WIDTH = 24;
const COST_WIDTH = 7;
const RISKS_WIDTH = 42;

/** `bach list`: one line for each target, in the order of their names. */
export async function listVerb(input: ProjectInput, context: VerbContext): Promise<VerbResult> {
  const { project } = loadProject(input, context);
  const targets = [...project.targets.values()].toSorted((a, b) => (a.name < b.name ? -1 : 1));
  const json = { targets: targets.map(({ name, kind, description, cost }) => ({ name, type: kind, description, cost })) };
  const lines = input.verbose ? verboseLines(targets) : targets.map(lineOf);
  return { exit: 0, json, text: lines.join('\n') };
}

function lineOf({ name, description }: Target): string {
  return description === '' ? name : `${name.padEnd(NAME_WIDTH)} ${inOneLine(description)}`;
}

/** Risks are words of a later release, so no target has one. */
function verboseLines(targets: readonly Target[]): readonly string[] {
  const width = Math.max('TARGET'.length, ...targets.map(({ name }) => name.length));
  const row = (name: string, cost: string, risks: string, description: string): string =>
    `${name.padEnd(width)} ${cost.padEnd(COST_WIDTH)} ${risks.padEnd(RISKS_WIDTH)} ${description}`.trimEnd();
  const rows = targets.map(({ name, cost, description }) => row(name, cost || '-', '-', inOneLine(description)));
  return [row('TARGET', 'COST', 'RISKS', 'DESCRIPTION'), ...rows];
}

function inOneLine(text: string): string {
  return text.replace(/\s*\n\s*/g, ' ');
}
