import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { bachProject, runIdIn, type BachProject } from '../../support/bach-project.ts';
import { FakeSignals } from '../../support/cli.ts';
import { MemorySink } from '../../support/memory-sink.ts';

/** Takes what is written, and lets whoever waits for it wait for a while each time. */
class SlowSink extends MemorySink {
  waits = 0;

  override async drained(): Promise<void> {
    this.waits += 1;
    await new Promise((resolve) => setTimeout(resolve, 40));
  }
}

/** A zombie is gone: it only waits for its parent. */
function isGone(pidText: string): boolean {
  const pid = Number(pidText);
  expect(pid).toBeGreaterThan(1);
  return !existsSync(`/proc/${pid}`) || / Z /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
}

/** Lines without their time, so that they can be compared. */
function linesOf(stdout: string): readonly string[] {
  return stdout.split('\n').map((line) => line.replace(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ /, ''));
}

async function statuses(project: BachProject, id: string): Promise<Readonly<Record<string, string>>> {
  const { stdout } = await project.bach(['logs', id, '--json']);
  const { targets } = JSON.parse(stdout) as { targets: { target: string; status: string }[] };
  return Object.fromEntries(targets.map(({ target, status }) => [target, status]));
}

async function newestRun(project: BachProject): Promise<{ run_id: string; status: string; message?: string }> {
  const { stdout } = await project.bach(['runs', 'list', '--json', '--runs-limit', '1']);
  return (JSON.parse(stdout) as { runs: [{ run_id: string; status: string }] }).runs[0];
}

describe('a run that succeeds', () => {
  test('prints what runs, what it prints, and the two lines of the summary', async () => {
    const project = bachProject('shell "hi" {\n  shell = "echo one; echo two >&2; printf three"\n}\n');
    const { exit, stdout, stderr } = await project.bach(['run', 'shell/hi']);
    expect({ exit, stderr }).toEqual({ exit: 0, stderr: '' });
    const id = runIdIn(stdout);
    expect(linesOf(stdout)).toEqual([
      '[shell/hi] sh -c echo one; echo two >&2; printf three',
      '[shell/hi] one',
      '[shell/hi] two',
      '[shell/hi] three',
      expect.stringMatching(new RegExp(`^run ${id} success target=shell/hi duration=\\d+(\\.\\d+)?m?s logs=.bach/runs/${id}$`)),
      'targets: success=1 cached=0 failed=0 preflight-failed=0 quality-failed=0 dry-run=0 running=0',
      '',
    ]);
    expect(stdout.split('\n')[0]).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ \[shell\/hi\] sh -c /);
  });

  test('leaves a private log, a run directory, rows, and no lock', async () => {
    const project = bachProject('shell "hi" {\n  shell = "echo hello > $RUN_DIRECTORY/out.txt"\n}\n');
    const id = runIdIn((await project.bach(['run', 'shell.hi'])).stdout);
    const folder = project.at('.bach/runs', id);
    expect(readdirSync(folder).toSorted()).toEqual(['shell__hi', 'shell__hi.log']);
    expect(readdirSync(join(folder, 'shell__hi'))).toEqual(['out.txt']);
    expect(statSync(join(folder, 'shell__hi.log')).mode & 0o777).toBe(0o600);
    expect(statSync(project.at('.bach')).mode & 0o777).toBe(0o700);
    expect(statSync(project.at('.bach/state.db')).mode & 0o777).toBe(0o600);
    expect(project.read(`.bach/runs/${id}/shell__hi.log`)).toMatch(
      new RegExp(`^\\[\\S+Z\\] run=${id} target=shell/hi\nsh -c echo hello > ${folder}/shell__hi/out.txt\n$`),
    );
    expect(await newestRun(project)).toMatchObject({ run_id: id, status: 'success' });
    const found = await project.bach(['runs', 'list', '--artifact', 'shell__hi/out.txt']);
    expect(found.stdout).toContain(id);
  });

  test('declared outputs are recorded, and one that is missing is said', async () => {
    const project = bachProject('shell "x" {\n  shell = "echo > made.txt"\n  outputs = ["made.txt", "gone.txt"]\n}\n');
    const { exit, stdout } = await project.bach(['run', 'shell/x']);
    expect(exit).toBe(0);
    expect(linesOf(stdout)).toContain('[shell/x] missing output gone.txt');
    expect((await project.bach(['runs', 'list', '--artifact', 'made.txt'])).stdout).toContain(runIdIn(stdout));
    expect((await project.bach(['runs', 'list', '--artifact', 'gone.txt'])).stdout).toBe('');
  });

  test('the environment comes in layers, and the run directory stands above them', async () => {
    const project = bachProject(
      'env { C = "project" }\nshell "x" {\n  env {\n    D = "target"\n    RUN_DIRECTORY = "mine"\n  }\n  command = ["echo", "$A$B$C$D", "$RUN_DIRECTORY"]\n}\n',
    );
    project.write('.env', 'A=.env\nB=.env\nC=.env\n');
    project.write('more.env', 'B=more\n');
    const env = { PATH: process.env['PATH'] ?? '', A: 'parent' };
    const { stdout } = await project.bach(['run', 'shell/x', '--env-file', 'more.env'], { env });
    const directory = project.at('.bach/runs', runIdIn(stdout), 'shell__x');
    expect(linesOf(stdout)).toContain(`[shell/x] .envmoreprojecttarget ${directory}`);
  });

  test('the working directory counts from the root, and standard input is empty', async () => {
    const project = bachProject('shell "x" {\n  workdir = "sub"\n  shell = "pwd; cat; echo end"\n}\n');
    project.write('sub/file', '');
    const { stdout } = await project.bach(['run', 'shell/x']);
    expect(linesOf(stdout).slice(1, 3)).toEqual([`[shell/x] ${project.at('sub')}`, '[shell/x] end']);
  });

  test('the default target runs when none is named', async () => {
    const project = bachProject('project "p" { default = group.all }\nshell "a" { command = ["true"] }\ngroup "all" { targets = [shell.a] }\n');
    const { stdout } = await project.bach(['run']);
    expect(stdout).toContain('success target=group/all ');
    expect(linesOf(stdout)).toContain('[group/all] group: shell/a');
  });

  test('a relative root counts from where bach is started', async () => {
    const project = bachProject('project "p" { root = "." }\nshell "x" { command = ["pwd"] }\n');
    project.write('sub/file', '');
    const { stdout } = await project.bach(['-f', '../Bachfile', 'run', 'shell/x'], { cwd: project.at('sub') });
    expect(linesOf(stdout)).toContain(`[shell/x] ${project.at('sub')}`);
    expect(existsSync(project.at('sub/.bach/state.db'))).toBe(true);
  });
});

describe('order', () => {
  test('a diamond runs each target once, after what it depends on', async () => {
    const project = bachProject(
      ['a', 'b', 'c', 'd']
        .map((name, index) => `shell "${name}" {\n  shell = "echo ${name} >> order"\n  depends_on = [${['', 'shell.a', 'shell.a', 'shell.b, shell.c'][index]}]\n}\n`)
        .join(''),
    );
    const { exit, stdout } = await project.bach(['run', '-j', '4', 'shell/d', 'shell/b', 'shell/d']);
    expect(exit).toBe(0);
    expect(stdout).toContain('target=shell/d shell/b ');
    expect(project.read('order')).toMatch(/^a\n(b\nc|c\nb)\nd\n$/);
  });

  test('a pipeline stops at its first failed step', async () => {
    const step = (name: string, end: string) => `shell "${name}" { shell = "echo ${name} >> order; ${end}" }\n`;
    const project = bachProject(
      `${step('one', 'true')}${step('two', 'exit 3')}${step('three', 'true')}pipeline "p" { steps = [shell.one, shell.two, shell.three] }\n`,
    );
    const { exit, stdout, stderr } = await project.bach(['run', 'pipeline/p']);
    expect(exit).toBe(1);
    expect(project.read('order')).toBe('one\ntwo\n');
    expect(linesOf(stdout)[0]).toBe('[pipeline/p] pipeline: shell/one -> shell/two -> shell/three');
    expect(stderr).toBe(`target "shell/two" failed: exit status 3\nsee the logs with: bach logs ${runIdIn(stdout)} --failed\n`);
    expect(linesOf(stdout).slice(-7)).toEqual([
      expect.stringContaining(' failed target=pipeline/p '),
      'targets: success=1 cached=0 failed=2 preflight-failed=0 quality-failed=0 dry-run=0 running=0',
      'failure excerpt (shell/two):',
      expect.stringMatching(/^\[\S+Z\] run=\S+ target=shell\/two$/),
      'sh -c echo two >> order; exit 3',
      'exit status 3',
      '',
    ]);
  });

  test('aggregates and empty targets say what they are', async () => {
    const project = bachProject('shell "nothing" {}\nshell "all" { depends_on = [shell.nothing] }\n');
    const { stdout } = await project.bach(['run', 'shell/all']);
    expect(linesOf(stdout).slice(0, 2)).toEqual(['[shell/nothing] noop', '[shell/all] aggregate']);
  });

  test('a lock stands in the label', async () => {
    const project = bachProject('shell "db" {\n  lock = "postgres"\n  command = ["true"]\n}\n');
    expect(linesOf((await project.bach(['run', 'shell/db'])).stdout)[0]).toBe('[shell/db lock=postgres] true');
  });

  test('with one job nothing overlaps', async () => {
    const body = (name: string) => `shell "${name}" { shell = "test ! -e busy && touch busy && sleep 0.05 && rm busy" }\n`;
    const project = bachProject(`${body('a')}${body('b')}${body('c')}group "g" { targets = [shell.a, shell.b, shell.c] }\n`);
    expect((await project.bach(['run', '-j', '1', 'group/g'])).exit).toBe(0);
  });
});

describe('a run that fails', () => {
  test('the excerpt is the last 20 lines that are not empty', async () => {
    const project = bachProject('shell "x" { shell = "seq 1 40; echo; echo; exit 1" }\n');
    const { stdout } = await project.bach(['run', 'shell/x']);
    const lines = linesOf(stdout);
    const excerpt = lines.slice(lines.indexOf('failure excerpt (shell/x):') + 1, -1);
    expect(excerpt).toEqual([...Array.from({ length: 19 }, (_, index) => `${index + 22}`), 'exit status 1']);
  });

  test('what runs beside it is ended and recorded, what had ended stays', async () => {
    const project = bachProject(
      'shell "fine" { command = ["true"] }\nshell "slow" { command = ["sleep", "60"] }\nshell "bad" {\n  depends_on = [shell.fine]\n  shell = "sleep 0.2; exit 7"\n}\ngroup "g" { targets = [shell.slow, shell.bad] }\n',
    );
    const { exit, stdout, stderr } = await project.bach(['run', '-j', '3', 'group/g']);
    expect(exit).toBe(1);
    expect(stderr).toMatch(/^target "shell\/bad" failed: exit status 7\nsee the logs with: bach logs \S+ --failed\n$/);
    expect(await statuses(project, runIdIn(stdout))).toEqual({ 'shell/fine': 'success', 'shell/slow': 'failed', 'shell/bad': 'failed' });
    expect(stdout).toContain('failure excerpt (shell/bad):');
  });

  test('a target that passes its time is ended, and so are its children', async () => {
    const project = bachProject('shell "x" {\n  timeout = "300ms"\n  command = ["sh", "x.sh"]\n}\n');
    project.write('x.sh', 'sleep 600 & echo $! > child; wait');
    const { exit, stderr } = await project.bach(['run', 'shell/x']);
    expect(exit).toBe(1);
    expect(stderr).toMatch(/^target "shell\/x" timed out after 300ms\nsee the logs with: bach logs \S+ --failed\n$/);
    expect(isGone(project.read('child'))).toBe(true);
  });

  test('a target that ended by itself before its time passed stays a success, however slow the reader is', async () => {
    const project = bachProject('shell "x" {\n  timeout = "400ms"\n  shell = "seq 1 200000"\n}\n');
    const slow = new SlowSink();
    const { exit } = await project.bach(['run', 'shell/x'], { stdout: slow });
    expect({ exit, waited: slow.waits > 0 }).toEqual({ exit: 0, waited: true });
    expect(await newestRun(project)).toMatchObject({ status: 'success' });
  });

  test('a group that passes its time is named', async () => {
    const project = bachProject('shell "x" { command = ["sleep", "60"] }\nshell "later" { command = ["touch", "later"] }\ngroup "ci" {\n  timeout = "80ms"\n  targets = [shell.x]\n}\npipeline "p" { steps = [group.ci, shell.later] }\n');
    const { exit, stderr } = await project.bach(['run', 'pipeline/p']);
    expect(exit).toBe(1);
    expect(stderr).toMatch(/^target "group\/ci" timed out after 80ms\nsee the logs with: /);
    expect(existsSync(project.at('later'))).toBe(false);
  });

  test.each([
    ['command = ["no-such-program"]', /^target "shell\/x" failed: .*"?no-such-program"?.*\n.+\n$/],
    ['shell = "no-such-program"', /^target "shell\/x" failed: exit status 127\nsee the logs with: .+\n$/],
    ['command = ["true"]\n  workdir = "gone"', /^target "shell\/x" failed: .*gone.*\n.+\n$/],
    ['command = ["./plain.txt"]', /^target "shell\/x" failed: .*plain\.txt.*\n.+\n$/],
    ['command = ["sh", "suicide.sh"]', /^target "shell\/x" failed: ended by SIGKILL\nsee the logs with: .+\n$/],
  ])('%s', async (attributes, message) => {
    const project = bachProject(`shell "x" {\n  ${attributes}\n}\n`);
    writeFileSync(project.at('plain.txt'), 'no program');
    writeFileSync(project.at('suicide.sh'), 'kill -9 $$\n');
    const { exit, stdout, stderr } = await project.bach(['run', 'shell/x']);
    expect(exit).toBe(1);
    expect(stderr).toMatch(message);
    expect(await newestRun(project)).toMatchObject({ run_id: runIdIn(stdout), status: 'failed' });
  });
});

describe('what is refused before anything runs', () => {
  test.each([
    ['an unknown target', ['run', 'shell/biuld'], 1, 'unknown target "shell/biuld"; did you mean "shell/build"?'],
    ['an unknown target without its type', ['run', 'biuld'], 1, 'unknown target "biuld"; did you mean "shell/build"?'],
    ['a target that looks like none', ['run', 'shell/xxxxx'], 1, 'unknown target "shell/xxxxx"\n'],
    ['no target and no default', ['run'], 2, 'no target provided and no default target configured'],
    ['a document', ['run', '--json', 'shell/build'], 2, '--json is only supported with --dry-run'],
    ['an environment file that is missing', ['run', 'shell/build', '--env-file', 'gone.env'], 1, 'gone.env'],
    ['an environment file that is faulty', ['run', 'shell/build', '--env-file', 'bad.env'], 1, 'bad.env:2: expected KEY=value'],
    ['a generated policy node', ['run', 'policy.merge@agent.x'], 1, 'not in this release of bach: generated policy nodes (policy.merge@agent.x)'],
    ['a dependency cycle', ['run', 'shell/a'], 1, 'dependency cycle includes "shell/'],
  ])('%s', async (_, argv, code, message) => {
    const project = bachProject('shell "build" { shell = "touch ran" }\nshell "a" { depends_on = [shell.b] }\nshell "b" { depends_on = [shell.a] }\npolicy "merge" {\n  subject = "agent.x"\n  required_targets = [shell.build]\n}\n');
    project.write('bad.env', 'A=1\nnonsense\n');
    const { exit, stdout, stderr } = await project.bach(argv);
    expect({ exit, stdout }).toEqual({ exit: code, stdout: '' });
    expect(stderr.split('\n').length).toBeGreaterThan(2);
    expect(stderr).toContain(message);
    expect(existsSync(project.at('ran'))).toBe(false);
    expect(existsSync(project.at('.bach'))).toBe(false);
  });

  test('a state that is no database stays as it is, and nothing runs', async () => {
    const project = bachProject('shell "build" { shell = "touch ran" }\n');
    const text = 'this is not a database\n'.repeat(100);
    project.write('.bach/state.db', text);
    const { exit, stdout, stderr } = await project.bach(['run', 'shell/build']);
    expect({ exit, stdout }).toEqual({ exit: 1, stdout: '' });
    expect(stderr).toContain('.bach/state.db');
    expect(project.read('.bach/state.db')).toBe(text);
    expect(existsSync(project.at('ran'))).toBe(false);
  });
});

describe('signals', () => {
  /** Sends signals once the target has said that it runs. */
  async function runAndSend(project: BachProject, sent: readonly ('SIGINT' | 'SIGTERM' | 'SIGHUP')[]) {
    const signals = new FakeSignals();
    const ended = project.bach(['run', '-j', '2', 'group/g'], { signals });
    while (!existsSync(project.at('ready'))) await new Promise((resolve) => setTimeout(resolve, 20));
    for (const signal of sent) signals.send(signal);
    return ended;
  }

  const polite = 'shell "x" { shell = "touch ready; exec sleep 60" }\nshell "later" {\n  depends_on = [shell.x]\n  command = ["touch", "later"]\n}\ngroup "g" { targets = [shell.later] }\n';

  test.each([
    ['SIGINT', 130],
    ['SIGTERM', 143],
    ['SIGHUP', 129],
  ] as const)('%s ends the run, which is stored as stopped', async (signal, code) => {
    const project = bachProject(polite);
    const { exit, stdout, stderr } = await runAndSend(project, [signal]);
    expect({ exit, stderr }).toEqual({ exit: code, stderr: `stopped by ${signal}\n` });
    expect(existsSync(project.at('later'))).toBe(false);
    expect(await newestRun(project)).toMatchObject({ status: 'failed', message: `stopped by ${signal}` });
    expect(await statuses(project, runIdIn(stdout))).toEqual({ 'shell/x': 'failed' });
    expect(linesOf(stdout)).toContain(`[shell/x] stopped by ${signal}`);
  });

  test('a second one kills what ignores the first, at once', async () => {
    const stubborn = 'shell "x" { shell = "trap \'\' TERM; touch ready; while :; do sleep 0.1; done" }\ngroup "g" { targets = [shell.x] }\n';
    const project = bachProject(stubborn);
    const { exit } = await runAndSend(project, ['SIGINT', 'SIGINT']);
    expect(exit).toBe(130);
    expect(await newestRun(project)).toMatchObject({ status: 'failed', message: 'stopped by SIGINT' });
  });
});

describe('much output', () => {
  test('a line of 70 KiB without an end is shown in pieces, nothing lost', async () => {
    const project = bachProject('shell "x" { shell = "head -c 71680 /dev/zero | tr \'\\\\0\' x" }\n');
    const { stdout } = await project.bach(['run', 'shell/x']);
    const pieces = linesOf(stdout).filter((line) => /^\[shell\/x\] x+$/.test(line)).map((line) => line.length - '[shell/x] '.length);
    expect(pieces).toEqual([65_536, 6_144]);
  });
});
