import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { bachProject, runIdIn, type BachProject } from '../../support/bach-project.ts';
import { FakeSignals } from '../../support/cli.ts';
import { linesOf, rowsOf, TIME, until } from './support.ts';

describe('progress', () => {
  test('[bach-progress-line] a time, the target, the operation, then what it prints', async () => {
    const { stdout } = await bachProject('shell "a" { shell = "echo one; echo two >&2" }\n').bach(['run', 'shell/a']);
    expect(stdout).toMatch(new RegExp(`^${TIME} \\[shell/a\\] sh -c echo one; echo two >&2\n${TIME} \\[shell/a\\] one\n${TIME} \\[shell/a\\] two\n`));
  });

  test('[bach-progress-lock] the lock stands in the label', async () => {
    const { stdout } = await bachProject('shell "test-db" {\n  lock = "postgres"\n  command = ["echo", "x"]\n}\n').bach(['run', 'shell/test-db']);
    expect(linesOf(stdout).slice(0, 2)).toEqual(['[shell/test-db lock=postgres] echo x', '[shell/test-db lock=postgres] x']);
  });

  test('[bach-long-lines] 70 KiB in one line', async () => {
    const project = bachProject('shell "a" { command = ["cat", "long"] }\n');
    project.write('long', 'x'.repeat(70 * 1024));
    const { stdout } = await project.bach(['run', 'shell/a']);
    const pieces = linesOf(stdout).map((line) => /^\[shell\/a\] (x+)$/.exec(line)?.[1]?.length).filter((length) => length !== undefined);
    expect(pieces).toEqual([64 * 1024, 6 * 1024]);
  });

  test('[bach-pipeline-header, bach-group-line] steps before, members after', async () => {
    const project = bachProject(
      'shell "a" { command = ["true"] }\nshell "b" { command = ["true"] }\npipeline "in" { steps = [shell.a, group.g] }\ngroup "g" { targets = [shell.b, shell.a] }\npipeline "out" { steps = [pipeline.in, shell.b] }\n',
    );
    const { stdout } = await project.bach(['run', '-j', '1', 'pipeline/out']);
    const lines = stdout.split('\n');
    expect(lines.slice(0, 2)).toEqual(['[pipeline/out] pipeline: pipeline/in -> shell/b', '[pipeline/in] pipeline: shell/a -> group/g']);
    expect(lines.filter((line) => line.includes('[pipeline/'))).toHaveLength(2);
    expect(linesOf(stdout).slice(2, 5)).toEqual(['[shell/a] true', '[shell/b] true', '[group/g] group: shell/b, shell/a']);
    expect(lines[4]).toBe('[group/g] group: shell/b, shell/a');
  });

  test('[bach-aggregate-line, bach-noop-line] after what they depend on', async () => {
    const { stdout } = await bachProject('shell "all" { depends_on = [shell.nothing] }\nshell "nothing" {}\n').bach(['run', 'shell/all']);
    expect(stdout.split('\n').slice(0, 2)).toEqual(['[shell/nothing] noop', '[shell/all] aggregate']);
  });
});

describe('what is refused', () => {
  test('[bach-run-without-target] no name and no default', async () => {
    expect((await bachProject('').bach(['run'])).stderr).toContain('no target provided and no default target configured');
  });

  test('[bach-no-targets] an empty name', async () => {
    const { exit, stderr } = await bachProject('').bach(['run', '']);
    expect(exit).not.toBe(0);
    expect(stderr).toContain('no targets provided');
  });

  test('[bach-run-json] a document', async () => {
    const project = bachProject('shell "a" { command = ["touch", "ran"] }\n');
    const { exit, stdout, stderr } = await project.bach(['run', '--json', 'shell/a']);
    expect({ ok: exit === 0, stdout }).toEqual({ ok: false, stdout: '' });
    expect(stderr).toContain('--json is only supported with --dry-run');
    expect(existsSync(project.at('ran'))).toBe(false);
  });

  test('[bach-unknown-target] a name that does not exist', async () => {
    expect((await bachProject('').bach(['run', 'shell/x'])).stderr).toContain('unknown target "shell/x"');
  });

  test('[bach-dependency-cycle] a circle, which a valid file may have', async () => {
    const project = bachProject('shell "a" { depends_on = [shell.b] }\nshell "b" { depends_on = [shell.a] }\nshell "c" {}\n');
    const { exit, stdout, stderr } = await project.bach(['run', 'shell/c', 'shell/a']);
    expect({ exit, stdout }).toEqual({ exit: 1, stdout: '' });
    expect(stderr).toContain('dependency cycle includes "shell/');
    expect((await project.bach(['run', 'shell/c'])).exit).toBe(0);
  });
});

describe('the summary', () => {
  const fails = 'shell "ok" { command = ["true"] }\nshell "bad" {\n  depends_on = [shell.ok]\n  shell = "seq 1 30; echo; exit 4"\n}\n';

  test('[bach-summary-run, bach-summary-counters, bach-excerpt-only-failed] of a success: two lines, the last ones', async () => {
    const { stdout } = await bachProject(fails).bach(['run', 'shell.ok']);
    const id = runIdIn(stdout);
    expect(linesOf(stdout).slice(1)).toEqual([
      expect.stringMatching(new RegExp(`^run ${id} success target=shell/ok duration=(\\d+ms|\\d+(\\.\\d+)?s) logs=\\.bach/runs/${id}$`)),
      'targets: success=1 cached=0 failed=0 preflight-failed=0 quality-failed=0 dry-run=0 running=0',
    ]);
  });

  test('[bach-excerpt] of a failure: the end of its log', async () => {
    const { stdout } = await bachProject(fails).bach(['run', 'shell/bad', 'shell/ok']);
    const lines = linesOf(stdout);
    expect(lines.slice(-23, -21)).toEqual([
      expect.stringMatching(/^run \S+ failed target=shell\/bad shell\/ok duration=\S+ logs=\S+$/),
      'targets: success=1 cached=0 failed=1 preflight-failed=0 quality-failed=0 dry-run=0 running=0',
    ]);
    const numbers = Array.from({ length: 19 }, (_, index) => `${index + 12}`);
    expect(lines.slice(-21)).toEqual(['failure excerpt (shell/bad):', ...numbers, 'exit status 4']);
  });
});

describe('timeouts', () => {
  const sleeps = (name: string, timeout = '') => `shell "${name}" {\n  command = ["sleep", "60"]\n${timeout}}\n`;
  const error = async (text: string, target: string) => {
    const { exit, stderr } = await bachProject(text).bach(['run', target]);
    expect(exit).toBe(1);
    return stderr.split('\n')[0];
  };

  test('[bach-timeout-target] its own time', async () => {
    expect(await error(sleeps('slow', '  timeout = "20ms"\n'), 'shell/slow')).toBe('target "shell/slow" timed out after 20ms');
    expect(await error(sleeps('slow', '  timeout = "0.0505s"\n'), 'shell/slow')).toBe('target "shell/slow" timed out after 50.5ms');
  });

  test.each(['group', 'pipeline'])('[bach-timeout-composite] the time of a %s', async (kind) => {
    const children = kind === 'group' ? 'targets' : 'steps';
    const project = bachProject(
      `${sleeps('slow')}shell "later" {\n  depends_on = [shell.slow]\n  command = ["touch", "ran"]\n}\n${kind} "ci" {\n  timeout = "50ms"\n  ${children} = [shell.slow, shell.later]\n}\npipeline "p" { steps = [${kind}.ci, shell.last] }\nshell "last" { command = ["touch", "ran"] }\n`,
    );
    const { exit, stderr } = await project.bach(['run', 'pipeline/p']);
    expect(exit).toBe(1);
    expect(stderr.split('\n')[0]).toBe(`target "${kind}/ci" timed out after 50ms`);
    expect(existsSync(project.at('ran'))).toBe(false);
  });

  test('[bach-timeout-innermost] of the inner one, and of the outer one alone', async () => {
    const nested = (inner: string, outer: string) =>
      `${sleeps('slow')}pipeline "inner" {\n${inner}  steps = [shell.slow]\n}\npipeline "outer" {\n${outer}  steps = [pipeline.inner]\n}\n`;
    const time = (text: string) => `  timeout = "${text}"\n`;
    expect(await error(nested(time('60ms'), time('1h')), 'pipeline/outer')).toBe('target "pipeline/inner" timed out after 60ms');
    expect(await error(nested('', time('60ms')), 'pipeline/outer')).toBe('target "pipeline/outer" timed out after 60ms');
  });
});

describe('signals', () => {
  const file = (script: string) =>
    `shell "x" { shell = "${script}" }\nshell "later" {\n  depends_on = [shell.x]\n  command = ["touch", "later"]\n}\n`;
  /** Sends the first signal when the target says that it runs, a second one when it says that it was told. */
  async function stopped(project: BachProject, first: 'SIGINT' | 'SIGTERM', second?: 'SIGINT') {
    const signals = new FakeSignals();
    const ended = project.bach(['run', 'shell/later'], { signals });
    await until(() => existsSync(project.at('ready')));
    signals.send(first);
    if (second === undefined) return ended;
    await until(() => existsSync(project.at('told')));
    signals.send(second);
    return ended;
  }

  test.each([
    ['SIGINT', 130],
    ['SIGTERM', 143],
  ] as const)('[bach-stop, bach-stop-exit] %s', async (signal, code) => {
    const project = bachProject(file('touch ready; exec sleep 60'));
    expect((await stopped(project, signal)).exit).toBe(code);
    expect(existsSync(project.at('later'))).toBe(false);
    const stored = { status: 'failed', message: `stopped by ${signal}` };
    expect(rowsOf(project, 'SELECT status, message FROM runs')).toEqual([stored]);
    expect(rowsOf(project, 'SELECT status, message, target FROM target_runs')).toEqual([{ ...stored, target: 'shell/x' }]);
  });

  // Over 5 s: that is how long what ignores the first signal is waited for.
  test('[bach-stop-kill] what ignores it', async () => {
    const project = bachProject(file("trap 'touch told' TERM; touch ready; while :; do sleep 0.1; done"));
    expect((await stopped(project, 'SIGINT')).exit).toBe(130);
    expect(existsSync(project.at('told'))).toBe(true);
    expect(rowsOf(project, 'SELECT status FROM target_runs')).toEqual([{ status: 'failed' }]);
  });

  test('[bach-stop-twice] a second one leaves it no time', async () => {
    const project = bachProject(file("trap 'touch told; sleep 4; touch survived; exit' TERM; touch ready; while :; do sleep 0.1; done"));
    expect((await stopped(project, 'SIGINT', 'SIGINT')).exit).toBe(130);
    expect(existsSync(project.at('survived'))).toBe(false);
  });

  test('[bach-no-terminal] what a target reads', async () => {
    const project = bachProject('shell "x" { command = ["sh", "look.sh"] }\n');
    project.write('look.sh', 'cat; (: < /dev/tty) 2> /dev/null && echo terminal || echo none\n[ -r /proc/$$/stat ] && cut -d " " -f 6 /proc/$$/stat > session\ntrue\n');
    const { stdout } = await project.bach(['run', 'shell/x']);
    expect(linesOf(stdout)[1]).toBe('[shell/x] none');
    if (!existsSync(project.at('session'))) return;
    expect(project.read('session').trim()).not.toBe(readFileSync('/proc/self/stat', 'utf8').split(' ')[5]);
  });
});
