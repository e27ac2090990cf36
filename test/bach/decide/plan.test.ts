import { describe, expect, test } from 'vitest';
import { planRun } from '../../../src/bach/decide/index.ts';
import { group, mapOf, names, pipeline, planOf, shell } from './fixtures.ts';

const diamond = [
  shell('shell/all', { dependsOn: ['shell/lint', 'shell/test'] }),
  shell('shell/lint', { dependsOn: ['shell/setup'] }),
  shell('shell/test', { dependsOn: ['shell/setup'] }),
  shell('shell/setup'),
];

function failureOf(targets: Parameters<typeof mapOf>[0], requested: string[]) {
  const plan = planRun(mapOf(targets), requested);
  return plan.ok ? 'planned' : { code: plan.error.code, message: plan.error.message, exit: plan.error.exit };
}

describe('visit order', () => {
  test('R01 a diamond has its shared node once, before both', () => {
    expect(planOf(diamond, ['shell/all']).order).toEqual(names('shell/setup shell/lint shell/test shell/all'));
  });

  test('dependencies come first, then children, then the target', () => {
    const targets = [
      pipeline('pipeline/p', ['shell/one', 'shell/two'], { dependsOn: ['shell/late', 'shell/early'] }),
      ...['one', 'two', 'early', 'late'].map((name) => shell(`shell/${name}`)),
    ];
    expect(planOf(targets, ['pipeline/p']).order).toEqual(
      names('shell/late shell/early shell/one shell/two pipeline/p'),
    );
  });

  test('requested targets follow in the order given, each with what it needs', () => {
    expect(planOf(diamond, names('shell/test shell/lint')).order).toEqual(names('shell/setup shell/test shell/lint'));
  });

  test('only what is needed is planned, with its index', () => {
    const plan = planOf(diamond, ['shell/lint']);
    expect([...plan.indexOf]).toEqual([
      ['shell/lint', 1],
      ['shell/setup', 0],
    ]);
    expect(plan.targets.map((target) => target.name)).toEqual(plan.order);
  });

  test('10,000 dependencies in a chain and 10,000 nested groups are no stack overflow', () => {
    const before = (kind: string, i: number) => (i > 0 ? [`${kind}/${i - 1}`] : []);
    const chain = Array.from({ length: 10_000 }, (_, i) => shell(`shell/${i}`, { dependsOn: before('shell', i) }));
    expect(planOf(chain, ['shell/9999']).order.at(-1)).toBe('shell/9999');
    const nest = Array.from({ length: 10_000 }, (_, i) => group(`group/${i}`, before('group', i)));
    expect(planOf(nest, ['group/9999']).order).toHaveLength(10_000);
  });
});

describe('requested names', () => {
  const requestedOf = (...requested: string[]) => {
    const plan = planRun(mapOf(diamond), requested);
    return plan.ok ? plan.requested : plan.error.message;
  };

  test('R02 R35 repeats collapse, first seen first', () => {
    expect(requestedOf('shell/lint', 'shell/test', 'shell/lint')).toEqual(['shell/lint', 'shell/test']);
    const plan = planRun(mapOf(diamond), ['shell/lint', 'shell/test', 'shell/lint']);
    expect(plan).toMatchObject({ label: 'shell/lint shell/test', order: names('shell/setup shell/lint shell/test') });
  });

  test('the dotted form of a reference is understood', () => {
    expect(requestedOf('shell.lint', 'shell/lint', 'shell.test')).toEqual(['shell/lint', 'shell/test']);
  });

  test('a name with dots of its own is left alone', () => {
    const targets = mapOf([shell('plain.name'), shell('shell/v1.2'), shell('shell/v1')]);
    const plan = planRun(targets, ['plain.name', 'shell/v1.2', 'shell.v1.2']);
    expect(plan).toMatchObject({ ok: true, requested: ['plain.name', 'shell/v1.2'] });
  });

  test('empty names are dropped, and nothing left is an error of usage', () => {
    expect(requestedOf('', 'shell/lint', '')).toEqual(['shell/lint']);
    const failure = { code: 'no-targets', message: 'no targets provided', exit: 2 };
    expect(failureOf(diamond, [])).toEqual(failure);
    expect(failureOf(diamond, ['', ''])).toEqual(failure);
  });
});

describe('what cannot be planned', () => {
  test('an unknown target comes with the nearest name', () => {
    expect(failureOf(diamond, ['shell/tset'])).toEqual({
      code: 'unknown-target',
      message: 'unknown target "shell/tset"; did you mean "shell/test"?',
      exit: 1,
    });
    expect(failureOf(diamond, ['nothing/like/it'])).toMatchObject({ message: 'unknown target "nothing/like/it"' });
  });

  test.each(['test', 'tset', 'group/test', 'shelltest'])('a name without its type, or with another, is recognised: %s', (name) => {
    expect(failureOf(diamond, [name])).toMatchObject({ message: `unknown target "${name}"; did you mean "shell/test"?` });
  });

  test('an unknown dependency is named', () => {
    expect(failureOf([shell('shell/a', { dependsOn: ['shell/missing'] })], ['shell/a'])).toMatchObject({
      message: 'unknown target "shell/missing"',
    });
  });

  test.each([
    ['a target that depends on itself', [shell('a', { dependsOn: ['a'] })]],
    ['a circle of two', [shell('a', { dependsOn: ['b'] }), shell('b', { dependsOn: ['a'] })]],
    [
      'a pipeline in it by depends_on alone',
      [shell('a', { dependsOn: ['p'] }), pipeline('p', [], { dependsOn: ['a'] })],
    ],
  ])('dependency cycle: %s', (_, targets) => {
    expect(failureOf(targets, ['a'])).toEqual({
      code: 'dependency-cycle',
      message: 'dependency cycle includes "a"',
      exit: 1,
    });
  });

  test.each([
    ['a group that is its own member', [group('a', ['a'])]],
    ['a group and a pipeline in each other', [group('a', ['p']), pipeline('p', ['a'])]],
    ['a step that depends on its pipeline', [pipeline('a', ['b']), shell('b', { dependsOn: ['a'] })]],
  ])('composite cycle: %s', (_, targets) => {
    expect(failureOf(targets, ['a'])).toEqual({
      code: 'composite-target-cycle',
      message: 'composite target cycle includes "a"',
      exit: 1,
    });
  });

  test('steps on the way to a circle of dependencies do not make it a composite one', () => {
    const targets = [pipeline('p', ['a']), shell('a', { dependsOn: ['b'] }), shell('b', { dependsOn: ['a'] })];
    expect(failureOf(targets, ['p'])).toMatchObject({ message: 'dependency cycle includes "a"' });
  });

  test('a cycle elsewhere does not matter', () => {
    const loop = [shell('x', { dependsOn: ['y'] }), shell('y', { dependsOn: ['x'] })];
    expect(failureOf([...diamond, ...loop], ['shell/all'])).toBe('planned');
  });
});
