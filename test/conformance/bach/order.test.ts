import { existsSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { describe, expect, test } from 'vitest';
import { bachProject, runIdIn, type BachProject } from '../../support/bach-project.ts';
import { rowsOf } from './support.ts';

interface Parts {
  readonly after?: readonly string[];
  readonly does?: string;
  readonly lock?: string;
}

/** A target that notes its name in the file `order`. */
function step(name: string, { after = [], does = 'true', lock = '' }: Parts = {}): string {
  const dependencies = after.map((each) => each.replace('/', '.')).join(', ');
  return `shell "${name}" {\n  depends_on = [${dependencies}]\n  lock = "${lock}"\n  shell = "echo ${name} >> order; ${does}"\n}\n`;
}

/** A target that ends when the other one has begun: both do only if they run at the same time. */
function meets(name: string, other: string, more = ''): string {
  return `shell "${name}" {\n  timeout = "60s"\n${more}  command = ["sh", "meet.sh", "${name}", "${other}"]\n}\n`;
}

/** A target that fails when another of its kind runs at the same time. */
function alone(name: string, more = ''): string {
  return `shell "${name}" {\n${more}  shell = "mkdir busy && sleep 0.05 && rmdir busy"\n}\n`;
}

type Composite = 'group' | 'pipeline';

function composite(kind: Composite, name: string, children: readonly string[], more = ''): string {
  return `${kind} "${name}" {\n${more}  ${kind === 'group' ? 'targets' : 'steps'} = [${children.join(', ')}]\n}\n`;
}

const group = (name: string, members: readonly string[], more = '') => composite('group', name, members, more);
const pipeline = (name: string, steps: readonly string[], more = '') => composite('pipeline', name, steps, more);

function project(...parts: readonly string[]): BachProject {
  const made = bachProject(parts.join(''));
  made.write('meet.sh', 'touch "began-$1"\nwhile [ ! -e "began-$2" ]; do sleep 0.02; done\n');
  return made;
}

async function orderOf(made: BachProject, ...argv: readonly string[]): Promise<string> {
  const { exit, stderr } = await made.bach(['run', ...argv]);
  expect({ exit, stderr }).toEqual({ exit: 0, stderr: '' });
  return made.read('order').trim().split('\n').join(' ');
}

describe('what is asked for', () => {
  test('[bach-requests-once] repeats, other forms, empty names', async () => {
    const made = project(step('setup'), step('lint', { after: ['shell/setup'] }), step('test', { after: ['shell/setup'] }));
    const { stdout } = await made.bach(['run', 'shell/lint', '', 'shell.test', 'shell/test', 'shell.lint']);
    expect(stdout).toContain(' success target=shell/lint shell/test duration=');
    expect(made.read('order').trim().split('\n').toSorted()).toEqual(['lint', 'setup', 'test']);
  });

  test('[bach-requests-unordered] the first does not hold the second up', async () => {
    expect((await project(meets('a', 'b'), meets('b', 'a')).bach(['run', '-j', '2', 'shell/a', 'shell/b'])).exit).toBe(0);
  });

  test('[bach-visit-order] one at a time', async () => {
    const made = project(
      step('m1'), step('m2'), step('d1'), step('d2'), step('last', { after: ['shell/d2', 'shell/d1', 'group/g'] }),
      group('g', ['shell.m2', 'shell.m1'], '  depends_on = [shell.d1]\n'),
    );
    expect(await orderOf(made, '-j', '1', 'shell/last')).toBe('d2 d1 m2 m1 last');
  });

  test('[bach-shared-once] a diamond', async () => {
    const made = project(step('d', { after: ['shell/b', 'shell/c'] }), step('b', { after: ['shell/a'] }), step('c', { after: ['shell/a'] }), step('a'));
    expect(await orderOf(made, '-j', '4', 'shell/d')).toMatch(/^a (b c|c b) d$/);
  });
});

describe('pipelines and groups', () => {
  test('[bach-pipeline-order] in declared order', async () => {
    const made = project(step('a'), step('b'), step('c'), step('first', { after: ['shell/c'] }), pipeline('p', ['shell.b', 'shell.a', 'shell.b', 'shell.first', 'shell.c']));
    expect(await orderOf(made, '-j', '4', 'shell/a', 'pipeline/p')).toBe('b a c first');
  });

  test('[bach-pipeline-barrier] after the whole closure of the step before', async () => {
    const made = project(
      step('deep', { does: 'sleep 0.1' }), step('x', { after: ['shell/deep'] }), step('y'), group('checks', ['shell.x', 'shell.y']),
      step('setup'), step('next', { after: ['shell/setup'] }), pipeline('p', ['group.checks', 'shell.next']),
    );
    expect(await orderOf(made, '-j', '4', 'pipeline/p')).toMatch(/^(y deep|deep y) x setup next$|^deep x y setup next$/);
  });

  test('[bach-pipeline-stops] at the first failed step', async () => {
    const made = project(step('one'), step('two', { does: 'exit 3' }), step('three'), pipeline('p', ['shell.one', 'shell.two', 'shell.three']));
    expect((await made.bach(['run', 'pipeline/p'])).exit).toBe(1);
    expect(made.read('order')).toBe('one\ntwo\n');
  });

  test('[bach-pipeline-step-alone] without the others', async () => {
    const made = project(step('one'), step('two'), pipeline('p', ['shell.one', 'shell.two']));
    expect(await orderOf(made, 'shell/two')).toBe('two');
  });

  test('[bach-pipeline-as-dependency] before its dependent', async () => {
    const made = project(step('one', { does: 'sleep 0.1' }), step('two'), pipeline('p', ['shell.one', 'shell.two']), step('last', { after: ['pipeline/p'] }));
    expect(await orderOf(made, '-j', '4', 'shell/last')).toBe('one two last');
  });

  test.each<Composite>(['group', 'pipeline'])('[bach-scope-start, bach-scope-shared] nothing inside before what the %s depends on', async (kind) => {
    const made = project(
      step('setup', { does: 'sleep 0.1' }), step('deep'), step('a', { after: ['shell/deep', 'shell/setup'] }),
      composite(kind, 'whole', ['shell.a'], '  depends_on = [shell.setup]\n'),
    );
    expect(await orderOf(made, '-j', '4', `${kind}/whole`)).toBe('setup deep a');
  });

  test('[bach-group-parallel] members at the same time', async () => {
    expect((await project(meets('a', 'b'), meets('b', 'a'), group('g', ['shell.a', 'shell.b'])).bach(['run', '-j', '2', 'group/g'])).exit).toBe(0);
  });

  test('[bach-cross-lanes] each lane needs a step of the other', async () => {
    const made = project(
      step('a1'), step('a2', { after: ['shell/b1'] }), step('b1'), step('b2', { after: ['shell/a1'] }),
      pipeline('a', ['shell.a1', 'shell.a2']), pipeline('b', ['shell.b1', 'shell.b2']), group('g', ['pipeline.a', 'pipeline.b']),
    );
    expect(await orderOf(made, '-j', '4', 'group/g')).toMatch(/^(a1 b1|b1 a1) (a2 b2|b2 a2)$/);
  });

  test('[bach-failed-lane] what both share ran once', async () => {
    const made = project(
      step('shared'), step('a1', { after: ['shell/shared'], does: 'exit 1' }), step('a2'), step('b1', { after: ['shell/shared'] }),
      pipeline('a', ['shell.a1', 'shell.a2']), pipeline('b', ['shell.b1']), group('g', ['pipeline.a', 'pipeline.b']),
    );
    expect((await made.bach(['run', '-j', '4', 'group/g'])).exit).toBe(1);
    const ran = made.read('order').trim().split('\n');
    expect(ran.filter((name) => name === 'shared')).toHaveLength(1);
    expect(ran).not.toContain('a2');
  });
});

describe('how many at once', () => {
  test('[bach-jobs] one, and two', async () => {
    const names = ['a', 'b', 'c'].map((name) => `shell.${name}`);
    expect((await project(alone('a'), alone('b'), alone('c'), group('g', names)).bach(['run', '-j', '1', 'group/g'])).exit).toBe(0);
    expect((await project(meets('a', 'b'), meets('b', 'a')).bach(['run', '--jobs', '2', 'shell/a', 'shell/b'])).exit).toBe(0);
  });

  test('[bach-jobs-default] as many as there are processors', async () => {
    const processors = availableParallelism();
    const names = Array.from({ length: processors + 1 }, (_, index) => `t${index}`);
    const made = project(
      ...names.map((name) => `shell "${name}" {\n  timeout = "60s"\n  command = ["sh", "full.sh", "${name}", "${processors}"]\n}\n`),
      group('g', names.map((name) => `shell.${name}`)),
    );
    // Each waits until all processors are taken once, and fails when it finds more running than there are.
    made.write('full.sh', 'mkdir -p now ever\ntouch "now/$1" "ever/$1"\nwhile [ "$(ls ever | wc -l)" -lt "$2" ]; do sleep 0.02; done\n[ "$(ls now | wc -l)" -le "$2" ] && rm "now/$1"\n');
    expect((await made.bach(['run', 'group/g'])).exit).toBe(0);
  });

  test('[bach-jobs-least] none', async () => {
    const made = project(step('a'));
    expect((await made.bach(['run', '-j', '0', 'shell/a'])).exit).toBe(2);
    expect(existsSync(made.at('order'))).toBe(false);
  });
});

describe('failure', () => {
  test('[bach-first-failure, bach-composite-failed] ends what runs', async () => {
    const made = project(
      step('fine'), step('slow', { does: 'touch slow; exec sleep 60' }), step('never', { after: ['shell/slow'] }),
      step('bad', { after: ['shell/fine'], does: 'while [ ! -e slow ]; do sleep 0.02; done; exit 7' }),
      group('done', ['shell.fine']), group('g', ['shell.slow', 'shell.bad', 'shell.never', 'group.done']),
    );
    const { exit, stdout, stderr } = await made.bach(['run', '-j', '4', 'group/g']);
    expect(exit).toBe(1);
    expect(stderr).toMatch(/^target "shell\/bad" failed: exit status 7\n/);
    const rows = rowsOf(made, `SELECT target, status FROM target_runs WHERE run_id = '${runIdIn(stdout)}' ORDER BY target`);
    expect(rows.map(({ target, status }) => `${String(target)} ${String(status)}`)).toEqual([
      'group/done success', 'group/g failed', 'shell/bad failed', 'shell/fine success', 'shell/slow failed',
    ]);
  });
});

describe('locks', () => {
  const db = '  lock = "db"\n';

  test('[bach-lock] the same one, across groups and pipelines, and different ones', async () => {
    const same = project(alone('a', db), alone('b', db), alone('c', db), group('g', ['shell.a', 'shell.b']), pipeline('p', ['shell.c']));
    expect((await same.bach(['run', '-j', '4', 'group/g', 'pipeline/p'])).exit).toBe(0);
    const different = project(meets('a', 'b', db), meets('b', 'a', '  lock = "net"\n'));
    expect((await different.bach(['run', '-j', '2', 'shell/a', 'shell/b'])).exit).toBe(0);
  });

  test.each<Composite>(['group', 'pipeline'])('[bach-composite-lock] from the first member of the %s to the last', async (kind) => {
    const made = project(
      step('first', { does: 'sleep 0.1' }), step('second', { after: ['shell/first'] }), step('other', { lock: 'db' }),
      composite(kind, 'whole', ['shell.first', 'shell.second'], db),
    );
    expect(await orderOf(made, '-j', '4', `${kind}/whole`, 'shell/other')).toMatch(/^(first second other|other first second)$/);
  });

  test('[bach-lock-nested] the lock of a member that its composite holds', async () => {
    const made = project(step('a', { lock: 'db' }), pipeline('p', ['shell.a'], db), group('g', ['pipeline.p'], db));
    expect(await orderOf(made, '-j', '4', 'group/g')).toBe('a');
  });

  test('[bach-lock-per-run] two runs', async () => {
    const made = project(meets('a', 'b', db), meets('b', 'a', db));
    const both = await Promise.all([made.bach(['run', 'shell/a']), made.bach(['run', 'shell/b'])]);
    expect(both.map(({ exit }) => exit)).toEqual([0, 0]);
  });

  test('[bach-lock-slot] waiting takes no place', async () => {
    const made = project(meets('a', 'c', db), step('b', { lock: 'db' }), meets('c', 'a'));
    expect((await made.bach(['run', '-j', '2', 'shell/a', 'shell/b', 'shell/c'])).exit).toBe(0);
  });
});
