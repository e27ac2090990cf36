import { describe, expect, test } from 'vitest';
import { bachProject } from '../../support/bach-project.ts';

const FILE = `
profile "staging" {}
shell "base" {
  description = "The base"
  cost = "low"
  lock = "db"
  remote = true
}
shell "build" { depends_on = [shell.base] }
shell "test" {}
group "checks" { targets = [shell.test] }
pipeline "release" { steps = [group.checks, shell.build] }
`;

describe('bach graph', () => {
  test.each([[['graph']], [['graph', '--format', 'mermaid']], [['graph', '--format=mermaid']]])('%j draws a flowchart', async (argv) => {
    const { exit, stdout, stderr } = await bachProject(FILE).bach(argv);
    expect({ exit, stderr }).toEqual({ exit: 0, stderr: '' });
    expect(stdout.split('\n')).toEqual([
      'flowchart TD',
      '  n0["group/checks\\ngroup"]',
      '  n1["pipeline/release\\npipeline\\nrisks=remote"]',
      '  n2["shell/base\\nshell\\nlock=db\\nrisks=remote"]',
      '  n3["shell/build\\nshell\\nrisks=remote"]',
      '  n4["shell/test\\nshell"]',
      '  n0 -- group_member --> n4',
      '  n1 -- pipeline_step 1 --> n0',
      '  n1 -- pipeline_step 2 --> n3',
      '  n3 -- depends_on --> n2',
      '',
    ]);
  });

  test.each([[['graph', '--format', 'json']], [['graph', '--json']], [['--json', 'graph', '--format', 'mermaid']]])('%j prints the document', async (argv) => {
    const { exit, stdout, stderr } = await bachProject(FILE).bach(argv);
    expect({ exit, stderr }).toEqual({ exit: 0, stderr: '' });
    expect(stdout.startsWith('{\n  "nodes": [\n    {\n      "name": "group/checks"')).toBe(true);
    expect(JSON.parse(stdout)).toEqual({
      nodes: [
        { name: 'group/checks', kind: 'group' },
        { name: 'pipeline/release', kind: 'pipeline', remote: true, risks: ['remote'] },
        { name: 'shell/base', kind: 'shell', description: 'The base', cost: 'low', lock: 'db', remote: true, risks: ['remote'] },
        { name: 'shell/build', kind: 'shell', remote: true, risks: ['remote'] },
        { name: 'shell/test', kind: 'shell' },
      ],
      edges: [
        { from: 'group/checks', to: 'shell/test', type: 'group_member' },
        { from: 'pipeline/release', to: 'group/checks', type: 'pipeline_step', order: 1 },
        { from: 'pipeline/release', to: 'shell/build', type: 'pipeline_step', order: 2 },
        { from: 'shell/build', to: 'shell/base', type: 'depends_on' },
      ],
    });
  });

  test('selected profiles are named in their order', async () => {
    const { stdout } = await bachProject(`${FILE}profile "b" {}\n`).bach(['--profile', 'staging', '--profile', 'b', 'graph', '--json']);
    expect((JSON.parse(stdout) as { profiles: unknown }).profiles).toEqual(['staging', 'b']);
  });

  test('orders that give way are listed', async () => {
    const contrary = 'shell "a" {}\nshell "b" {}\npipeline "p" { steps = [shell.a, shell.b] }\npipeline "q" { steps = [shell.b, shell.a] }\n';
    const { stdout } = await bachProject(contrary).bach(['graph', '--format', 'json']);
    expect((JSON.parse(stdout) as { relaxed: unknown }).relaxed).toEqual([{ from: 'shell/a', to: '@barrier/pipeline/q/0', type: 'barrier' }]);
  });

  test('a target in a circle of dependencies is left out', async () => {
    const { exit, stdout } = await bachProject('shell "a" { depends_on = [shell.b] }\nshell "b" { depends_on = [shell.a] }\nshell "ok" {}\n').bach(['graph']);
    expect({ exit, stdout }).toEqual({ exit: 0, stdout: 'flowchart TD\n  n0["shell/ok\\nshell"]\n' });
  });

  test('a circle through groups is refused at load', async () => {
    const { exit, stdout, stderr } = await bachProject('group "a" { targets = [group.a] }\n').bach(['graph']);
    expect({ exit, stdout }).toEqual({ exit: 1, stdout: '' });
    expect(stderr).toContain('composite target cycle includes "group/a"');
  });

  test.each([
    [['graph', '--format', 'dot'], 'unsupported graph format "dot"\n'],
    [['graph', '--format', ''], 'unsupported graph format ""\n'],
    [['graph', 'shell/a'], 'usage: bach graph'],
    [['graph', '--format'], 'needs a value'],
  ])('%j is wrong use', async (argv, message) => {
    const { exit, stdout, stderr } = await bachProject(FILE).bach(argv);
    expect({ exit, stdout }).toEqual({ exit: 2, stdout: '' });
    expect(stderr).toContain(message);
  });
});
