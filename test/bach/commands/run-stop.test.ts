import { chmodSync, existsSync, readdirSync, readFileSync, truncateSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { bachProject, type BachProject } from '../../support/bach-project.ts';
import { FakeSignals } from '../../support/cli.ts';
import { rowsOf } from '../../conformance/bach/support.ts';

/** Sends SIGINT as soon as the target says that it has come so far. */
async function stopped(project: BachProject, isSoFar: () => boolean) {
  const signals = new FakeSignals();
  const run = project.bach(['run', 'shell/x'], { signals });
  while (!isSoFar()) await new Promise((resolve) => setTimeout(resolve, 20));
  signals.send('SIGINT');
  return run;
}

/** A shell makes the file of `>>` before the command that writes to it. */
function hasText(project: BachProject, path: string): boolean {
  return existsSync(project.at(path)) && project.read(path) !== '';
}

describe('a stop', () => {
  test('cuts the wait before another attempt', async () => {
    const project = bachProject('shell "x" {\n  shell = "echo x >> tries; exit 1"\n  retry {\n    attempts = 5\n    backoff = "1h"\n  }\n}\n');
    const { exit, stderr } = await stopped(project, () => hasText(project, 'tries'));
    expect({ exit, stderr: stderr.split('\n')[0] }).toEqual({ exit: 130, stderr: 'stopped by SIGINT' });
    expect(project.read('tries')).toBe('x\n');
    expect(rowsOf(project, 'SELECT status, message FROM target_runs')).toEqual([{ status: 'failed', message: 'stopped by SIGINT' }]);
  });

  test('cuts the command of a contract, and no attempt follows', async () => {
    const check = 'success_when {\n    command = ["sh", "-c", "touch checking; exec sleep 600"]\n  }';
    const project = bachProject(`shell "x" {\n  shell = "echo x >> tries"\n  retry {\n    attempts = 3\n  }\n  ${check}\n}\n`);
    const { exit, stdout } = await stopped(project, () => existsSync(project.at('checking')));
    expect(exit).toBe(130);
    expect(stdout).not.toContain('retrying');
    expect(project.read('tries')).toBe('x\n');
    expect(rowsOf(project, 'SELECT status, message FROM target_runs')).toEqual([{ status: 'failed', message: 'stopped by SIGINT' }]);
  });

  test('cuts a preflight that hangs, and nothing starts', async () => {
    const preflight = '{ name = "p", command = ["sh", "-c", "echo $$ > probe; exec sleep 600"] }';
    const project = bachProject(`shell "x" {\n  shell = "touch ran"\n  preflights = [${preflight}]\n}\n`);
    const { exit } = await stopped(project, () => hasText(project, 'probe'));
    expect(exit).toBe(130);
    expect(existsSync(project.at('ran'))).toBe(false);
    expect(rowsOf(project, 'SELECT status, message FROM runs')).toEqual([{ status: 'failed', message: 'stopped by SIGINT' }]);
    expect(rowsOf(project, 'SELECT * FROM target_runs')).toEqual([]);
    const pid = Number(project.read('probe'));
    expect(pid).toBeGreaterThan(1);
    expect(!existsSync(`/proc/${pid}`) || / Z /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'))).toBe(true);
  });

  test('between the commands of an image starts none of the others', async () => {
    const project = bachProject('image "y" {\n  builder = "./b"\n  push = true\n}\nshell "x" {\n  depends_on = [image.y]\n}\n');
    project.write('b', '#!/bin/sh\necho "$1" >> calls\n[ "$1" = push ] || exec sleep 600\n');
    chmodSync(project.at('b'), 0o755);
    expect((await stopped(project, () => hasText(project, 'calls'))).exit).toBe(130);
    expect(project.read('calls')).toBe('build\n');
  });
});

describe('a stop while files are looked at', () => {
  const GIGABYTES = 3 * 2 ** 30;
  const later = (milliseconds: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, milliseconds));

  test.each([[['-d']], [['-d', '--json']], [[]]])('is a stop, and no defect: %s', async (flags) => {
    const project = bachProject('shell "x" {\n  inputs = ["big"]\n  command = ["true"]\n}\n');
    project.write('big', '');
    truncateSync(project.at('big'), GIGABYTES);
    const signals = new FakeSignals();
    const running = project.bach(['run', ...flags, 'shell/x'], { signals });
    await later(300);
    signals.send('SIGINT');
    const { exit, stderr } = await running;
    expect({ exit, stderr }).toEqual({ exit: 130, stderr: 'stopped by SIGINT\n' });
  });

  test.each([[['-d']], [['-d', '--json']], [[]]])('by file_hash() of the Bachfile ends it: %s', async (flags) => {
    const project = bachProject('var "v" { default = file_hash("big") }\nshell "x" {\n  shell = "touch ran; : ${var.v}"\n}\n');
    project.write('big', '');
    // Without a stop it would be read for minutes.
    truncateSync(project.at('big'), 100 * GIGABYTES);
    const signals = new FakeSignals();
    const running = project.bach(['run', ...flags, 'shell/x'], { signals });
    await later(300);
    signals.send('SIGTERM');
    expect(await running).toEqual({ exit: 143, stdout: '', stderr: 'stopped by SIGTERM\n' });
    expect(readdirSync(project.folder).toSorted()).toEqual(['Bachfile', 'big']);
  });

  test('after the command: the second one cuts it, and says what became of the result', async () => {
    const project = bachProject('shell "x" {\n  inputs = ["in"]\n  outputs = ["big"]\n  shell = "truncate -s 3G big; touch made"\n}\n');
    const signals = new FakeSignals();
    const running = project.bach(['run', 'shell/x'], { signals });
    while (!existsSync(project.at('made'))) await later(20);
    await later(200);
    signals.send('SIGINT');
    signals.send('SIGINT');
    const { exit, stdout } = await running;
    expect(exit).toBe(130);
    expect(stdout).toContain('[shell/x] not cached: the run was stopped before its files were looked at\n');
    expect(rowsOf(project, 'SELECT status FROM runs')).toEqual([{ status: 'failed' }]);
  });
});

describe('what a quiet target hides', () => {
  const QUIET = [
    'shell "x" {\n  shell = "true"\n  inputs = ["Bachfile"]\n  quiet = true\n}\n',
    'shell "noop" { quiet = true }\n',
    'shell "all" {\n  depends_on = [shell.x]\n  quiet = true\n}\n',
    'group "g" {\n  targets = [shell.noop, shell.all]\n  quiet = true\n}\n',
    'pipeline "inner" { steps = [group.g] }\n',
    'pipeline "p" {\n  steps = [pipeline.inner, shell.x]\n  quiet = true\n}\n',
  ].join('');
  const LINES = ['[pipeline/p] pipeline: pipeline/inner -> shell/x', '[pipeline/inner] pipeline: group/g', '[shell/noop] noop', '[shell/all] aggregate', '[group/g] group: shell/noop, shell/all'];

  test.each([
    { what: 'without --verbose', flags: [], shown: [LINES[1]] },
    { what: 'with --verbose', flags: ['-v'], shown: LINES },
    { what: 'before a run', flags: ['-d'], shown: LINES },
  ])('the lines of what has no command: $what', async ({ flags, shown }) => {
    const project = bachProject(QUIET);
    for (const round of ['ran', 'cached', 'cached again']) {
      const { exit, stdout } = await project.bach(['run', ...flags, 'pipeline/p']);
      const lines = stdout.split('\n').filter((line) => line.startsWith('['));
      expect({ round, exit, lines }).toEqual({ round, exit: 0, lines: expect.arrayContaining(shown) as unknown });
      expect(lines).toHaveLength(shown.length);
    }
  });

  test('does not hide why the run failed', async () => {
    const project = bachProject('shell "x" {\n  shell = "echo reason; exit 4"\n  quiet = true\n}\n');
    const { exit, stdout, stderr } = await project.bach(['run', 'shell/x']);
    expect(exit).toBe(1);
    expect(stdout).toMatch(/^run [^]*failure excerpt \(shell\/x\):\n[^]*\nreason\nexit status 4\n$/);
    expect(stderr).toContain('target "shell/x" failed: exit status 4');
  });
});

test('much output is searched in little memory, and its last line is found', async () => {
  const project = bachProject('shell "x" {\n  command = ["sh", "x.sh"]\n  success_when {\n    output_contains = "the end of it"\n  }\n}\n');
  project.write('x.sh', "head -c 20000000 /dev/zero | tr '\\0' x; printf 'the end of it'\n");
  const before = process.memoryUsage().rss;
  expect((await project.bach(['run', '--log-only', 'shell/x'])).exit).toBe(0);
  expect(process.memoryUsage().rss - before).toBeLessThan(150 * 1024 * 1024);
});
