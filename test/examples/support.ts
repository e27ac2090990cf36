import { join } from 'node:path';
import { expect } from 'vitest';
import { bachProject, type BachProject } from '../support/bach-project.ts';
import type { CliOptions } from '../support/cli.ts';
import { writeFiles } from '../support/temp.ts';

export const EXAMPLES = join(import.meta.dirname, '../../examples/plugins');

export type Sources = Readonly<Record<string, readonly string[]>>;

/** A project with an example as its plugin `g`, and for each source a shell target of its name that has it as input. */
export function exampleProject(plugin: 'ts-import-graph' | 'package-graph', sources: Sources, files: Readonly<Record<string, string>>): BachProject {
  const program = join(EXAMPLES, plugin, `${plugin}.mjs`);
  const lines = Object.entries(sources).map(([name, entries]) => `    ${name} = ${JSON.stringify(entries)}\n`);
  const targets = Object.keys(sources).map((name) => `shell "${name}" {\n  inputs = [plugin.g.${name}]\n}\n`);
  const block = `plugin "g" {\n  command = ["node", ${JSON.stringify(program)}]\n  sources = {\n${lines.join('')}  }\n}\n`;
  const project = bachProject(`${block}${targets.join('')}`);
  writeFiles(project.folder, files);
  return project;
}

export interface Matches {
  readonly [target: string]: readonly string[];
}

/** What `bach affected --json` answers: the inputs that match, by the name of the target. */
export async function affected(project: BachProject, paths: readonly string[], options: CliOptions = {}): Promise<Matches> {
  const { exit, stdout, stderr } = await project.bach(['affected', '--json', ...paths], options);
  expect({ exit, stderr }).toEqual({ exit: 0, stderr: '' });
  const { targets } = JSON.parse(stdout) as { targets: readonly { target: string; inputs: readonly string[] }[] };
  return Object.fromEntries(targets.map(({ target, inputs }) => [target.replace('shell/', ''), inputs]));
}

/** The names of the targets alone. */
export async function affectedNames(project: BachProject, paths: readonly string[]): Promise<readonly string[]> {
  return Object.keys(await affected(project, paths));
}

/** All inputs of the only target, as the plugin gave them; `known` is one of them. */
export async function inputsOf(project: BachProject, known: string): Promise<readonly string[]> {
  const { stdout } = await project.bach(['provenance', '--json', known]);
  const { paths } = JSON.parse(stdout) as { paths: readonly { consumers: readonly { inputs: readonly string[] }[] }[] };
  return paths[0]?.consumers[0]?.inputs ?? [];
}
