import { existsSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { bachProject } from '../../support/bach-project.ts';

describe('bach validate', () => {
  test('counts what a valid file has, and writes nothing', async () => {
    const project = bachProject('shell "test" {\n  command = ["true"]\n}\n');
    const { exit, stdout, stderr } = await project.bach(['validate']);
    expect({ exit, stdout, stderr }).toEqual({
      exit: 0,
      stdout: 'Bachfile valid: 1 targets, 0 aliases, 0 inputs, 0 profiles\n',
      stderr: '',
    });
    expect(existsSync(project.at('.bach'))).toBe(false);
  });

  test('prints the document of the reference for a valid file', async () => {
    const { exit, stdout } = await bachProject('shell "test" {}').bach(['validate', '--json']);
    expect(exit).toBe(0);
    expect(JSON.parse(stdout)).toEqual({
      valid: true,
      files: ['Bachfile'],
      summary: { targets: 1, aliases: 0, inputs: 0, profiles: 0 },
      diagnostics: [],
    });
  });

  test('prints the document of the reference for the obsolete form of a reference', async () => {
    const project = bachProject('project "x" {\n  default = "shell/test"\n}\nshell "test" {}\n');
    const { exit, stdout, stderr } = await project.bach(['--json', 'validate']);
    expect({ exit, stderr }).toEqual({ exit: 1, stderr: 'Bachfile validation failed\n' });
    expect(JSON.parse(stdout)).toEqual({
      valid: false,
      files: ['Bachfile'],
      summary: { targets: 0, aliases: 0, inputs: 0, profiles: 0 },
      diagnostics: [
        {
          severity: 'error',
          file: 'Bachfile',
          range: { start: { line: 2, column: 13 }, end: { line: 2, column: 25 } },
          message: 'obsolete target reference "shell/test": use type.name, for example shell.test',
          code: 'obsolete-target-reference',
        },
      ],
    });
  });

  test('the human form is what problem matchers read', async () => {
    const project = bachProject('project "x" {\n  default = "shell/test"\n}\n');
    const { exit, stdout, stderr } = await project.bach(['validate']);
    expect({ exit, stderr }).toEqual({ exit: 1, stderr: 'Bachfile validation failed\n' });
    expect(stdout).toBe(
      'Bachfile:2:13: obsolete target reference "shell/test": use type.name, for example shell.test\n',
    );
  });

  test('several faults are told at once, each at its place', async () => {
    const project = bachProject('shell "a" {\n  comand = ["x"]\n  timeout = "later"\n  depends_on = [shell.gone]\n}\n');
    const { stdout } = await project.bach(['validate']);
    expect(stdout.split('\n').map((line) => line.split(':').slice(0, 3).join(':'))).toEqual([
      'Bachfile:3:3',
      'Bachfile:4:13',
      'Bachfile:5:17',
      '',
    ]);
    expect(stdout).toContain('did you mean "command"?');
  });

  test('a composite cycle is refused when the file is loaded', async () => {
    const project = bachProject('group "a" {\n  targets = [pipeline.b]\n}\npipeline "b" {\n  steps = [group.a]\n}\n');
    const { exit, stdout } = await project.bach(['validate']);
    expect(exit).toBe(1);
    expect(stdout).toBe('Bachfile:2:1: composite target cycle includes "group/a"\n');
  });

  test('a circle of dependencies is a warning, once, and the file stays valid', async () => {
    const project = bachProject('shell "a" { depends_on = [shell.b] }\nshell "b" { depends_on = [shell.a] }\nshell "ok" {}\n');
    const { exit, stdout } = await project.bach(['validate']);
    expect(exit).toBe(0);
    expect(stdout.split('\n')).toEqual([
      'Bachfile:2:1: dependency cycle includes "shell/a": shell/a -> shell/b -> shell/a',
      'Bachfile valid: 3 targets, 0 aliases, 0 inputs, 0 profiles',
      '',
    ]);
    const document = JSON.parse((await project.bach(['validate', '--json'])).stdout) as { valid: boolean; diagnostics: { severity: string }[] };
    expect({ valid: document.valid, severities: document.diagnostics.map(({ severity }) => severity) }).toEqual({
      valid: true,
      severities: ['warning'],
    });
  });

  // A plan for each of them took a minute.
  test('a circle of 5,000 targets is told once, by its beginning', async () => {
    const size = 5000;
    const lines = Array.from({ length: size }, (_, at) => `shell "t${at}" { depends_on = [shell.t${(at + 1) % size}] }`);
    const { exit, stdout } = await bachProject(`${lines.join('\n')}\n`).bach(['validate']);
    expect(exit).toBe(0);
    const shown = Array.from({ length: 20 }, (_, at) => `shell/t${at}`).join(' -> ');
    expect(stdout.split('\n')).toEqual([
      `Bachfile:2:1: dependency cycle includes "shell/t0": ${shown} -> (4980 others) -> shell/t0`,
      'Bachfile valid: 5000 targets, 0 aliases, 0 inputs, 0 profiles',
      '',
    ]);
  });

  test('a file of another name is named in every message', async () => {
    const project = bachProject('');
    project.write('ci/other.bach', 'shell "a" {\n');
    const { exit, stdout } = await project.bach(['-f', 'ci/other.bach', 'validate']);
    expect(exit).toBe(1);
    expect(stdout).toMatch(/^ci\/other\.bach:1:\d+: parse ci\/other\.bach: /);
  });

  test.each([
    ['a missing file', 'gone', /^gone: no such file\nrun bach in the folder of a Bachfile/],
    ['a folder', '.', /cannot read .*: it is a directory\n/],
  ])('%s is an error of one line and a remedy', async (_, file, message) => {
    const { exit, stdout, stderr } = await bachProject('').bach(['validate', '--json', '-f', file]);
    expect({ exit, stdout }).toEqual({ exit: 1, stdout: '' });
    expect(stderr).toMatch(message);
  });
});

describe('bach validate looks at the files', () => {
  const INPUTS = `
input "file" "all" { srcs = ["src/**/*.ts", "lib/*.go"] }
shell "a" { inputs = [input.file.all, "gone.txt", "docs/*.md"] }
shell "b" { inputs = ["lib/*.go", "src/*/deep"] }
`;

  test('a pattern that matches nothing is a warning, once, at the target that it is an input of; a plain path is none', async () => {
    const project = bachProject(INPUTS);
    project.write('src/x/deep/a.ts', '');
    const { exit, stdout, stderr } = await project.bach(['validate']);
    expect({ exit, stderr }).toEqual({ exit: 0, stderr: '' });
    expect(stdout.split('\n')).toEqual([
      'Bachfile:4:1: target "shell/a" input "lib/*.go" matches no file',
      'Bachfile:4:1: target "shell/a" input "docs/*.md" matches no file',
      'Bachfile valid: 2 targets, 0 aliases, 1 inputs, 0 profiles',
      '',
    ]);
    const { valid, diagnostics } = JSON.parse((await project.bach(['validate', '--json'])).stdout) as { valid: boolean; diagnostics: readonly { severity: string }[] };
    expect([valid, ...diagnostics.map(({ severity }) => severity)]).toEqual([true, 'warning', 'warning']);
    project.write('docs/x.md', '');
    project.write('lib/x.go', '');
    expect((await project.bach(['validate'])).stdout).toBe('Bachfile valid: 2 targets, 0 aliases, 1 inputs, 0 profiles\n');
  });

  test.each([
    ['src/[ab', 'target "shell/x" inputs: "src/[ab" is a malformed pattern: it has a [ that is not closed'],
    ['/elsewhere/*.ts', 'target "shell/x" input "/elsewhere/*.ts" must stay under the project root '],
    ['/elsewhere', 'target "shell/x" input "/elsewhere" must stay under the project root '],
  ])('%s could never be resolved: an error', async (entry, message) => {
    const { exit, stdout, stderr } = await bachProject(`shell "x" { inputs = ["${entry}"] }\n`).bach(['validate', '--json']);
    expect({ exit, stderr }).toEqual({ exit: 1, stderr: 'Bachfile validation failed\n' });
    const { valid, summary, diagnostics } = JSON.parse(stdout) as { valid: boolean; summary: { targets: number }; diagnostics: readonly { message: string; severity: string }[] };
    expect([valid, summary.targets, diagnostics.length, diagnostics[0]?.severity]).toEqual([false, 0, 1, 'error']);
    expect(diagnostics[0]?.message).toContain(message);
  });

  test('an absolute pattern in the root is one like others', async () => {
    const folder = bachProject('').folder;
    const project = bachProject('');
    project.write('Bachfile', `project "x" { root = "${folder}" }\nshell "x" { inputs = ["${folder}/Bach*", "${folder}/none*"] }\n`);
    expect((await project.bach(['validate'])).stdout).toBe(
      `Bachfile:2:1: target "shell/x" input "${folder}/none*" matches no file\nBachfile valid: 1 targets, 0 aliases, 0 inputs, 0 profiles\n`,
    );
  });

  test('an absolute path to state is an error, and one that has a state folder above the root is none', async () => {
    const outer = bachProject('');
    for (const folder of ['.bach/agents/x/src', '.git']) outer.write(`${folder}/a`, '');
    const root = outer.at('.bach/agents/x');
    outer.write('.bach/agents/x/Bachfile', `project "x" {}\nshell "x" { inputs = ["${root}/src", "${root}/.git"] }\n`);
    expect((await outer.bach(['validate', '-f', '.bach/agents/x/Bachfile'])).stdout).toBe(
      `.bach/agents/x/Bachfile:2:1: target "shell/x" input "${root}/.git" names state, which is never an input\n`,
    );
  });

  test('a prompt has to be a file of the project', async () => {
    const project = bachProject('prompt "p" { path = "prompts/p.md" }\n');
    expect((await project.bach(['validate'])).stdout).toBe('Bachfile:2:21: prompt "p" path "prompts/p.md" must be a regular file\n');
    project.write('prompts/p.md', 'Do it.\n');
    expect((await project.bach(['validate'])).exit).toBe(0);
  });

  test('file_hash reads files', async () => {
    const project = bachProject('var "v" { default = file_hash("a.txt") }\nshell "x" { description = var.v }\n');
    project.write('a.txt', 'a');
    expect(await project.bach(['validate'])).toEqual({ exit: 0, stdout: 'Bachfile valid: 1 targets, 0 aliases, 0 inputs, 0 profiles\n', stderr: '' });
  });
});
