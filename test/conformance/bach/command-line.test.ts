import { existsSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { bach } from '../../../src/cli/bach-program.ts';
import { bachProject, runIdIn } from '../../support/bach-project.ts';
import { runCli } from '../../support/cli.ts';
import { temporaryFolder } from '../../support/temp.ts';

const FILE = 'var v {}\nshell "test" {\n  description = "v=${var.v}"\n  shell = "touch ran"\n}\n';

describe('bach itself', () => {
  test('[bach-help] alone', async () => {
    const { exit, stdout, stderr } = await runCli(bach, [], { cwd: temporaryFolder() });
    expect({ exit, stderr }).toEqual({ exit: 0, stderr: '' });
    for (const verb of ['run', 'validate', 'list', 'runs', 'logs']) expect(stdout).toMatch(new RegExp(`^ +${verb}\\b`, 'm'));
  });

  test('[bach-version] needs no project', async () => {
    expect(await runCli(bach, ['--version'], { cwd: temporaryFolder() })).toEqual({ exit: 0, stdout: 'bach dev\n', stderr: '' });
  });

  test('[bach-default-file, bach-global-flags-first] before the verb', async () => {
    const project = bachProject(FILE);
    project.write('other.bach', 'project "other" {}\nshell "other" {}\n');
    expect((await project.bach(['list'])).stdout).toContain('shell/test');
    expect((await project.bach(['-f', 'other.bach', 'list'])).stdout).toBe('shell/other\n');
    expect((await project.bach(['--file', 'other.bach', 'list'])).stdout).toBe('shell/other\n');
    expect((await project.bach(['--var', 'v=1', 'list'])).stdout).toContain('v=1');
    expect(JSON.parse((await project.bach(['--json', 'validate'])).stdout)).toMatchObject({ valid: true });
  });

  test.each([
    ['-j', '2', 'run', 'shell/test'],
    ['--env-file', '.env', 'run', 'shell/test'],
    ['--last', '2', 'logs', 'x'],
    ['--runs-limit', '2', 'runs', 'list'],
  ])('[bach-own-flags-after] %s %s %s', async (...argv) => {
    const project = bachProject(FILE);
    expect((await project.bach(argv)).exit).toBe(2);
    expect(existsSync(project.at('ran'))).toBe(false);
  });

  test('[bach-dotted-names] with a dot', async () => {
    const project = bachProject(FILE);
    const { stdout } = await project.bach(['run', 'shell.test']);
    const id = runIdIn(stdout);
    expect(stdout).toContain(' target=shell/test ');
    expect((await project.bach(['logs', id, '--target', 'shell.test'])).stdout).toContain('==> shell/test ');
    expect((await project.bach(['runs', 'list', '--target', 'shell.test'])).stdout).toContain(id);
  });
});

describe('errors and exit codes', () => {
  test('[bach-errors-to-stderr] the bare message', async () => {
    const { exit, stdout, stderr } = await bachProject(FILE).bach(['run', 'shell/zzzzzz']);
    expect({ exit, stdout }).toEqual({ exit: 1, stdout: '' });
    expect(stderr).toMatch(/^unknown target "shell\/zzzzzz"\n/);
    expect(stderr.endsWith('\n')).toBe(true);
  });

  test('[bach-exit-success, bach-exit-failure] 0 and 1', async () => {
    const project = bachProject(`${FILE}shell "bad" { shell = "exit 7" }\n`);
    expect((await project.bach(['run', 'shell/test'])).exit).toBe(0);
    expect((await project.bach(['run', 'shell/bad'])).exit).toBe(1);
    expect((await project.bach(['list', '-f', 'gone'])).exit).toBe(1);
    expect((await bachProject('shell {').bach(['list'])).exit).toBe(1);
  });

  test.each([
    [['logs']],
    [['logs', 'one', 'two']],
    [['list', 'shell/test']],
    [['validate', 'Bachfile']],
    [['run', '--no-such-flag', 'shell/test']],
    [['run', '-j', 'many', 'shell/test']],
    [['run', 'shell/test', '--env-file']],
    [['lisst']],
    [['runs', 'lisst']],
  ])('[bach-exit-usage] %j', async (argv) => {
    const project = bachProject(FILE);
    const { exit, stdout, stderr } = await project.bach(argv);
    expect({ exit, stdout }).toEqual({ exit: 2, stdout: '' });
    expect(stderr).not.toBe('');
    expect(existsSync(project.at('ran'))).toBe(false);
  });

  test.each(['frobnicate', 'shell/test', 'shell.test'])('[bach-unknown-command] %s', async (word) => {
    const project = bachProject(FILE);
    const { exit, stdout } = await project.bach([word]);
    expect({ exit, stdout }).toEqual({ exit: 2, stdout: '' });
    expect([existsSync(project.at('ran')), existsSync(project.at('.bach'))]).toEqual([false, false]);
  });

  test.each(['--list', '--run', '--validate'])('[bach-no-flag-commands] %s', async (flag) => {
    const { exit, stdout } = await bachProject(FILE).bach([flag]);
    expect({ exit, stdout }).toEqual({ exit: 2, stdout: '' });
  });
});

describe('list', () => {
  test('[bach-list] by name, descriptions after 24 columns', async () => {
    const long = 'x'.repeat(30);
    const project = bachProject(`shell "zz" {}\nshell "a" { description = "First" }\ngroup "z" { targets = [shell.a] }\nshell "${long}" { description = "Long" }\n`);
    expect((await project.bach(['list'])).stdout).toBe(`group/z\nshell/a                  First\nshell/${long} Long\nshell/zz\n`);
  });
});

describe('validate', () => {
  test('[bach-validate-valid, bach-validate-reads-only] counts, and nothing else', async () => {
    const project = bachProject('shell "test" { shell = "touch ran" }\n');
    const answer = { exit: 0, stdout: 'Bachfile valid: 1 targets, 0 aliases, 0 inputs, 0 profiles\n', stderr: '' };
    expect(await project.bach(['validate'])).toEqual(answer);
    expect([existsSync(project.at('ran')), existsSync(project.at('.bach'))]).toEqual([false, false]);
  });

  test('[bach-validate-invalid] a line for each fault', async () => {
    const project = bachProject('project "x" {\n  default = "shell/test"\n}\nshell "a" { cost = "tiny" }\n');
    const { exit, stdout, stderr } = await project.bach(['validate']);
    expect({ exit, stderr }).toEqual({ exit: 1, stderr: 'Bachfile validation failed\n' });
    expect(stdout.split('\n').slice(0, -1).toSorted()).toEqual([
      expect.stringMatching(/^Bachfile:2:13: obsolete target reference "shell\/test"/),
      expect.stringMatching(/^Bachfile:4:20: target "shell\/a" has invalid cost "tiny"/),
    ]);
  });

  test('[bach-validate-json] the document of a faulty file', async () => {
    const project = bachProject('project "x" {\n  default = "shell/test"\n}\n');
    const { exit, stdout } = await project.bach(['validate', '--json']);
    expect(exit).toBe(1);
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

  test('[bach-validate-no-diagnostics] the document of a valid file', async () => {
    const project = bachProject(FILE);
    const { exit, stdout } = await project.bach(['validate', '--json', '-f', './Bachfile']);
    expect(exit).toBe(0);
    expect(JSON.parse(stdout)).toEqual({
      valid: true,
      files: ['./Bachfile'],
      summary: { targets: 1, aliases: 0, inputs: 0, profiles: 0 },
      diagnostics: [],
    });
  });
});
