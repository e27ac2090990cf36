import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { effectiveRisks, graphView, mermaidLines, planRun } from '../../../../src/bach/decide/index.ts';
import type { Policy, Target } from '../../../../src/bach/model/index.ts';
import { implementer, policy, project, target } from './fixtures.ts';

const REMOTE = { remote: true, destructive: false, requiresConfirmation: false };

function viewOf(targets: readonly Target[], policies: readonly Policy[] = []) {
  const whole = project({ targets, policies });
  return graphView(whole, effectiveRisks(whole.targets));
}

const edgeLines = (targets: readonly Target[]): readonly string[] =>
  viewOf(targets).edges.map(({ from, to, type, order }) => [from, type, order, to].filter((part) => part !== undefined).join(' '));

const nodeNames = (targets: readonly Target[]): readonly string[] => viewOf(targets).nodes.map(({ name }) => name);

describe('nodes', () => {
  test('by name, with what they say and inherited risks through all three kinds of edge', () => {
    const targets = [
      target('shell/d', { dependsOn: ['shell/r'] }),
      target('shell/r', { risks: REMOTE, description: 'far', cost: 'high', lock: 'net' }),
      target('pipeline/p', { children: ['shell/d'] }),
      target('group/g', { children: ['pipeline/p'] }),
      target('shell/calm'),
    ];
    expect(viewOf(targets).nodes.map(({ name, kind, description, cost, lock, risks }) => [name, kind, description, cost, lock, risks])).toEqual([
      ['group/g', 'group', '', '', '', ['remote']],
      ['pipeline/p', 'pipeline', '', '', '', ['remote']],
      ['shell/calm', 'shell', '', '', '', []],
      ['shell/d', 'shell', '', '', '', ['remote']],
      ['shell/r', 'shell', 'far', 'high', 'net', ['remote']],
    ]);
  });

  test('an agent with a policy brings a generated node with the risks of what it requires; a standalone one is hidden', () => {
    const targets = [target('agent/x', { agent: implementer('merge') }), target('shell/r', { risks: REMOTE })];
    const policies = [policy('merge', ['shell/r']), policy('other', ['shell/r'], { subject: 'agent.y' })];
    expect(viewOf(targets, policies).nodes.map(({ name, kind, risks }) => [name, kind, risks])).toEqual([
      ['agent/x', 'agent', []],
      ['policy/merge@agent.x', 'policy', ['remote']],
      ['shell/r', 'shell', ['remote']],
    ]);
  });

  test.each([
    ['itself', [target('shell/a', { dependsOn: ['shell/a'] }), target('shell/b')]],
    ['another that needs it', [target('shell/a', { dependsOn: ['shell/c'] }), target('shell/c', { dependsOn: ['shell/a'] }), target('shell/b')]],
  ])('what needs %s is left out, and all that needs it', (_, circle) => {
    const targets = [...circle, target('shell/x', { dependsOn: ['shell/a', 'shell/b'] }), target('group/g', { children: ['shell/x', 'shell/b'] })];
    expect(nodeNames(targets)).toEqual(['shell/b']);
    expect(edgeLines(targets)).toEqual([]);
  });

  test('what a circle itself needs stays', () => {
    const targets = [target('shell/a', { dependsOn: ['shell/a', 'shell/b'] }), target('shell/b', { dependsOn: ['shell/c'] }), target('shell/c')];
    expect(nodeNames(targets)).toEqual(['shell/b', 'shell/c']);
  });

  test('left out is exactly what can never run', () => {
    const names = ['shell/a', 'shell/b', 'shell/c', 'shell/d', 'shell/e'];
    const links = fc.tuple(...names.map(() => fc.subarray(names, { maxLength: 2 })));
    fc.assert(
      fc.property(links, (needs) => {
        const targets = names.map((name, index) => target(name, { dependsOn: needs[index] ?? [] }));
        const whole = project({ targets });
        const runnable = names.filter((name) => planRun(whole.targets, [name]).ok);
        expect(nodeNames(targets)).toEqual(runnable);
      }),
      { numRuns: 300 },
    );
  });

  test('a chain of 10,000 targets', () => {
    const chain = Array.from({ length: 10_000 }, (_, i) => target(`shell/t${i}`, { dependsOn: i === 0 ? [] : [`shell/t${i - 1}`] }));
    const { nodes, edges } = viewOf(chain);
    expect([nodes.length, edges.length]).toEqual([10_000, 9_999]);
  });
});

describe('edges', () => {
  test('from who needs to what is needed; by from, type, order, to', () => {
    const targets = [
      target('shell/a'),
      target('shell/b', { dependsOn: ['shell/a', 'shell/a'] }),
      target('pipeline/p', { dependsOn: ['shell/c'], children: ['shell/b', 'shell/a', 'shell/b'] }),
      target('group/g', { dependsOn: ['shell/c'], children: ['shell/b', 'shell/a', 'shell/b'] }),
      target('shell/c'),
    ];
    expect(edgeLines(targets)).toEqual([
      'group/g depends_on shell/c',
      'group/g group_member shell/a',
      'group/g group_member shell/b',
      'pipeline/p depends_on shell/c',
      'pipeline/p pipeline_step 1 shell/b',
      'pipeline/p pipeline_step 2 shell/a',
      'pipeline/p pipeline_step 3 shell/b',
      'shell/b depends_on shell/a',
    ]);
  });

  test('ten steps come in their order', () => {
    const names = Array.from({ length: 11 }, (_, i) => `shell/t${10 - i}`);
    const view = viewOf([...names.map((name) => target(name)), target('pipeline/p', { children: names })]);
    expect(view.edges.map(({ order }) => order)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11]);
  });
});

describe('relaxed', () => {
  const shells = [target('shell/a'), target('shell/b')];

  test('nothing where no order contradicts another', () => {
    expect(viewOf([...shells, target('pipeline/p', { children: ['shell/a', 'shell/b'] })]).relaxed).toEqual([]);
    expect(viewOf([]).relaxed).toEqual([]);
  });

  test('of two contrary pipelines that of the later name gives way when all runs', () => {
    const contrary = [...shells, target('pipeline/q', { children: ['shell/b', 'shell/a'] }), target('pipeline/p', { children: ['shell/a', 'shell/b'] })];
    expect(viewOf(contrary).relaxed).toEqual([{ from: 'shell/a', to: '@barrier/pipeline/q/0' }]);
  });

  test('what gives way only where a composite runs alone is told too', () => {
    const targets = [
      ...shells,
      target('pipeline/p', { children: ['shell/a', 'shell/b'] }),
      target('pipeline/q', { children: ['shell/b', 'shell/a'] }),
      target('group/z', { children: ['pipeline/q', 'pipeline/p'] }),
    ];
    const alone = viewOf(targets).relaxed.map(({ from, to }) => `${from} ${to}`);
    expect(alone).toEqual(['shell/b @barrier/pipeline/p/0']);
  });
});

describe('mermaid', () => {
  test('boxes, then arrows; a line of its own for lock and risks', () => {
    const targets = [
      target('shell/r', { risks: { remote: true, destructive: true, requiresConfirmation: false }, lock: 'net' }),
      target('pipeline/p', { children: ['shell/r'], dependsOn: ['shell/b'] }),
      target('group/g', { children: ['shell/b'] }),
      target('shell/b'),
    ];
    expect(mermaidLines(viewOf(targets))).toEqual([
      'flowchart TD',
      '  n0["group/g\\ngroup"]',
      '  n1["pipeline/p\\npipeline\\nrisks=remote,destructive"]',
      '  n2["shell/b\\nshell"]',
      '  n3["shell/r\\nshell\\nlock=net\\nrisks=remote,destructive"]',
      '  n0 -- group_member --> n2',
      '  n1 -- depends_on --> n2',
      '  n1 -- pipeline_step 1 --> n3',
    ]);
  });

  test('quotes and bars are escaped, in the lock as well, and a line break ends no box', () => {
    expect(mermaidLines(viewOf([target('shell/a"b|c', { lock: 'x"\n|' })]))).toEqual([
      'flowchart TD',
      '  n0["shell/a\\"b\\|c\\nshell\\nlock=x\\" \\|"]',
    ]);
  });

  test('a project without targets is an empty chart', () => {
    expect(mermaidLines(viewOf([]))).toEqual(['flowchart TD']);
  });
});

test('a project without targets has no order that gives way', () => {
  expect(viewOf([])).toEqual({ nodes: [], edges: [], relaxed: [] });
});

test('a dependency that nobody declares leads nowhere', () => {
  expect(nodeNames([target('shell/a', { dependsOn: ['shell/nowhere'] })])).toEqual(['shell/a']);
});
