import { existsSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { bach } from '../../../src/cli/bach-program.ts';
import { bachProject, runIdIn } from '../../support/bach-project.ts';
import { runCli } from '../../support/cli.ts';
import { temporaryFolder } from '../../support/temp.ts';
import { changeState, faultsOf, linesOf } from './support.ts';

const ONE = 'shell "test" { shell = "touch ran" }\n';

describe('without a project', () => {
  test.each([[['--version']], [['reference', 'shell-targets']], [['reference', 'quality-plugin-report-schema']]])('C01, C25 %j', async (argv) => {
    const { exit, stdout, stderr } = await runCli(bach, argv, { cwd: temporaryFolder() });
    expect({ exit, stderr }).toEqual({ exit: 0, stderr: '' });
    expect(stdout).not.toBe('');
  });

  test('C25 the schema of quality plugins is JSON', async () => {
    const { stdout } = await runCli(bach, ['reference', 'quality-plugin-report-schema'], { cwd: temporaryFolder() });
    const [, body = ''] = /```json\n([^]*)\n```/.exec(stdout) ?? [];
    expect(JSON.parse(body)).toHaveProperty('properties.metrics');
  });
});

describe('words that are no commands', () => {
  test.each([['frobnicate'], ['shell/test'], ['shell.test'], ['test'], ['--list'], ['--run', 'shell/test'], ['--validate']])('C02, C03 bach %s', async (...argv) => {
    const project = bachProject(ONE);
    const { exit, stdout, stderr } = await project.bach(argv);
    expect({ exit, stdout }).toEqual({ exit: 2, stdout: '' });
    expect(stderr).not.toBe('');
    expect([existsSync(project.at('ran')), existsSync(project.at('.bach'))]).toEqual([false, false]);
  });
});

describe('validate', () => {
  test('C04 one shell target', async () => {
    expect(await bachProject(ONE).bach(['validate'])).toEqual({ exit: 0, stdout: 'Bachfile valid: 1 targets, 0 aliases, 0 inputs, 0 profiles\n', stderr: '' });
  });

  test('C05 the obsolete form of the default', async () => {
    const text = 'project "p" {\n  default = "shell/test"\n}\nshell "test" {}\n';
    const human = await bachProject(text).bach(['validate']);
    expect(human).toEqual({
      exit: 1,
      stdout: 'Bachfile:2:13: obsolete target reference "shell/test": use type.name, for example shell.test\n',
      stderr: 'Bachfile validation failed\n',
    });
    const [fault] = await faultsOf(text);
    expect(fault).toMatchObject({ code: 'obsolete-target-reference', range: { start: { line: 2, column: 13 }, end: { line: 2, column: 25 } } });
    for (const verb of [['list'], ['run'], ['graph'], ['explain', 'shell/test']]) {
      const { exit, stderr } = await bachProject(text).bach(verb);
      expect({ verb, exit }).toEqual({ verb, exit: 1 });
      expect(stderr).toContain('obsolete target reference "shell/test"');
    }
  });

  test('C26 a circle of depends_on is valid with a warning, and no run', async () => {
    const project = bachProject('shell "a" { depends_on = [shell.b] }\nshell "b" { depends_on = [shell.a] }\nshell "c" { shell = "true" }\n');
    expect((await project.bach(['validate'])).stdout).toMatch(/^Bachfile:2:1: dependency cycle includes "shell\/a": shell\/a -> shell\/b -> shell\/a\nBachfile valid: 3 targets/);
    const { exit, stderr } = await project.bach(['run', 'shell/a']);
    expect({ exit, stderr }).toMatchObject({ exit: 1, stderr: expect.stringMatching(/^dependency cycle includes "shell\/a"\n/) });
    expect((await project.bach(['run', 'shell/c'])).exit).toBe(0);
    expect((await project.bach(['graph'])).exit).toBe(0);
  });

  test.each(['graph', 'list', 'validate', 'run group/a'])('C26 a circle of groups: bach %s', async (line) => {
    const { exit, stdout, stderr } = await bachProject('group "a" { targets = [group.b] }\ngroup "b" { targets = [group.a] }\n').bach(line.split(' '));
    expect(exit).toBe(1);
    expect(stdout + stderr).toContain('Bachfile:2:1: composite target cycle includes "group/a"');
  });

  test('C26 a circle that a resource closes', async () => {
    const text = 'resource "r" {}\ngroup "g" {\n  targets  = [shell.a]\n  produces = [resource.r]\n}\nshell "a" { inputs = [resource.r] }\n';
    expect((await faultsOf(text)).map(({ message }) => message)).toEqual(['composite target cycle includes "group/g"']);
  });
});

describe('looking', () => {
  test('C06 explain an alias', async () => {
    const { stdout } = await bachProject('shell "build" {}\nalias "old-build" {\n  target     = shell.build\n  deprecated = "Use shell.build."\n}\n').bach(['explain', 'old-build']);
    expect(stdout.split('\n').slice(0, 4)).toEqual(['Alias: old-build', 'Canonical target: shell/build', 'Deprecated: Use shell.build.', 'Target: shell/build']);
  });

  test('C07 list -v shows what a step risks', async () => {
    const { stdout } = await bachProject('shell "s" {\n  remote = true\n  requires_confirmation = true\n}\npipeline "p" { steps = [shell.s] }\n').bach(['list', '-v']);
    expect(stdout.split('\n').find((row) => row.startsWith('pipeline/p'))).toMatch(/ remote,requires_confirmation$/);
  });

  test('C08 affected names the declared input', async () => {
    const project = bachProject('shell "build" { inputs = ["src/app.txt"] }\nshell "other" { inputs = ["lib"] }\n');
    expect(await project.bach(['affected', 'src/app.txt'])).toEqual({ exit: 0, stdout: 'shell/build 1 src/app.txt\n', stderr: '' });
    expect(await project.bach(['affected', './src/../src/app.txt'])).toMatchObject({ stdout: 'shell/build 1 src/app.txt\n' });
  });

  test('C09 affected by the whole project and by what a plugin names', async () => {
    const project = bachProject('plugin "p" {\n  command = ["echo", "{\\"inputs\\": {\\"all\\": [\\"lib/a.ts\\"]}}"]\n  sources = { all = [] }\n}\nshell "all" { inputs = ["."] }\nshell "some" { inputs = [plugin.p.all] }\n');
    expect((await project.bach(['affected', 'lib/a.ts'])).stdout).toBe('shell/all 1 .\nshell/some 1 lib/a.ts\n');
    expect((await project.bach(['affected', 'any/thing'])).stdout).toBe('shell/all 1 .\n');
  });

  test('C10 provenance of what a target makes', async () => {
    const { stdout } = await bachProject('shell "build" {\n  shell = "make"\n  outputs = ["dist/app.txt"]\n}\nshell "pack" {\n  shell = "pack"\n  inputs = ["dist"]\n}\n').bach(['provenance', 'dist/app.txt']);
    expect(stdout).toBe(
      'dist/app.txt\ngenerated: true\nsource: false\ngenerated_by:\n  - shell/build\n    operation: sh -c make\n    regenerate: bach run shell/build\nconsumed_by:\n  - shell/pack\n    operation: sh -c pack\nstatus: unknown\n',
    );
  });

  test('C11 provenance of what nobody declares', async () => {
    const { exit, stdout } = await bachProject(ONE).bach(['provenance', 'README.md']);
    expect(exit).toBe(0);
    expect(stdout).toContain('generated: false\n');
    expect(stdout).toContain('note: no declared producers or consumers\n');
  });

  test('C12 provenance of a path outside the project', async () => {
    const project = bachProject('shell "all" { inputs = ["."] }\n');
    expect((await project.bach(['provenance', '/etc/hostname'])).stdout).toContain('consumed_by: []\n');
    expect((await project.bach(['provenance', project.at('a.txt')])).stdout).toContain('  - shell/all\n');
  });
});

describe('run and its records', () => {
  test('C13 --json without --dry-run', async () => {
    const project = bachProject(ONE);
    const { exit, stdout, stderr } = await project.bach(['run', '--json', 'shell/test']);
    expect({ exit, stdout }).toEqual({ exit: 2, stdout: '' });
    expect(stderr).toContain('--json is only supported with --dry-run');
    expect(existsSync(project.at('ran'))).toBe(false);
  });

  test('C14 the plan of two targets', async () => {
    const { stdout } = await bachProject('shell "a" { shell = "true" }\nshell "b" { shell = "true" }\n').bach(['run', '--dry-run', '--json', 'shell/a', 'shell.b']);
    expect(JSON.parse(stdout)).toMatchObject({ target: 'shell/a shell/b', requested_targets: ['shell/a', 'shell/b'] });
  });

  test('C15 a dry run by an alias', async () => {
    const project = bachProject(`${ONE}alias "old" { target = shell.test }\n`);
    const { stdout, stderr } = await project.bach(['run', '-d', 'old']);
    expect(linesOf(stdout)).toContain('[shell/test] sh -c touch ran');
    expect(stderr).toBe('alias "old" resolves to "shell/test". Use shell/test.\n');
    expect([existsSync(project.at('ran')), existsSync(project.at('.bach'))]).toEqual([false, false]);
  });

  test('C16 --since as an age, as a moment, as neither', async () => {
    const project = bachProject(ONE);
    const id = runIdIn((await project.bach(['run', 'shell/test'])).stdout);
    const listed = async (since: string) => (await project.bach(['runs', 'list', '--since', since])).stdout;
    expect(await listed('24h')).toContain(id);
    expect(await listed('2000-01-01T00:00:00Z')).toContain(id);
    changeState(project, `UPDATE runs SET started_at = '2020-01-01T00:00:00.000000000Z'`);
    expect(await listed('24h')).toBe('');
    const { exit, stderr } = await project.bach(['runs', 'list', '--since', 'yesterday']);
    expect({ exit, stderr }).toMatchObject({ exit: 2, stderr: expect.stringContaining('invalid --since "yesterday": use a duration like 24h or an RFC3339 time') });
  });
});

describe('init', () => {
  test('C22 a Bachfile, or an AGENTS.md, that is there', async () => {
    for (const name of ['Bachfile', 'AGENTS.md']) {
      const cwd = temporaryFolder();
      writeFileSync(join(cwd, name), 'mine');
      expect(await runCli(bach, ['init'], { cwd })).toMatchObject({ exit: 1, stdout: '', stderr: expect.stringContaining(`refusing to overwrite existing file ${cwd}/${name}`) });
      expect(readdirSync(cwd)).toEqual([name]);
    }
  });

  test('C22 a link to nothing is a file that is there', async () => {
    const cwd = temporaryFolder();
    symlinkSync('gone', join(cwd, 'AGENTS.md'));
    expect((await runCli(bach, ['init'], { cwd })).exit).toBe(1);
    expect(readdirSync(cwd)).toEqual(['AGENTS.md']);
  });

  test('C23 a word, and a program that is unknown', async () => {
    const cwd = temporaryFolder();
    expect((await runCli(bach, ['init', 'word'], { cwd })).stderr).toMatch(/^init does not accept positional arguments\n/);
    expect((await runCli(bach, ['init', '-p', 'foo'], { cwd })).stderr).toMatch(/^unsupported: init provider "foo"\n/);
    expect(readdirSync(cwd)).toEqual([]);
  });

  test('C24 a program that stages nothing', async () => {
    const tools = temporaryFolder();
    writeFileSync(join(tools, 'opencode'), '#!/bin/sh\nexit 0\n', { mode: 0o755 });
    const cwd = join(temporaryFolder(), 'project');
    mkdirSync(cwd);
    const env = { PATH: `${tools}:${process.env['PATH'] ?? ''}`, HOME: tools };
    const { exit, stderr } = await runCli(bach, ['init', '-p', 'opencode'], { cwd, env });
    expect({ exit, stderr }).toMatchObject({ exit: 1, stderr: expect.stringMatching(/^missing input: /) });
    expect(readdirSync(cwd)).toEqual(['.bach']);
  });
});
