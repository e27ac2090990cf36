import { rmSync, utimesSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { bachProject, type BachProject } from '../../support/bach-project.ts';
import { commitInCheckout, runGit } from '../../support/git-repository.ts';
import { changeState, linesOf, logOf, printedBy, rowsOf, shell } from './support.ts';

/** Runs `shell/x` and tells what stands before its operation: `(cached)`, `(stale: …)`, or nothing. */
async function verdictOf(project: BachProject, ...argv: readonly string[]): Promise<string> {
  const line = linesOf(await printedBy(project, 'run', 'shell/x', ...argv)).find((each) => /^\[shell\/x( lock=\S+)?\] /.test(each));
  return /\] (\(cached\)|\(stale: [^)]*\))? ?sh -c /.exec(line ?? '')?.[1] ?? (line === undefined ? 'no line' : '');
}

/** A project whose result is stored. */
async function ran(text: string, files: Readonly<Record<string, string>> = { in: 'one' }, ...argv: readonly string[]): Promise<BachProject> {
  const project = bachProject(text);
  for (const [path, content] of Object.entries(files)) project.write(path, content);
  await printedBy(project, 'run', 'shell/x', ...argv);
  expect(await verdictOf(project, ...argv)).toBe('(cached)');
  return project;
}

const becomes = (project: BachProject, from: string, to: string): void => project.write('Bachfile', project.read('Bachfile').replace(from, to));

const MAKES = shell('x', 'cat in > out', 'inputs = ["in"]', 'outputs = ["out"]');

describe('whether there is a cache', () => {
  test.each([
    ['inputs', 'inputs = ["in"]'],
    ['outputs', 'outputs = ["out"]'],
  ])('[bach-cacheable, bach-cached-line] %s make a target cacheable', async (_, what) => {
    const project = bachProject(shell('x', 'cat in > out; echo ran >> runs', what));
    project.write('in', 'one');
    await printedBy(project, 'run', 'shell/x');
    const lines = linesOf(await printedBy(project, 'run', 'shell/x'));
    expect(lines[0]).toBe('[shell/x] (cached) sh -c cat in > out; echo ran >> runs');
    expect(lines.at(-1)).toBe('targets: success=0 cached=1 failed=0 preflight-failed=0 quality-failed=0 dry-run=0 running=0');
    expect(project.read('runs')).toBe('ran\n');
  });

  test('[bach-cacheable] without them it runs each time', async () => {
    const project = bachProject(shell('x', 'echo ran >> runs'));
    expect([await verdictOf(project), await verdictOf(project)]).toEqual(['', '']);
    expect(project.read('runs')).toBe('ran\nran\n');
  });

  test('[bach-cache-composites] groups and pipelines have none, their members have', async () => {
    const project = await ran(`${MAKES}group "g" { targets = [shell.x] }\npipeline "p" { steps = [group.g] }\n`);
    const stdout = await printedBy(project, 'run', 'pipeline/p');
    expect(linesOf(stdout).slice(0, 3)).toEqual(['[pipeline/p] pipeline: group/g', '[shell/x] (cached) sh -c cat in > out', '[group/g] group: shell/x']);
    expect(stdout).toContain('targets: success=2 cached=1 ');
    const { targets } = JSON.parse(await printedBy(project, 'run', '-d', '--json', 'pipeline/p')) as { targets: readonly { name: string; cache: object }[] };
    expect(targets.filter(({ name }) => name !== 'shell/x').map(({ cache }) => cache)).toEqual([1, 2].map(() => ({ cacheable: false, expectation: 'not_cacheable', fresh: false })));
  });

  test('[bach-force, bach-stale-line] --force runs what is fresh', async () => {
    expect(await verdictOf(await ran(MAKES), '--force')).toBe('(stale: forced run)');
  });

  test('[bach-cache-canonical] an alias and a name share it', async () => {
    const project = await ran(`${MAKES}alias "old" { target = shell.x }\n`);
    expect((await project.bach(['run', 'old'])).stdout).toContain('[shell/x] (cached) ');
  });
});

describe('what makes a result stale', () => {
  test('[bach-cache-no-record, bach-stale-line] nothing is stored', async () => {
    const project = bachProject(MAKES);
    project.write('in', 'one');
    expect(await verdictOf(project)).toBe('(stale: no cache record, missing output)');
    const there = bachProject(MAKES);
    there.write('in', 'one');
    there.write('out', 'by someone');
    expect(await verdictOf(there)).toMatch(/^\(stale: no cache record(, output changed)?\)$/);
  });

  test('[bach-cache-input] another content, a new file, a file that is gone; the same bytes are none', async () => {
    const project = await ran(shell('x', 'true', 'inputs = ["in", "folder"]'), { in: 'one', 'folder/a': 'a' });
    const verdicts: string[] = [];
    for (const change of [() => project.write('in', 'two'), () => project.write('folder/deep/b', ''), () => rmSync(project.at('folder/a'))]) {
      change();
      verdicts.push(await verdictOf(project), await verdictOf(project));
    }
    expect(verdicts).toEqual([1, 2, 3].flatMap(() => ['(stale: changed input)', '(cached)']));
    project.write('in', 'two');
    utimesSync(project.at('in'), 1, 1);
    expect(await verdictOf(project)).toBe('(cached)');
  });

  test('[bach-cache-input-missing] what does not exist contributes nothing', async () => {
    const project = await ran(shell('x', 'true', 'inputs = ["in", "gone"]'));
    project.write('gone', '');
    expect(await verdictOf(project)).toBe('(stale: changed input)');
  });

  test.each([
    ['the command', 'cat in > out', 'cat in > out '],
    ['the folder', 'inputs', 'workdir = "."\n  inputs'],
    ['the lock', 'inputs', 'lock = "l"\n  inputs'],
    ['a contract', 'inputs', 'success_when {\n    file_exists = "out"\n  }\n  inputs'],
    ['the other contract', 'inputs', 'fail_when {\n    output_contains = "out"\n  }\n  inputs'],
  ])('[bach-cache-operation] %s', async (_, from, to) => {
    const project = await ran(MAKES);
    becomes(project, from, to);
    expect(await verdictOf(project)).toBe('(stale: changed operation)');
    expect(await verdictOf(project)).toBe('(cached)');
  });

  test.each(['description = "d"', 'timeout = "1h"', 'remote = true', 'cost = "low"', 'tools = [{ name = "sh" }]', 'quiet = false', 'retry {\n    attempts = 2\n  }'])(
    '[bach-cache-operation-not] %s',
    async (attribute) => {
      const project = await ran(MAKES);
      becomes(project, 'inputs', `${attribute}\n  inputs`);
      expect(await verdictOf(project)).toBe('(cached)');
    },
  );

  test('[bach-cache-outputs] another list of outputs', async () => {
    const project = await ran(shell('x', 'touch out other', 'inputs = ["in"]', 'outputs = ["out", "other"]'));
    becomes(project, '["out", "other"]', '["other"]');
    expect(await verdictOf(project)).toBe('(stale: fingerprint changed)');
    expect(await verdictOf(project)).toBe('(cached)');
  });

  test('[bach-cache-named-outputs] the order of their names says nothing', async () => {
    const project = await ran(shell('x', 'touch a b', 'inputs = ["in"]', 'outputs = { one = "a", two = "b" }'));
    becomes(project, '{ one = "a", two = "b" }', '{ two = "b", one = "a" }');
    expect(await verdictOf(project)).toBe('(cached)');
  });
});

describe('the environment', () => {
  const FILE = `env {\n  A = "1"\n  B = "2"\n}\nprofile "p" {\n  env {\n    C = "3"\n  }\n}\nprofile "empty" {}\n${shell('x', 'cat in > out', 'env {\n    D = "4"\n  }', 'inputs = ["in"]', 'outputs = ["out"]')}`;

  test.each([
    ['of the project', (project: BachProject) => becomes(project, '"1"', '"one"')],
    ['of a profile', (project: BachProject) => becomes(project, '"3"', '"three"')],
    ['of the target', (project: BachProject) => becomes(project, '"4"', '"four"')],
    ['of .env', (project: BachProject) => project.write('.env', 'E=6\n')],
    ['of --env-file', (project: BachProject) => project.write('own.env', 'F=6\n')],
  ])('[bach-cache-env] %s', async (_, change) => {
    const argv = ['--profile', 'p', '--env-file', 'own.env'];
    const project = await ran(FILE, { in: 'one', '.env': 'E=5\n', 'own.env': '' }, ...argv);
    change(project);
    expect(await verdictOf(project, ...argv)).toBe('(stale: changed env var)');
    expect(await verdictOf(project, ...argv)).toBe('(cached)');
  });

  test('[bach-cache-profile] a profile by its name alone', async () => {
    const project = await ran(FILE);
    expect(await verdictOf(project, '--profile', 'empty')).toBe('(stale: changed env var)');
  });

  test('[bach-cache-env-not] the process, git and the order of keys', async () => {
    const project = await ran(FILE);
    becomes(project, 'A = "1"\n  B = "2"', 'B = "2"\n  A = "1"');
    runGit(project.folder, ['init', '-q']);
    commitInCheckout(project.folder, {});
    const { stdout } = await project.bach(['run', 'shell/x'], { env: { PATH: process.env['PATH'] ?? '', NEW: 'one' } });
    expect(stdout).toContain('[shell/x] (cached) ');
  });
});

describe('what it depends on', () => {
  const CHAIN = `${shell('dep', 'cat src > in', 'inputs = ["src"]', 'outputs = ["in"]')}shell "between" { depends_on = [shell.dep] }\n${shell('x', 'touch out', 'depends_on = [shell.between]', 'outputs = ["out"]')}`;

  test('[bach-cache-dependency] its fingerprint, also through what has no cache', async () => {
    const project = await ran(CHAIN, { src: 'one' });
    project.write('src', 'two');
    expect(await verdictOf(project)).toBe('(stale: dependency fingerprint change)');
    expect(await verdictOf(project)).toBe('(cached)');
  });

  test('[bach-cache-resource] a resource is its producer, whose files are not hashed', async () => {
    const project = await ran(`resource "r" {}\n${shell('install', 'mkdir -p mods', 'inputs = ["lock"]', 'outputs = ["mods"]', 'produces = [resource.r]')}${shell('x', 'true', 'inputs = [resource.r]')}`, { lock: '1' });
    project.write('mods/deep/file', 'new');
    expect(linesOf(await printedBy(project, 'run', 'shell/x'))).toContain('[shell/x] (cached) sh -c true');
    project.write('lock', '2');
    expect(await verdictOf(project)).toBe('(stale: dependency fingerprint change)');
  });
});

describe('several reasons, failures, old records', () => {
  test('[bach-cache-reasons] in their order, each once', async () => {
    const project = await ran(`${shell('dep', 'cat src', 'inputs = ["src"]')}${shell('x', 'touch a b c; cat in', 'depends_on = [shell.dep]', 'inputs = ["in"]', 'outputs = ["a", "b", "c"]')}`, { in: '1', src: '1' });
    for (const path of ['in', 'src', 'c', '.env']) project.write(path, 'E=2\n');
    becomes(project, 'cat in', 'cat  in');
    for (const path of ['a', 'b']) rmSync(project.at(path));
    expect(await verdictOf(project, '--force')).toBe(
      '(stale: forced run, changed input, changed env var, changed operation, dependency fingerprint change, missing output, output changed)',
    );
  });

  test('[bach-cache-failed] a failure keeps the old record', async () => {
    const project = await ran(shell('x', 'cat in; test ! -e broken', 'inputs = ["in"]'));
    project.write('in', 'two');
    project.write('broken', '');
    expect((await project.bach(['run', 'shell/x'])).stdout).toContain('(stale: changed input)');
    project.write('in', 'one');
    rmSync(project.at('broken'));
    expect(await verdictOf(project)).toBe('(cached)');
  });

  test('[bach-cache-legacy] records of older versions', async () => {
    const project = await ran(MAKES);
    changeState(project, "UPDATE target_state SET fingerprint_parts = replace(fingerprint_parts, '\"operation\"', '\"command\"'), fingerprint = 'older'");
    expect(await verdictOf(project)).toBe('(stale: fingerprint changed)');
    changeState(project, "UPDATE target_state SET fingerprint_parts = '{}', fingerprint = 'older'");
    project.write('in', 'two');
    expect(await verdictOf(project)).toBe('(stale: fingerprint changed)');
    expect(rowsOf(project, 'SELECT fingerprint FROM target_state')).toEqual([{ fingerprint: expect.stringMatching(/^[0-9a-f]{64}$/) as string }]);
  });

  test('[bach-cache-input-moved] an input that changed while the target ran', async () => {
    const project = bachProject(shell('x', 'echo more >> in', 'inputs = ["in"]'));
    project.write('in', 'one\n');
    const stdout = await printedBy(project, 'run', 'shell/x');
    expect(logOf(project, stdout, 'shell__x')).toMatch(/\nnot cached: input "in" changed while the target ran\n$/);
    expect(await verdictOf(project)).toBe('(stale: no cache record)');
  });
});
