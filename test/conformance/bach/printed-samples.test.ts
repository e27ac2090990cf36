import { describe, expect, test } from 'vitest';
import { bach } from '../../../src/cli/bach-program.ts';
import { bachProject, runIdIn, type BachProject } from '../../support/bach-project.ts';
import { runCli } from '../../support/cli.ts';
import { personEnvironment, runGit } from '../../support/git-repository.ts';
import { testUnless } from '../../support/needs.ts';
import { referenceLines, withoutReference } from '../../support/shared-texts.ts';
import { temporaryFolder } from '../../support/temp.ts';
import type { Fault } from './support.ts';

const LINES = referenceLines();

interface Sample {
  readonly line: number;
  readonly text: string;
}

const OPENS = /^[a-z_]+( +("[^"]*"|[\w-]+))* \{/;
const STANDS_ALONE = /^(import "[^"]*"|[a-z_]+( +("[^"]*"|[\w-]+))* \{.*\})$/;

/** Runs of blocks with nothing but empty lines between. */
function samplesOf(lines: readonly string[]): readonly Sample[] {
  const samples: { line: number; text: string }[] = [];
  let last = -1;
  for (let at = 0; at < lines.length; at++) {
    const line = lines[at] ?? '';
    if (!STANDS_ALONE.test(line) && !OPENS.test(line)) continue;
    const end = STANDS_ALONE.test(line) ? at : lines.indexOf('}', at);
    const text = lines.slice(at, end + 1).join('\n');
    const isNext = last >= 0 && lines.slice(last + 1, at).every((between) => between === '');
    const before = samples.at(-1);
    if (isNext && before !== undefined) before.text += `\n\n${text}`;
    else samples.push({ line: at + 1, text });
    last = end;
    at = end;
  }
  // Samples of the language of policies look alike: its blocks hold no attribute.
  return samples.filter(({ text }) => !text.startsWith('allow :='));
}

/** What a sample names and does not declare. */
function completion(text: string): string {
  const blocks = new Map<string, string>();
  const add = (kind: string, label: string, body = '') => {
    if (!new RegExp(`^${kind} ${label.replaceAll(/[.[\]]/g, '\\$&')} \\{`, 'm').test(text)) blocks.set(`${kind} ${label}`, `${kind} ${label} {${body}}\n`);
  };
  for (const [, kind = '', name = ''] of text.matchAll(/\b(shell|image|group|pipeline)\.([\w-]+)/g)) add(kind, `"${name}"`);
  for (const [, target = ''] of text.matchAll(/^quality "([\w-]+)"/gm)) add('shell', `"${target}"`);
  for (const [, kind = '', name = ''] of text.matchAll(/\binput\.([\w-]+)\.([\w-]+)/g)) add('input', `"${kind}" "${name}"`);
  for (const [, name = ''] of text.matchAll(/\bresource\.([\w-]+)/g)) add('resource', `"${name}"`);
  for (const [, name = ''] of text.matchAll(/\bvar\.([\w-]+)/g)) if (!new RegExp(`^var "?${name}"?`, 'm').test(text)) add('var', `"${name}"`);
  for (const [, name = ''] of text.matchAll(/\bparser *= "([\w-]+)"/g)) add('plugin', `"${name}"`, '\n  type = "quality"\n  command = ["true"]\n');
  for (const [, name = ''] of text.matchAll(/\bagent_template\.([\w-]+)/g)) {
    add('agent_template', `"${name}"`, '\n  provider = "completed"\n');
    add('provider', '"completed"', '\n  type = "opencode"\n');
  }
  return [...blocks.values()].join('');
}

/** A part of a target stands in one; a file without a project gets one. */
function wholeFile(text: string): string {
  const blocks = text.startsWith('retry {') ? `shell "around" {\n${text}\n}` : text;
  const project = /^project\b/m.test(blocks) ? '' : 'project "completed" {}\n';
  return `${project}${blocks}\n${completion(blocks)}`;
}

function commitAll({ folder }: BachProject): void {
  for (const argv of [['init'], ['add', '.'], ['commit', '-m', 'one']]) runGit(folder, argv);
}

async function errorsIn(text: string): Promise<readonly string[]> {
  const file = wholeFile(text);
  const project = bachProject(file);
  for (const [, path = ''] of file.matchAll(/^import "([^"]*)"/gm)) project.write(path, '');
  for (const [, path = ''] of file.matchAll(/\bpath += "(prompts\/[^"]*)"/g)) project.write(path, 'Do it.\n');
  const env = personEnvironment(project.folder);
  if (file.includes('git_')) commitAll(project);
  const { stdout } = await project.bach(['validate', '--json'], { env });
  const { diagnostics } = JSON.parse(stdout) as { diagnostics: readonly Fault[] };
  return diagnostics.filter(({ severity }) => severity === 'error').map(({ message, range }) => `${range.start.line}: ${message}\n${file}`);
}

describe('Bachfiles that the reference prints', () => {
  const samples = samplesOf(LINES);

  testUnless(withoutReference, 'are found, skipped where the reference is absent', () => {
    expect(samples.length).toBeGreaterThan(35);
    const joined = samples.map(({ text }) => text).join('\n');
    for (const kind of ['project', 'var', 'env', 'profile', 'input', 'resource', 'prompt', 'plugin', 'alias', 'shell', 'image', 'group', 'pipeline', 'agent', 'provider', 'agent_template', 'policy', 'quality', 'factory', 'import']) {
      expect(joined).toMatch(new RegExp(`^${kind} `, 'm'));
    }
  });

  test.each(samples.map(({ line, text }) => [line, text] as const))('the one on line %s loads', async (_, text) => {
    expect(await errorsIn(text)).toEqual([]);
  });
});

const LATER = ['backend', 'factory', 'plan', 'quality', 'report'];

/** Command lines stand alone; sentences that begin with the word end with a sign. */
const COMMAND_LINES = [...new Set(LINES.filter((line) => /^bach [^:]*[^.:\\]$/.test(line) && !LATER.includes(line.split(' ')[1] ?? '')))];

const RUN_ID = '20260608T120000.000000000Z';

const VALUES: Readonly<Record<string, string>> = {
  '<target>': 'shell/test',
  '[target ...]': 'shell/render',
  '[path ...]': 'docs/reference.md',
  '<path>': 'docs/reference.md',
  '[topic]': 'project',
};

/** As a reader types them. */
function argvOf(line: string, runId: string): readonly string[] {
  const filled = Object.entries(VALUES).reduce((text, [printed, value]) => text.replace(printed, value), line);
  return filled.replace(/<run-id>|\[run-id\]/, runId).replace(RUN_ID, runId).replaceAll(/[[\]]/g, '').split(' ').slice(1);
}

const FILE = `
var "release_version" { default = "" }
profile "staging" {
  env { A = "a" }
}
profile "staging-kristiyan" {}
shell "test" { shell = "echo error" }
shell "test-api" { inputs = ["packages/api/src"] }
shell "render" { shell = "true" }
shell "github-release" { command = ["echo", var.release_version] }
shell "docs" {
  shell   = "true"
  inputs  = ["internal"]
  outputs = ["docs/reference.md"]
}
group "gate" { targets = [shell.test] }
policy "merge" {
  subject          = "agent.checkout_refactor"
  required_targets = [group.gate]
}
`;

async function outcomeOf(line: string, { project, runId }: { readonly project: BachProject; readonly runId: string }) {
  const argv = argvOf(line, runId);
  const env = personEnvironment(project.folder);
  const { exit, stdout, stderr } = argv[0] === 'init' ? await runCli(bach, [...argv, '--dry-run'], { cwd: temporaryFolder(), env }) : await project.bach(argv, { env });
  // A policy node is understood, and refused by this release.
  return argv[0] === 'run' && line.includes('policy.') ? { line, exit: exit - 1, stderr: stdout } : { line, exit, stderr };
}

describe('command lines that the reference prints', () => {
  testUnless(withoutReference, 'are found, skipped where the reference is absent', () => {
    const joined = COMMAND_LINES.join('\n');
    for (const verb of ['list', 'run', 'affected', 'init', 'provenance', 'artifacts', 'explain', 'graph', 'validate', 'reference', 'runs list', 'runs inspect', 'logs']) {
      expect(joined).toMatch(new RegExp(`^bach (--\\S+ \\S+ )*${verb}\\b`, 'm'));
    }
  });

  testUnless(withoutReference, 'each is understood and does its work', async () => {
    const project = bachProject(FILE);
    commitAll(project);
    const runId = runIdIn((await project.bach(['run', 'shell/test'])).stdout);
    for (const line of COMMAND_LINES) expect(await outcomeOf(line, { project, runId })).toEqual({ line, exit: 0, stderr: '' });
  });
});
