import { existsSync, readdirSync, rmSync, utimesSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { bachProject, runIdIn, type BachProject } from '../../support/bach-project.ts';
import { changeState, linesOf, printedBy, rowsOf, runIdOf, shell } from './support.ts';

/** What `bach run shell/x` prints first, without its time. */
async function lineOf(project: BachProject): Promise<string> {
  return linesOf(await printedBy(project, 'run', 'shell/x')).find((line) => line.startsWith('[shell/x] ')) ?? '';
}

const CACHED = expect.stringMatching(/^\[shell\/x\] \(cached\) sh -c /) as string;

async function ran(...more: readonly string[]): Promise<BachProject> {
  const project = bachProject(shell('x', 'mkdir -p folder/deep; cp in out; cp in folder/a; cp in folder/deep/b; cp in $(RUN_DIRECTORY)/report', ...more));
  project.write('in', 'one');
  await printedBy(project, 'run', 'shell/x');
  expect(await lineOf(project)).toEqual(CACHED);
  return project;
}

describe('outputs', () => {
  test('[bach-cache-missing-output] one that is gone', async () => {
    const project = await ran('inputs = ["in"]', 'outputs = ["out", "folder"]');
    rmSync(project.at('out'));
    rmSync(project.at('folder'), { recursive: true });
    expect(await lineOf(project)).toContain('(stale: missing output) ');
    expect(existsSync(project.at('out'))).toBe(true);
  });

  test('[bach-cache-output-changed, bach-output-file-same] another content; a moved time alone is none', async () => {
    const project = await ran('inputs = ["in"]', 'outputs = ["out"]');
    utimesSync(project.at('out'), 1, 1);
    expect(await lineOf(project)).toEqual(CACHED);
    project.write('out', 'one');
    expect(await lineOf(project)).toEqual(CACHED);
    project.write('out', 'two');
    expect(await lineOf(project)).toContain('(stale: output changed) ');
    expect(project.read('out')).toBe('one');
  });

  test('[bach-cache-output-folder, bach-output-folder-same] own entries count, what lies deeper does not', async () => {
    const project = await ran('inputs = ["in"]', 'outputs = ["folder"]');
    project.write('folder/deep/b', 'two');
    expect(await lineOf(project)).toEqual(CACHED);
    project.write('folder/a', 'two');
    expect(await lineOf(project)).toContain('(stale: output changed) ');
    project.write('folder/new', '');
    expect(await lineOf(project)).toContain('(stale: output changed) ');
  });

  test('[bach-output-folder-same] one with more than 2,000 entries serves as well', async () => {
    const project = bachProject(shell('x', 'mkdir -p folder; cd folder; seq 1 2100 | xargs touch', 'outputs = ["folder"]'));
    await printedBy(project, 'run', 'shell/x');
    expect(await lineOf(project)).toEqual(CACHED);
    rmSync(project.at('folder'), { recursive: true });
    expect(await lineOf(project)).toContain('(stale: missing output) ');
  });

  test('[bach-cache-run-directory] below the run directory they are no evidence', async () => {
    await ran('inputs = ["in"]', 'outputs = { report = "$(RUN_DIRECTORY)/report", out = "out" }');
    const alone = bachProject(shell('x', 'touch $(RUN_DIRECTORY)/report', 'outputs = ["$(RUN_DIRECTORY)/report"]'));
    await printedBy(alone, 'run', 'shell/x');
    expect(await lineOf(alone)).toMatch(/^\[shell\/x\] sh -c /);
  });

  test('[bach-input-own-outputs] what a target makes is no input of it', async () => {
    const project = bachProject(shell('x', 'mkdir -p gen; date +%N > gen/own', 'inputs = ["."]', 'outputs = ["gen"]'));
    await printedBy(project, 'run', 'shell/x');
    expect(await lineOf(project)).toEqual(CACHED);
    project.write('gen2', '');
    expect(await lineOf(project)).toContain('(stale: changed input) ');
  });

  test('[bach-input-walk-state] the state database where it is told to be is no input', async () => {
    const project = bachProject(`project "test" {\n  backend {\n    config = { path = "var/own.db" }\n  }\n}\n${shell('x', 'true', 'inputs = ["."]')}`);
    await printedBy(project, 'run', 'shell/x');
    expect(await lineOf(project)).toEqual(CACHED);
    expect(await lineOf(project)).toEqual(CACHED);
  });
});

describe('an image', () => {
  const IMAGE = 'image "app" {\n  builder = "true"\n  image = "example/app"\n  tags = ["v1"]\n  inputs = ["in"]\n}\n';

  test.each([
    ['"true"', '"echo"'],
    ['"example/app"', '"example/other"'],
    ['["v1"]', '["v2"]'],
    ['inputs', 'dockerfile = "D"\n  inputs'],
    ['inputs', 'context = "c"\n  inputs'],
    ['inputs', 'platform = "linux/arm64"\n  inputs'],
    ['inputs', 'push = true\n  inputs'],
    ['inputs', 'build_args = { A = "1" }\n  inputs'],
    ['inputs', 'build_args_list = ["A=1"]\n  inputs'],
  ])('[bach-cache-image] %s becomes %s', async (from, to) => {
    const project = bachProject(IMAGE);
    project.write('in', 'one');
    await printedBy(project, 'run', 'image/app');
    expect(await printedBy(project, 'run', 'image/app')).toContain('[image/app] (cached) ');
    project.write('Bachfile', project.read('Bachfile').replace(from, to));
    expect(await printedBy(project, 'run', 'image/app')).toContain('[image/app] (stale: changed operation) ');
  });
});

describe('what is kept of a cached target', () => {
  test('[bach-cached-no-files, bach-cached-row] a row that names the run that made its result, and no file', async () => {
    const project = bachProject(shell('x', 'cat in', 'inputs = ["in"]'));
    project.write('in', 'one');
    const maker = await runIdOf(project, 'shell/x');
    const id = await runIdOf(project, 'shell/x');
    const folder = project.at('.bach/runs', id);
    expect(existsSync(folder) ? readdirSync(folder).filter((name) => name.startsWith('shell__')) : []).toEqual([]);
    expect(rowsOf(project, `SELECT * FROM artifacts WHERE run_id = '${id}'`)).toEqual([]);
    expect(rowsOf(project, `SELECT target, status, operation, exit_code FROM target_runs WHERE run_id = '${id}'`)).toEqual([{ target: 'shell/x', status: 'cached', operation: '', exit_code: null }]);
    expect(await printedBy(project, 'runs', 'inspect', id)).toContain(`- shell/x (cached) made by run ${maker}\n`);
    expect(await printedBy(project, 'logs', id)).toMatch(new RegExp(`^==> shell/x \\(cached\\) \\.bach/runs/${maker}/shell__x\\.log <==\n[^]*\none\n?`));
  });

  test('[bach-cached-row] also when it was cached many times', async () => {
    const project = bachProject(shell('x', 'cat in', 'inputs = ["in"]'));
    project.write('in', 'one');
    const maker = await runIdOf(project, 'shell/x');
    await runIdOf(project, 'shell/x');
    const id = await runIdOf(project, 'shell/x');
    expect(await printedBy(project, 'runs', 'inspect', id)).toContain(`made by run ${maker}\n`);
  });
});

describe('a dry run', () => {
  const documentOf = async (project: BachProject, ...argv: readonly string[]): Promise<unknown> => {
    const { targets } = JSON.parse(await printedBy(project, 'run', '-d', '--json', 'shell/x', ...argv)) as { targets: readonly { cache: unknown }[] };
    return targets[0]?.cache;
  };
  const fingerprint = expect.stringMatching(/^[0-9a-f]{64}$/) as string;

  test('[bach-dry-run-json-cache] what it expects, with reasons and a fingerprint', async () => {
    const project = bachProject(shell('x', 'cat in', 'inputs = ["in"]'));
    project.write('in', 'one');
    const stale = { cacheable: true, expectation: 'run', fresh: false, fingerprint };
    expect(await documentOf(project)).toEqual({ ...stale, reasons: ['no cache record'] });
    await printedBy(project, 'run', 'shell/x');
    expect(await documentOf(project)).toEqual({ cacheable: true, expectation: 'cached', fresh: true, fingerprint });
    expect(await documentOf(project, '--force')).toEqual({ ...stale, reasons: ['forced run'] });
  });

  test('[bach-dry-run-cache] it reads what is stored, and stores nothing', async () => {
    const project = bachProject(shell('x', 'cat in', 'inputs = ["in"]'));
    project.write('in', 'one');
    await printedBy(project, 'run', 'shell/x');
    const fresh = await printedBy(project, 'run', '-d', 'shell/x');
    expect(linesOf(fresh)[0]).toBe('[shell/x] (cached) sh -c cat in');
    project.write('in', 'two');
    const kept = () => ['SELECT id FROM runs', 'SELECT fingerprint, completed_at FROM target_state', 'SELECT path, hash FROM file_hash'].map((sql) => rowsOf(project, sql));
    const before = kept();
    expect(linesOf(await printedBy(project, 'run', '-d', 'shell/x'))[0]).toBe('[shell/x] (stale: changed input) sh -c cat in');
    expect(await documentOf(project)).toMatchObject({ reasons: ['changed input'] });
    expect(kept()).toEqual(before);
    expect(await lineOf(project)).toBe('[shell/x] (stale: changed input) sh -c cat in');
  });
});

describe('the tables', () => {
  const FILE = shell('x', 'cp in out', 'inputs = ["in"]', 'outputs = ["out"]');

  test('[bach-cache-tables] what a success leaves in them, and what a failure does not', async () => {
    const project = bachProject(`${FILE}${shell('bad', 'cat in; exit 1', 'inputs = ["in"]')}`);
    project.write('in', 'one');
    await project.bach(['run', 'shell/bad']);
    expect(rowsOf(project, 'SELECT * FROM target_state')).toEqual([]);
    const stdout = await printedBy(project, 'run', 'shell/x');
    const [state] = rowsOf(project, 'SELECT fingerprint, fingerprint_parts, completed_at, run_id FROM target_state');
    expect(state).toMatchObject({ fingerprint: expect.stringMatching(/^[0-9a-f]{64}$/) as string, run_id: runIdIn(stdout) });
    expect(Object.keys(JSON.parse(String(state?.['fingerprint_parts'])) as object).toSorted()).toEqual(['dependencies', 'env', 'inputs', 'operation', 'outputs']);
    expect(rowsOf(project, 'SELECT target, path, size FROM output_record')).toEqual([{ target: 'shell/x', path: 'out', size: 3 }]);
    expect(rowsOf(project, "SELECT path, size FROM file_hash WHERE path = 'in'")).toEqual([{ path: 'in', size: 3 }]);
  });

  test('[bach-hash-memory] a remembered hash serves only while the file is what it was', async () => {
    const project = bachProject(FILE);
    project.write('in', 'one');
    utimesSync(project.at('in'), 1000, 1000);
    for (let count = 0; count < 3; count++) await printedBy(project, 'run', 'shell/x');
    // The same length and the same time; only what the system itself keeps of the file is another.
    project.write('in', 'two');
    utimesSync(project.at('in'), 1000, 1000);
    expect(await lineOf(project)).toContain('(stale: changed input) ');
  });

  test('[bach-cache-older-state] a state from before the cache takes them with the first run', async () => {
    const project = bachProject(FILE);
    project.write('in', 'one');
    await printedBy(project, 'run', 'shell/x');
    changeState(project, "DROP TABLE target_state; DROP TABLE file_hash; DROP TABLE output_record; DROP TABLE cache_stamp; ALTER TABLE runs DROP COLUMN metadata; ALTER TABLE target_runs DROP COLUMN metadata; ALTER TABLE artifacts DROP COLUMN metadata; ALTER TABLE artifacts DROP COLUMN evidence_id; DELETE FROM bach_schema_migrations WHERE id <> '001-runs'");
    expect(await printedBy(project, 'runs', 'list')).toContain('shell/x');
    expect(linesOf(await printedBy(project, 'run', '-d', 'shell/x'))[0]).toContain('(stale: no cache record');
    expect(await lineOf(project)).toContain('(stale: no cache record');
    expect(await lineOf(project)).toEqual(CACHED);
  });

  test('[bach-cache-kill] what no end of a run recorded is run again', async () => {
    const project = bachProject(FILE);
    project.write('in', 'one');
    await printedBy(project, 'run', 'shell/x');
    changeState(project, "DELETE FROM target_state; UPDATE runs SET status = 'running', finished_at = ''");
    expect(await lineOf(project)).toMatch(/\(stale: no cache record(, output changed)?\) /);
    expect(await lineOf(project)).toEqual(CACHED);
  });
});
