import { describe, expect, test } from 'vitest';
import { executionGraph, type GraphTarget } from '../../../src/bach/decide/index.ts';
import { nodeName } from '../../../src/bach/decide/shape.ts';
import { aggregate, group, names, pipeline, planOf, shell, startOrder } from './fixtures.ts';

function edgesOf(targets: readonly GraphTarget[], requested: readonly string[]): string[] {
  const graph = executionGraph(planOf(targets, requested));
  const name = (node: number) => nodeName(graph, node);
  return graph.before.flatMap((nodes, to) => nodes.map((from) => `${name(from)} > ${name(to)}`)).sort();
}

function edgeCount(targets: readonly GraphTarget[], requested: readonly string[]): number {
  return executionGraph(planOf(targets, requested)).before.reduce((count, nodes) => count + nodes.length, 0);
}

const relaxedIn = (targets: readonly GraphTarget[], requested: readonly string[]) =>
  executionGraph(planOf(targets, requested)).relaxed.map(({ from, to }) => `${from} > ${to}`);

const shells = (text: string) => names(text).map((name) => shell(name));

describe('nodes and edges', () => {
  test('a pipeline: a barrier between two steps, edges at the roots of what is new', () => {
    const targets = [
      shell('base'),
      shell('a', { dependsOn: ['base'] }),
      shell('fresh'),
      shell('b', { dependsOn: ['base', 'fresh'] }),
      pipeline('p', ['a', 'b']),
    ];
    expect(edgesOf(targets, ['p'])).toEqual([
      '@barrier/p/0 > fresh',
      '@scope/p/start > p',
      'a > @barrier/p/0',
      'a > p',
      'b > p',
      'base > a',
      'base > b',
      'fresh > b',
    ]);
  });

  test('a group with dependencies gates what its members need, not what it needs itself', () => {
    const targets = [
      ...shells('setup lib'),
      shell('a', { dependsOn: ['setup', 'lib'] }),
      group('g', ['a', 'setup'], { dependsOn: ['setup'] }),
    ];
    expect(edgesOf(targets, ['g'])).toEqual([
      '@scope/g/start > g',
      'a > g',
      'lib > a',
      'setup > @scope/g/start',
      'setup > a',
      'setup > g',
      'setup > g',
      'setup > lib',
    ]);
  });

  test.each([
    ['nothing', {}, false],
    ['a lock', { lock: 'db' }, true],
    ['a timeout', { timeoutMs: 10 }, true],
  ])('a group with %s: its start delays the members: %s', (_, fields, delays) => {
    const edges = edgesOf([shell('a'), group('g', ['a'], fields)], ['g']);
    expect(edges.includes('@scope/g/start > a')).toBe(delays);
  });

  test('a barrier waits for the one before: a step may have run early', () => {
    const targets = [shell('y'), shell('x', { dependsOn: ['y'] }), shell('z'), pipeline('p', ['x', 'y', 'z'])];
    expect(edgesOf(targets, ['p'])).toEqual(
      expect.arrayContaining(['@barrier/p/0 > @barrier/p/1', '@barrier/p/1 > z', 'x > @barrier/p/0']),
    );
    expect(startOrder(targets, ['p'])).toEqual(names('y x z'));
  });
});

describe('declared order of steps (row 20)', () => {
  test('holds against the order of the request', () => {
    const targets = [...shells('first second third'), pipeline('p', names('first second third'))];
    expect(startOrder(targets, names('third second p'), 4)).toEqual(names('first second third'));
  });

  test('holds against a lane that was visited before', () => {
    const targets = [...shells('a b c'), group('early', ['c', 'b']), pipeline('p', ['a', 'b', 'c'])];
    expect(startOrder(targets, ['early', 'p'], 4)).toEqual(names('a b c'));
  });

  test('a repeated step collapses onto its first place', () => {
    const targets = [...shells('a b'), pipeline('p', ['a', 'b', 'a'])];
    expect(startOrder(targets, ['p'], 4)).toEqual(names('a b'));
  });

  test('what only the second step needs waits for the first', () => {
    const targets = [shell('slow'), shell('dep'), shell('b', { dependsOn: ['dep'] }), pipeline('p', ['slow', 'b'])];
    expect(startOrder(targets, ['p', 'dep'], 4)).toEqual(names('slow dep b'));
  });

  test("the pipeline's own dependencies are no part of a step", () => {
    const targets = [...shells('setup a b'), pipeline('p', ['a', 'b', 'setup'], { dependsOn: ['setup'] })];
    expect(startOrder(targets, ['p'], 4)).toEqual(names('setup a b'));
  });
});

describe('nested composites', () => {
  test('a lane that repeats an earlier step of the outer pipeline runs it once, and opens after it', () => {
    const targets = [
      ...shells('build test'),
      pipeline('lane', ['build', 'test'], { lock: 'db', timeoutMs: 50 }),
      pipeline('outer', ['build', 'lane']),
    ];
    expect(relaxedIn(targets, ['outer'])).toEqual([]);
    expect(edgesOf(targets, ['outer'])).toContain('@barrier/outer/0 > @scope/lane/start');
    expect(edgesOf(targets, ['outer'])).not.toContain('@scope/lane/start > build');
    expect(startOrder(targets, ['outer'])).toEqual(names('build test'));
  });

  test('the next step waits for all members of a group and what they need', () => {
    const targets = [
      ...shells('dep b next'),
      shell('a', { dependsOn: ['dep'] }),
      group('checks', ['a', 'b']),
      pipeline('release', ['checks', 'next']),
    ];
    expect(startOrder(targets, ['release'], 4)).toEqual(names('dep b a next'));
  });

  test('pipelines inside pipelines', () => {
    const targets = [
      ...shells('a1 a2 b1 b2 z'),
      pipeline('a', ['a1', 'a2']),
      pipeline('b', ['b1', 'b2']),
      pipeline('all', ['a', 'b', 'z']),
    ];
    expect(startOrder(targets, ['all'], 8)).toEqual(names('a1 a2 b1 b2 z'));
  });

  test('an empty pipeline and an empty group are done at once', () => {
    const targets = [pipeline('p', []), group('g', []), shell('a'), pipeline('q', names('p g a'))];
    expect(startOrder(targets, ['q'])).toEqual(['a']);
  });
});

describe('contradictions', () => {
  const contrary = [...shells('a b'), pipeline('p', ['a', 'b']), pipeline('q', ['b', 'a'])];

  test('of two contrary pipelines the first planned wins, the other edge is listed', () => {
    expect(relaxedIn(contrary, ['p', 'q'])).toEqual(['@barrier/q/0 > a']);
    expect(startOrder(contrary, ['p', 'q'], 4)).toEqual(names('a b'));
    expect(relaxedIn(contrary, ['q', 'p'])).toEqual(['@barrier/p/0 > b']);
    expect(startOrder(contrary, ['q', 'p'], 4)).toEqual(names('b a'));
  });

  test('the outer pipeline wins over the inner one', () => {
    const targets = [...shells('a b'), pipeline('inner', ['b', 'a']), pipeline('outer', ['a', 'b', 'inner'])];
    expect(relaxedIn(targets, ['inner', 'outer'])).toEqual(['@barrier/inner/0 > a']);
    expect(startOrder(targets, ['inner', 'outer'], 4)).toEqual(names('a b'));
  });

  test('dependencies win over steps, silently: the later step was needed earlier', () => {
    const targets = [shell('y'), shell('x', { dependsOn: ['y'] }), pipeline('p', ['x', 'y'])];
    expect(relaxedIn(targets, ['p'])).toEqual([]);
  });

  test('R33 lanes that depend on each other run without deadlock', () => {
    const targets = [
      ...shells('b1'),
      shell('a1'),
      shell('a2', { dependsOn: ['b2'] }),
      shell('b2'),
      pipeline('a', ['a1', 'a2']),
      pipeline('b', ['b1', 'b2']),
      group('lanes', ['a', 'b']),
    ];
    expect(relaxedIn(targets, ['lanes'])).toEqual([]);
    const order = startOrder(targets, ['lanes'], 1);
    expect(order.indexOf('b2')).toBeLessThan(order.indexOf('a2'));
    expect(order.indexOf('b1')).toBeLessThan(order.indexOf('b2'));
    expect(order).toHaveLength(4);
  });

  test('lanes whose first steps need the last of the other: one barrier gives way', () => {
    const targets = [
      shell('a1', { dependsOn: ['b2'] }),
      shell('a2'),
      shell('b1', { dependsOn: ['a2'] }),
      shell('b2'),
      shell('aside', { dependsOn: ['a2', 'b2'] }),
      pipeline('a', ['a1', 'a2', 'aside']),
      pipeline('b', ['b1', 'b2']),
      group('lanes', ['a', 'b']),
    ];
    expect(relaxedIn(targets, ['lanes'])).toEqual(['@barrier/b/0 > b2']);
    expect(startOrder(targets, ['lanes'], 1)).toEqual(names('b2 a1 a2 aside b1'));
  });

  test('where the edge at a root gives way, what waits for that root is still held back', () => {
    const targets = [
      shell('root'),
      shell('b', { dependsOn: ['root'] }),
      shell('a'),
      pipeline('first', ['root', 'a']),
      pipeline('second', ['a', 'b']),
    ];
    expect(relaxedIn(targets, ['first', 'second'])).toEqual(['@barrier/second/0 > root']);
    expect(startOrder(targets, ['first', 'second'], 4)).toEqual(names('root a b'));
  });
});

describe('size', () => {
  const many = Array.from({ length: 10_000 }, (_, i) => `t${i}`);
  const steps = Array.from({ length: 1_000 }, (_, i) => `s${i}`);

  test('1,000 steps over a shared closure of 10,000 targets: edges grow with targets and steps', () => {
    const targets = [
      ...many.map((name) => shell(name)),
      aggregate('base', many),
      ...steps.map((name) => shell(name, { dependsOn: ['base'] })),
      pipeline('p', steps),
    ];
    expect(edgeCount(targets, ['p'])).toBeLessThan(10_000 + 6 * 1_000);
  });

  test('200 pipelines over one base share it', () => {
    const lanes = steps.slice(0, 200).map((name) => pipeline(`p-${name}`, ['base', name]));
    const base = [...many.map((name) => shell(name)), aggregate('base', many)];
    const all = group('all', lanes.map(({ name }) => name));
    const targets = [...base, ...steps.map((name) => shell(name)), ...lanes, all];
    expect(edgeCount(targets, ['all'])).toBeLessThan(10_000 + 8 * 200);
  });

  test('200 groups with one lock over one base', () => {
    const base = [...steps.map((name) => shell(name)), aggregate('base', steps)];
    const own = many.slice(0, 200).map((name) => shell(name));
    const groups = own.map(({ name }) => group(`g-${name}`, ['base', name], { lock: 'db' }));
    expect(edgeCount([...base, ...own, ...groups], groups.map(({ name }) => name))).toBeLessThan(2 * 1_000 + 8 * 200);
  });

  test('300 pipelines nested in each other', () => {
    const inside = (name: string, i: number) => (i > 0 ? [name, `p${i - 1}`] : [name]);
    const nest = steps.slice(0, 300).flatMap((name, i) => [shell(name), pipeline(`p${i}`, inside(name, i))]);
    expect(edgeCount(nest, ['p299'])).toBeLessThan(300 * 8);
  });
});
