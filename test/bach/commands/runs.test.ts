import { existsSync, rmSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { bachProject, runIdIn } from '../../support/bach-project.ts';

const FILE = 'shell "ok" { shell = "echo fine; echo an Error here; echo done" }\nshell "bad" {\n  depends_on = [shell.ok]\n  shell = "seq 1 30; exit 2"\n}\n';

describe('bach runs list', () => {
  test('the form of a line', async () => {
    const project = bachProject(FILE);
    const id = runIdIn((await project.bach(['run', 'shell/ok'])).stdout);
    const { exit, stdout, stderr } = await project.bach(['runs', 'list']);
    expect({ exit, stderr }).toEqual({ exit: 0, stderr: '' });
    const time = '\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\dZ';
    const line = `^${id} success  run          shell/ok                 started=${time} finished=${time} logs=\\.bach/runs/${id}\n$`;
    expect(stdout).toMatch(new RegExp(line));
    expect(id).toMatch(/^\d{8}T\d{6}\.\d{9}Z$/);
  });

  test('a run that goes on is told as running, also with what it has already ended', async () => {
    const wait = 'touch here; while [ ! -e go ]; do sleep 0.02; done';
    const project = bachProject(`shell "first" { command = ["true"] }\nshell "x" {\n  depends_on = [shell.first]\n  shell = "${wait}"\n}\n`);
    const running = project.bach(['run', 'shell/x']);
    while (!existsSync(project.at('here'))) await new Promise((resolve) => setTimeout(resolve, 10));
    const statuses = async (): Promise<readonly string[]> => {
      const { stdout } = await project.bach(['runs', 'list', '--json']);
      return (JSON.parse(stdout) as { runs: { status: string }[] }).runs.map(({ status }) => status);
    };
    expect(await statuses()).toEqual(['running']);
    project.write('go', '');
    expect((await running).exit).toBe(0);
    expect(await statuses()).toEqual(['success']);
  });

  test('filters', async () => {
    const project = bachProject(FILE);
    const good = runIdIn((await project.bach(['run', 'shell/ok'])).stdout);
    const bad = runIdIn((await project.bach(['run', 'shell/bad'])).stdout);
    const ids = async (...argv: string[]) => {
      const { stdout } = await project.bach(['runs', 'list', '--json', ...argv]);
      return (JSON.parse(stdout) as { runs: { run_id: string }[] }).runs.map((run) => run.run_id);
    };
    expect(await ids()).toEqual([bad, good]);
    expect(await ids('--runs-limit', '1')).toEqual([bad]);
    expect(await ids('--status', 'success')).toEqual([good]);
    expect(await ids('--status', 'interrupted')).toEqual([]);
    expect(await ids('--target', 'shell.bad')).toEqual([bad]);
    expect(await ids('--since', '1h')).toEqual([bad, good]);
    expect(await ids('--since', '2999-01-01T00:00:00Z')).toEqual([]);
    expect(await ids('--artifact', 'shell__bad.log')).toEqual([bad]);
  });

  test.each(['runs list', 'runs inspect ID', 'runs prune', 'artifacts', 'logs ID'])('a project with a hash of its files: bach %s', async (line) => {
    const project = bachProject(`var "tag" { default = file_hash("src") }\n${FILE}`);
    project.write('src/a.txt', 'a');
    const id = runIdIn((await project.bach(['run', 'shell/ok'])).stdout);
    const { exit, stdout, stderr } = await project.bach(line.replace('ID', id).split(' '));
    expect({ exit, stderr }).toEqual({ exit: 0, stderr: '' });
    expect(stdout).not.toBe('');
  });

  test('nothing has run', async () => {
    const project = bachProject(FILE);
    expect(await project.bach(['runs', 'list'])).toEqual({ exit: 0, stdout: '', stderr: '' });
    expect(JSON.parse((await project.bach(['runs', 'list', '--json'])).stdout)).toEqual({ runs: [] });
  });

  test.each([
    ['--since', '-5h', 'invalid --since "-5h": use a duration like 24h or an RFC3339 time'],
    ['--since', 'yesterday', 'invalid --since "yesterday": use a duration like 24h or an RFC3339 time'],
    ['--status', 'green', 'invalid --status "green": want running, success, '],
  ])('%s %s is refused', async (flag, value, message) => {
    const { exit, stdout, stderr } = await bachProject(FILE).bach(['runs', 'list', '--json', flag, value]);
    expect({ exit, stdout }).toEqual({ exit: 2, stdout: '' });
    expect(stderr).toContain(message);
  });
});

describe('bach logs', () => {
  test('the last 20 lines of each target, by name', async () => {
    const project = bachProject(FILE);
    const id = runIdIn((await project.bach(['run', 'shell/bad'])).stdout);
    const { exit, stdout, stderr } = await project.bach(['logs', id]);
    expect({ exit, stderr }).toEqual({ exit: 0, stderr: '' });
    expect(stdout.split('\n')).toEqual([
      `==> shell/bad (failed) .bach/runs/${id}/shell__bad.log <==`,
      ...Array.from({ length: 19 }, (_, index) => `${index + 12}`),
      'exit status 2',
      `==> shell/ok (success) .bach/runs/${id}/shell__ok.log <==`,
      expect.stringContaining('target=shell/ok'),
      'sh -c echo fine; echo an Error here; echo done',
      'fine',
      'an Error here',
      'done',
      '',
    ]);
  });

  test('only what failed, only what looks like an error, only one target, only so many lines', async () => {
    const project = bachProject(FILE);
    const id = runIdIn((await project.bach(['run', 'shell/bad'])).stdout);
    const lines = async (...argv: string[]) => (await project.bach(['logs', id, ...argv])).stdout.split('\n').slice(0, -1);
    expect((await lines('--failed')).filter((line) => line.startsWith('==>')).length).toBe(1);
    expect(await lines('--errors')).toEqual([
      expect.stringMatching(/^==> shell\/ok /),
      'sh -c echo fine; echo an Error here; echo done',
      'an Error here',
    ]);
    expect(await lines('--target', 'shell.ok', '--last', '1')).toEqual([expect.stringMatching(/^==> shell\/ok /), 'done']);
    expect((await lines('--target', 'shell/bad', '--last', '0')).length).toBe(1 + 2 + 30 + 1);
  });

  test('a log that is gone has no section, and that is said', async () => {
    const project = bachProject(FILE);
    const id = runIdIn((await project.bach(['run', 'shell/ok'])).stdout);
    rmSync(project.at('.bach/runs', id), { recursive: true });
    const stderr = `the log of shell/ok is gone: .bach/runs/${id}/shell__ok.log\n`;
    expect(await project.bach(['logs', id])).toEqual({ exit: 0, stdout: '', stderr });
    expect(await project.bach(['logs', id, '--last', '0'])).toEqual({ exit: 0, stdout: '', stderr });
  });

  test.each([
    ['before anything ran', false],
    ['among others', true],
  ])('an unknown run, %s', async (_, hasRun) => {
    const project = bachProject(FILE);
    if (hasRun) await project.bach(['run', 'shell/ok']);
    const { exit, stdout, stderr } = await project.bach(['logs', '--json', 'gone']);
    expect({ exit, stdout }).toEqual({ exit: 1, stdout: '' });
    expect(stderr).toMatch(/^not found: run "gone"\n.+\n$/);
  });

  test('more lines than are held are refused', async () => {
    const { exit, stdout, stderr } = await bachProject(FILE).bach(['logs', 'x', '--last', '100001']);
    expect({ exit, stdout }).toEqual({ exit: 2, stdout: '' });
    expect(stderr).toBe('--last 100001: at most 100000 lines are held\ngive a smaller number, or --last 0 to print whole logs\n');
  });

  test('whole logs are no document', async () => {
    const { exit, stdout, stderr } = await bachProject(FILE).bach(['logs', 'x', '--json', '--last', '0']);
    expect({ exit, stdout }).toEqual({ exit: 2, stdout: '' });
    expect(stderr).toMatch(/^--json with --last 0 would hold whole logs in memory\n.+\n$/);
  });

  test('a target that the run does not have', async () => {
    const project = bachProject(FILE);
    const id = runIdIn((await project.bach(['run', 'shell/ok'])).stdout);
    const { exit, stdout, stderr } = await project.bach(['logs', id, '--target', 'shell/other']);
    expect({ exit, stdout }).toEqual({ exit: 1, stdout: '' });
    expect(stderr).toContain('has no target "shell/other"');
    expect(stderr).toContain('it ran shell/ok');
  });
});

test.each([['runs', 'list'], ['runs', 'inspect', 'ID'], ['runs', 'prune', '--dry-run'], ['artifacts'], ['logs', 'ID']])(
  '%s %s reads a project whose values are made of files and git, and whose plugins and prompts are broken by now',
  async (...words) => {
    const project = bachProject('env {\n  H = "${file_hash("Bachfile")}"\n}\nshell "a" {\n  command = ["true"]\n}\n');
    const id = runIdIn((await project.bach(['run', 'shell/a'])).stdout);
    project.write('Bachfile', `${project.read('Bachfile')}plugin "p" {\n  command = ["false"]\n}\nprompt "q" {\n  path = "gone.md"\n}\n`);
    const argv = words.map((word) => (word === 'ID' ? id : word));
    expect(await project.bach(argv)).toMatchObject({ exit: 0, stderr: '' });
  },
);
