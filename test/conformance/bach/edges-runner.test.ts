import { existsSync, readdirSync, rmSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { bachProject, runIdIn, type BachProject } from '../../support/bach-project.ts';
import { runGit } from '../../support/git-repository.ts';
import { linesOf, logOf, printedBy, rowsOf, runIdOf, shell } from './support.ts';

/** A target that notes its name in the file `order`, and does something else after it. */
const step = (name: string, does = 'true', ...more: readonly string[]): string => shell(name, `echo ${name} >> order; ${does}`, ...more);

const needs = (...names: readonly string[]): string => `depends_on = [${names.map((name) => `shell.${name}`).join(', ')}]`;

const orderOf = (project: BachProject): readonly string[] => project.read('order').trimEnd().split('\n');

/** A target that ends when the other one began: both do only when they run at the same time. */
const meets = (name: string, other: string, ...more: readonly string[]): string => shell(name, `touch began-${name}; while [ ! -e began-${other} ]; do sleep 0.02; done`, 'timeout = "60s"', ...more);

/** A target that fails when another one of its kind runs at the same time. */
const alone = (name: string, ...more: readonly string[]): string => shell(name, 'mkdir busy && sleep 0.05 && rmdir busy', ...more);

async function failureOf(text: string, ...argv: readonly string[]): Promise<string> {
  const { exit, stderr } = await bachProject(text).bach(['run', ...argv]);
  expect(exit).toBe(1);
  return stderr.split('\n')[0] ?? '';
}

describe('order', () => {
  test('R01 a diamond runs what is shared once, before both', async () => {
    const project = bachProject(`${step('a')}${step('b', 'true', needs('a'))}${step('c', 'true', needs('a'))}${step('d', 'true', needs('b', 'c'))}`);
    await printedBy(project, 'run', '-j', '4', 'shell/d');
    expect(orderOf(project).join(' ')).toMatch(/^a (b c|c b) d$/);
  });

  test('R02 aliases and repeats are one request', async () => {
    const project = bachProject(`${step('a')}${step('b')}alias "x" { target = shell.a }\n`);
    const { stdout } = await project.bach(['run', 'x', 'shell/b', 'shell.a', 'x', 'shell/b']);
    expect(stdout).toContain(' success target=shell/a shell/b ');
    expect(orderOf(project).toSorted()).toEqual(['a', 'b']);
  });

  test('R03 one at a time never overlaps, two do', async () => {
    await printedBy(bachProject(`${alone('a')}${alone('b')}${alone('c')}`), 'run', '-j', '1', 'shell/a', 'shell/b', 'shell/c');
    await printedBy(bachProject(`${meets('a', 'b')}${meets('b', 'a')}`), 'run', '-j', '2', 'shell/a', 'shell/b');
  });

  test('R04 one lock never overlaps across groups and pipelines, two do', async () => {
    const same = `${alone('a', 'lock = "l"')}${alone('b', 'lock = "l"')}group "g" { targets = [shell.a] }\npipeline "p" { steps = [shell.b] }\n`;
    await printedBy(bachProject(same), 'run', '-j', '4', 'group/g', 'pipeline/p');
    await printedBy(bachProject(`${meets('a', 'b', 'lock = "l"')}${meets('b', 'a', 'lock = "m"')}`), 'run', '-j', '4', 'shell/a', 'shell/b');
  });

  test.each(['group', 'pipeline'])('R05 the lock of a %s and of its member are one', async (kind) => {
    const project = bachProject(`${step('a', 'true', 'lock = "l"')}${kind} "whole" {\n  lock = "l"\n  ${kind === 'group' ? 'targets' : 'steps'} = [shell.a]\n}\n`);
    await printedBy(project, 'run', `${kind}/whole`);
    expect(orderOf(project)).toEqual(['a']);
  });

  test('R06 a pipeline stops at its first failure', async () => {
    const project = bachProject(`${step('a')}${step('b', 'exit 3')}${step('c')}pipeline "p" { steps = [shell.a, shell.b, shell.c] }\n`);
    expect((await project.bach(['run', 'pipeline/p'])).exit).toBe(1);
    expect(orderOf(project)).toEqual(['a', 'b']);
  });

  test('R07 a dry run of a pipeline: its header, then its steps in order', async () => {
    const project = bachProject(`${shell('z', 'true')}${shell('a', 'true')}pipeline "p" { steps = [shell.z, shell.a] }\n`);
    expect(linesOf(await printedBy(project, 'run', '-d', 'pipeline/p')).slice(0, 3)).toEqual(['[pipeline/p] pipeline: shell/z -> shell/a', '[shell/z] sh -c true', '[shell/a] sh -c true']);
  });

  test('R08 a pipeline that something depends on runs before it', async () => {
    const project = bachProject(`${step('a', 'sleep 0.1')}${step('b')}pipeline "p" { steps = [shell.a, shell.b] }\n${step('last', 'true', 'depends_on = [pipeline.p]')}`);
    await printedBy(project, 'run', '-j', '4', 'shell/last');
    expect(orderOf(project)).toEqual(['a', 'b', 'last']);
  });

  test.each(['targets', 'steps'])('R09 R10 what a composite of %s depends on comes first, and once', async (children) => {
    const kind = children === 'steps' ? 'pipeline' : 'group';
    const project = bachProject(`${step('setup', 'sleep 0.1')}${step('a', 'true', needs('setup'))}${step('b')}${kind} "whole" {\n  ${needs('setup')}\n  ${children} = [shell.a, shell.b]\n}\n`);
    await printedBy(project, 'run', '-j', '4', `${kind}/whole`);
    expect(orderOf(project)[0]).toBe('setup');
    expect(orderOf(project).toSorted()).toEqual(['a', 'b', 'setup']);
  });

  test('R33 lanes that need steps of each other come to an end', async () => {
    const project = bachProject(`${step('a1')}${step('a2', 'true', needs('b1'))}${step('b1')}${step('b2', 'true', needs('a1'))}pipeline "a" { steps = [shell.a1, shell.a2] }\npipeline "b" { steps = [shell.b1, shell.b2] }\ngroup "g" { targets = [pipeline.a, pipeline.b] }\n`);
    await printedBy(project, 'run', '-j', '4', 'group/g');
    expect(orderOf(project).join(' ')).toMatch(/^(a1 b1|b1 a1) (a2 b2|b2 a2)$/);
  });

  test('R34 beside a failed lane: the shared target once, the later step never', async () => {
    const project = bachProject(`${step('shared')}${step('a1', 'exit 1', needs('shared'))}${step('a2')}${step('b1', 'true', needs('shared'))}pipeline "a" { steps = [shell.a1, shell.a2] }\npipeline "b" { steps = [shell.b1] }\ngroup "g" { targets = [pipeline.a, pipeline.b] }\n`);
    expect((await project.bach(['run', '-j', '4', 'group/g'])).exit).toBe(1);
    expect(orderOf(project).filter((name) => name === 'shared')).toHaveLength(1);
    expect(orderOf(project)).not.toContain('a2');
  });

  test('R35 an alias beside its target: each target once', async () => {
    const project = bachProject(`${step('setup')}${step('lint', 'true', needs('setup'))}${step('test', 'true', needs('setup'))}alias "test" { target = shell.test }\n`);
    expect((await project.bach(['run', 'shell/lint', 'test', 'shell/test'])).stdout).toContain(' success target=shell/lint shell/test ');
    expect(orderOf(project).toSorted()).toEqual(['lint', 'setup', 'test']);
  });
});

describe('what ends a target', () => {
  test('R11 the time of a group names it, and the next step does not run', async () => {
    const project = bachProject(`${shell('slow', 'sleep 60')}${step('next')}group "g" {\n  timeout = "50ms"\n  targets = [shell.slow]\n}\npipeline "p" { steps = [group.g, shell.next] }\n`);
    expect((await project.bach(['run', 'pipeline/p'])).stderr).toMatch(/^target "group\/g" timed out after 50ms\n/);
    expect(existsSync(project.at('order'))).toBe(false);
  });

  test.each([
    ['50ms', '1h', 'pipeline/inner'],
    ['', '50ms', 'pipeline/outer'],
  ])('R12 inner %s, outer %s: %s is named', async (inner, outer, named) => {
    const time = (text: string) => (text === '' ? '' : `  timeout = "${text}"\n`);
    const text = `${shell('slow', 'sleep 60')}pipeline "inner" {\n${time(inner)}  steps = [shell.slow]\n}\npipeline "outer" {\n${time(outer)}  steps = [pipeline.inner]\n}\n`;
    expect(await failureOf(text, 'pipeline/outer')).toBe(`target "${named}" timed out after 50ms`);
  });

  test('R13 a failed member fails its composites in the record', async () => {
    const project = bachProject(`${shell('bad', 'exit 1')}group "g" { targets = [shell.bad] }\npipeline "p" { steps = [group.g] }\n`);
    await project.bach(['run', 'pipeline/p']);
    expect(rowsOf(project, 'SELECT target, status FROM target_runs ORDER BY target')).toEqual(['group/g', 'pipeline/p', 'shell/bad'].map((target) => ({ target, status: 'failed' })));
  });

  test('R14 an aggregate says so', async () => {
    expect(await printedBy(bachProject(`${shell('a', 'true')}shell "all" { depends_on = [shell.a] }\n`), 'run', 'shell/all')).toContain('\n[shell/all] aggregate\n');
  });

  test('R15 a timeout in the words of Go', async () => {
    expect(await failureOf(shell('slow', 'sleep 60', 'timeout = "20ms"'), 'shell/slow')).toBe('target "shell/slow" timed out after 20ms');
  });

  test.each([
    [3, 0],
    [2, 1],
  ])('R16 of %i attempts exactly as many are made', async (attempts, code) => {
    const project = bachProject(step('a', 'test $(wc -l < order) -ge 3', `retry {\n    attempts = ${attempts}\n  }`));
    expect((await project.bach(['run', 'shell/a'])).exit).toBe(code);
    expect(orderOf(project)).toHaveLength(attempts);
  });

  test('R17 a contract that is not kept is tried again', async () => {
    const project = bachProject(step('a', 'echo try $(wc -l < order)', 'retry {\n    attempts = 3\n  }', 'success_when {\n    output_contains = "try 2"\n  }'));
    expect((await project.bach(['run', 'shell/a'])).exit).toBe(0);
    expect(orderOf(project)).toHaveLength(2);
  });

  test.each([
    ['fail_when {\n    output_contains = "BAD"\n  }', 'target "shell/x" fail_when matched: output_contains "BAD"'],
    ['success_when {\n    output_contains = "gone"\n  }', 'target "shell/x" success_when not satisfied: output_contains "gone"'],
  ])('R18 a contract decides after exit code 0: %j', async (contract, told) => {
    expect(await failureOf(shell('x', 'printf B; echo AD', contract), 'shell/x')).toBe(told);
  });

  test('R18 checks of files and commands pass', async () => {
    const checks = ['success_when {\n    file_exists = "made"\n  }', 'success_when {\n    command = ["test", "-f", "made"]\n  }'];
    await printedBy(bachProject(shell('x', 'touch made', ...checks)), 'run', 'shell/x');
  });

  test('R19 a missing tool: no command, a record, what the probe said', async () => {
    const project = bachProject(step('a', 'true', 'tools = [{ name = "nonesuch" }, { name = "old", command = ["sh", "-c", "echo v1; exit 1"] }]'));
    const { stdout, stderr } = await project.bach(['run', 'shell/a']);
    expect(existsSync(project.at('order'))).toBe(false);
    expect(stderr).toContain('- old for shell/a: probe failed: v1\n');
    expect(logOf(project, stdout, 'shell__a')).toContain('required tool check failed: nonesuch: missing from PATH');
    expect(rowsOf(project, 'SELECT status FROM runs')).toEqual([{ status: 'failed' }]);
  });

  test('R20 a failed preflight: its status, its fix, and nothing of what it printed', async () => {
    const { stdout, stderr } = await bachProject(shell('deploy', 'true', 'preflights = [{ name = "session", command = ["sh", "-c", "echo hush; exit 1"], fix = "log in" }]')).bach(['run', 'shell/deploy']);
    expect(stdout).toContain(' preflight-failed target=shell/deploy ');
    expect(stderr).toContain('; log in\n');
    expect(`${stdout}${stderr}`).not.toContain('hush');
  });

  test.each(['shell "top" { depends_on = [shell.risky] }\n', 'pipeline "top" { steps = [shell.risky] }\n'])('R21 confirmation comes up: %s', async (top) => {
    const name = `${top.split(' ')[0]}/top`;
    expect(await failureOf(`${shell('risky', 'true', 'requires_confirmation = true')}${top}`, name)).toMatch(/requires confirmation .*--dry-run.*--yes/);
  });
});

describe('environment and output', () => {
  test('R22 .env, then --env-file, then the project, then the target', async () => {
    const project = bachProject(`env {\n  C = "project"\n  D = "project"\n}\n${shell('a', 'echo $A $B $C $D', 'env {\n    D = "target"\n  }')}`);
    project.write('.env', 'A=dotenv\nB=dotenv\nC=dotenv\n');
    project.write('own.env', 'B=own\nC=own\n');
    expect(linesOf(await printedBy(project, 'run', 'shell/a', '--env-file', 'own.env'))[1]).toBe('[shell/a] dotenv own project target');
  });

  test('R23 git: staged and untracked files, dirty', async () => {
    const project = bachProject(shell('a', 'echo "<$BACH_GIT_STAGED_FILES> $BACH_GIT_DIRTY"; echo "$BACH_GIT_UNTRACKED_FILES" | grep unstaged'));
    runGit(project.folder, ['init', '-q']);
    project.write('staged.txt', '');
    project.write('unstaged.txt', '');
    runGit(project.folder, ['add', 'staged.txt']);
    expect(linesOf(await printedBy(project, 'run', 'shell/a')).filter((line) => line.startsWith('[shell/a] ')).slice(-2)).toEqual(['[shell/a] <staged.txt> 1', '[shell/a] unstaged.txt']);
  });

  test('R24 --log-only and quiet', async () => {
    const project = bachProject(`${shell('loud', 'echo pri""nted')}${shell('still', 'echo pri""nted', 'quiet = true')}`);
    const only = await printedBy(project, 'run', '--log-only', '--verbose', 'shell/loud');
    expect(only).not.toContain('printed');
    expect(logOf(project, only, 'shell__loud')).toContain('\nprinted\n');
    expect(await printedBy(project, 'run', 'shell/still')).not.toContain('[shell/still]');
    expect(await printedBy(project, 'run', '--verbose', 'shell/still')).toContain('[shell/still] printed\n');
  });

  test('R25 70 KiB without an end of line', async () => {
    const stdout = await printedBy(bachProject(shell('a', 'head -c 71680 /dev/zero | tr "\\\\0" x')), 'run', 'shell/a');
    expect(linesOf(stdout).map((line) => /^\[shell\/a\] (x+)$/.exec(line)?.[1]?.length).filter(Boolean)).toEqual([65_536, 6_144]);
  });

  test('R29 the lock stands in the label', async () => {
    expect(linesOf(await printedBy(bachProject(shell('test-db', 'true', 'lock = "postgres"')), 'run', 'shell/test-db'))[0]).toBe('[shell/test-db lock=postgres] sh -c true');
  });
});

describe('records and cache', () => {
  test('R26 a dry run makes no database and adds nothing to one', async () => {
    const project = bachProject(shell('a', 'true'));
    await printedBy(project, 'run', '-d', 'shell/a');
    expect(readdirSync(project.folder)).toEqual(['Bachfile']);
    await printedBy(project, 'run', 'shell/a');
    await printedBy(project, 'run', '-d', 'shell/a');
    expect(rowsOf(project, 'SELECT count(*) AS runs FROM runs')).toEqual([{ runs: 1 }]);
  });

  test('R27 of twelve runs the newest ten, or all', async () => {
    const project = bachProject('shell "a" {}\n');
    const ids: string[] = [];
    for (let count = 0; count < 12; count++) ids.unshift(await runIdOf(project, 'shell/a'));
    const listed = async (...argv: readonly string[]) => (await printedBy(project, 'runs', 'list', ...argv)).trimEnd().split('\n').map((line) => line.split(' ')[0]);
    expect(await listed()).toEqual(ids.slice(0, 10));
    expect(await listed('--runs-limit', '0')).toEqual(ids);
  });

  test('R28 artifacts: the log, files of the run directory, outputs, tags', async () => {
    const project = bachProject(`${shell('a', 'touch made $(RUN_DIRECTORY)/report', 'outputs = ["made"]')}image "app" {\n  builder = "true"\n  image = "example/app"\n  tags = ["v1"]\n}\n`);
    const id = runIdIn(await printedBy(project, 'run', 'shell/a', 'image/app'));
    const folder = `.bach/runs/${id}/shell__a`;
    const stdout = await printedBy(project, 'artifacts', id, '--runs-limit', '0');
    for (const place of [`${folder}.log`, `${folder}/report`, 'made', 'example/app:v1']) expect(stdout).toMatch(new RegExp(` ${place.replaceAll('.', '\\.')}\n`));
  });

  test.each([
    ['changed operation', (project: BachProject) => project.write('Bachfile', project.read('Bachfile').replace('lock = "l"', 'lock = "m"'))],
    ['changed operation', (project: BachProject) => project.write('Bachfile', project.read('Bachfile').replace('cat in', 'cat  in'))],
    ['changed env var', (project: BachProject) => project.write('Bachfile', project.read('Bachfile').replace('"one"', '"two"'))],
    ['changed input', (project: BachProject) => project.write('in', 'two')],
    ['dependency fingerprint change', (project: BachProject) => project.write('deep', 'two')],
  ])('R30 %s', async (reason, change) => {
    const project = bachProject(`${shell('dep', 'true', 'inputs = ["deep"]')}${shell('x', 'cat in', needs('dep'), 'lock = "l"', 'inputs = ["in"]', 'env {\n    A = "one"\n  }')}`);
    for (const path of ['in', 'deep']) project.write(path, 'one');
    await printedBy(project, 'run', 'shell/x');
    change(project);
    expect(await printedBy(project, 'run', 'shell/x')).toMatch(new RegExp(`\\[shell/x lock=.\\] \\(stale: ${reason}\\) `));
  });

  test('R30 a profile', async () => {
    const project = bachProject(`profile "p" {}\n${shell('x', 'cat in', 'inputs = ["in"]')}`);
    project.write('in', 'one');
    await printedBy(project, 'run', 'shell/x');
    expect(await printedBy(project, '--profile', 'p', 'run', 'shell/x')).toContain('[shell/x] (stale: changed env var) ');
  });

  test('R31 a missing output, then cached, then forced', async () => {
    const project = bachProject(shell('build', 'touch out', 'outputs = ["out"]'));
    await printedBy(project, 'run', 'shell/build');
    rmSync(project.at('out'));
    expect(await printedBy(project, 'run', 'shell/build')).toContain('[shell/build] (stale: missing output) ');
    expect(await printedBy(project, 'run', 'shell/build')).toContain('[shell/build] (cached) ');
    expect(await printedBy(project, 'run', '--force', 'shell/build')).toContain('[shell/build] (stale: forced run) ');
  });

  test('R32 a dry run tells a changed input and does not take it for known', async () => {
    const project = bachProject(shell('build', 'cat in', 'inputs = ["in"]'));
    project.write('in', 'one');
    await printedBy(project, 'run', 'shell/build');
    project.write('in', 'two');
    for (const flags of [['-d'], ['-d'], []]) expect(await printedBy(project, 'run', ...flags, 'shell/build')).toContain('[shell/build] (stale: changed input) ');
  });
});
