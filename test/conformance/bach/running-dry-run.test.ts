import { readdirSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { bachProject } from '../../support/bach-project.ts';
import { linesOf, rowsOf, shell } from './support.ts';

describe('a dry run', () => {
  test('[bach-dry-run, bach-dry-run-pipeline, bach-dry-run-summary] prints headers, then operations in the order of a run', async () => {
    const blocks = [shell('a', 'echo $RUN_DIRECTORY $(RUN_DIRECTORY)/x'), shell('b', 'exit 1', 'depends_on = [shell.d]', 'lock = "db"'), shell('d', 'true')];
    const project = bachProject(`${blocks.join('')}group "g" {\n  targets = [shell.a]\n}\npipeline "p" {\n  steps = [shell.b, group.g]\n}\n`);
    const { exit, stdout, stderr } = await project.bach(['run', '--dry-run', 'pipeline/p']);
    expect({ exit, stderr }).toEqual({ exit: 0, stderr: '' });
    expect(linesOf(stdout)).toEqual([
      '[pipeline/p] pipeline: shell/b -> group/g',
      '[shell/d] sh -c true',
      '[shell/b lock=db] sh -c exit 1',
      '[shell/a] sh -c echo $(RUN_DIRECTORY) $(RUN_DIRECTORY)/x',
      '[group/g] group: shell/a',
      expect.stringMatching(/^run - success target=pipeline\/p duration=\S+ logs=-$/),
      'targets: success=2 cached=0 failed=0 preflight-failed=0 quality-failed=0 dry-run=3 running=0',
    ]);
  });

  test('[bach-dry-run-writes-nothing] leaves no trace, also where there is a state', async () => {
    const project = bachProject(shell('a', 'echo a'));
    await project.bach(['run', '-d', 'shell/a']);
    expect(readdirSync(project.folder)).toEqual(['Bachfile']);
    await project.bach(['run', 'shell/a']);
    const before = rowsOf(project, 'SELECT * FROM runs');
    await project.bach(['run', '--dry-run', 'shell/a']);
    expect(rowsOf(project, 'SELECT * FROM runs')).toEqual(before);
    expect(readdirSync(project.at('.bach/runs'))).toHaveLength(1);
  });

  test('[bach-dry-run-requirements] lists tools and preflights and does not look for them', async () => {
    const needs = ['tools = [{ name = "nonesuch", fix = "no" }]', 'preflights = [{ kind = "login", command = ["nonesuch", "whoami"] }]'];
    const group = 'group "g" {\n  targets = [shell.b, shell.a]\n}\n';
    const { exit, stdout } = await bachProject(`${shell('a', 'true', ...needs)}${shell('b', 'true', ...needs)}${group}`).bach(['run', '-d', 'group/g']);
    expect(exit).toBe(0);
    expect(linesOf(stdout).slice(0, 2)).toEqual([
      'required tool nonesuch for shell/a, shell/b',
      'preflight login via nonesuch whoami for shell/a, shell/b',
    ]);
  });
});

describe('the document of a dry run', () => {
  const BLOCKS = [
    shell('dep', 'true', 'remote = true'),
    'shell "app" {\n  command = ["make", "$WHAT"]\n  depends_on = [shell.dep]\n  inputs = ["src"]\n  outputs = ["dist/app"]\n  workdir = "w"\n  lock = "l"\n  tools = [{ name = "make", version = "4+", fix = "install make" }]\n  preflights = [{ kind = "login", command = ["true"] }]\n  env {\n    WHAT = "app"\n  }\n}\n',
    'group "g" {\n  targets = [shell.app]\n}\npipeline "p" {\n  steps = [shell.app, group.g]\n}\nprofile "x" {}\n',
  ];

  const risk = (remote: boolean) => ({ remote, destructive: false, requires_confirmation: false, labels: remote ? ['remote'] : [] });

  test('[bach-dry-run-json, bach-dry-run-json-edges, bach-dry-run-json-risk] names everything that a run would do', async () => {
    const project = bachProject(BLOCKS.join(''));
    const { exit, stdout, stderr } = await project.bach(['run', '--dry-run', '--json', '--profile', 'x', 'pipeline/p', 'shell/dep']);
    expect({ exit, stderr }).toEqual({ exit: 0, stderr: '' });
    const document = JSON.parse(stdout) as { targets: readonly { readonly tools?: unknown; readonly preflights?: unknown }[] };
    expect(document).toMatchObject({
      target: 'pipeline/p shell/dep',
      requested_targets: ['pipeline/p', 'shell/dep'],
      selected_profiles: ['x'],
      target_order: ['shell/dep', 'shell/app', 'group/g', 'pipeline/p'],
      dependency_edges: [{ from: 'shell/dep', to: 'shell/app' }],
      pipeline_edges: [
        { from: 'shell/app', to: 'pipeline/p' },
        { from: 'group/g', to: 'pipeline/p' },
      ],
      group_edges: [{ from: 'shell/app', to: 'group/g' }],
      composite_edges: [
        { from: 'shell/app', to: 'group/g', kind: 'group_member' },
        { from: 'shell/app', to: 'pipeline/p', kind: 'pipeline_step' },
        { from: 'group/g', to: 'pipeline/p', kind: 'pipeline_step' },
      ],
      effective_risk: risk(true),
    });
    expect(document.targets[0]).toEqual({ name: 'shell/dep', type: 'shell', operation: 'sh -c true', risks: risk(true), cache: { cacheable: false, expectation: 'not_cacheable', fresh: false } });
    expect(document.targets[1]).toMatchObject({
      name: 'shell/app',
      type: 'shell',
      operation: 'make app',
      workdir: 'w',
      depends_on: ['shell/dep'],
      lock: 'l',
      risks: risk(true),
      cache: { cacheable: true, expectation: 'run', fresh: false },
      inputs: ['src'],
      outputs: ['dist/app'],
      env: ['WHAT=app'],
      tools: [{ name: 'make', version: '4+', fix: 'install make' }],
      preflights: [{ kind: 'login', command: ['true'] }],
    });
    expect(document.targets[1]?.tools).toEqual([{ name: 'make', version: '4+', fix: 'install make' }]);
    expect(document.targets[1]?.preflights).toEqual([{ kind: 'login', command: ['true'] }]);
    expect(document.targets[2]).toMatchObject({ name: 'group/g', type: 'group', targets: ['shell/app'] });
    expect(document.targets[3]).toMatchObject({ name: 'pipeline/p', type: 'pipeline', steps: ['shell/app', 'group/g'] });
    expect(readdirSync(project.folder)).toEqual(['Bachfile']);
  });

  test('[bach-dry-run-json-several] several targets: joined, and each by itself', async () => {
    const { stdout } = await bachProject(`${shell('a', 'true')}${shell('b', 'true')}`).bach(['--json', 'run', '-d', 'shell/a', 'shell.b', 'shell/a']);
    expect(JSON.parse(stdout)).toMatchObject({ target: 'shell/a shell/b', requested_targets: ['shell/a', 'shell/b'] });
  });

  test('[bach-dry-run-secrets] shows no secret, in neither form', async () => {
    const project = bachProject(`profile "p" {\n  env {\n    API_TOKEN = "s3cr3t-value-0123"\n  }\n}\n${shell('a', 'echo $API_TOKEN')}`);
    const text = await project.bach(['run', '-d', 'shell/a', '--profile', 'p']);
    const json = await project.bach(['run', '-d', '--json', 'shell/a', '--profile', 'p']);
    expect(text.stdout).toContain('[shell/a] sh -c echo ');
    expect(json.stdout).toContain('sh -c echo ');
    expect(`${text.stdout}${json.stdout}`).not.toContain('s3cr3t');
  });
});
