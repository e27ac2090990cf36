import { expect, test } from 'vitest';
import { compositeEdges, dependencyEdges } from '../../../src/bach/decide/index.ts';
import { group, names, pipeline, planOf, shell } from './fixtures.ts';

const targets = [
  shell('c', { dependsOn: ['b', 'a'] }),
  shell('b', { dependsOn: ['a'] }),
  shell('a'),
  pipeline('p', ['c', 'a', 'c'], { dependsOn: ['b'] }),
  group('g', ['p', 'b']),
];

test('dependency edges go from dependency to dependent, in plan order of both', () => {
  const plan = planOf(targets, ['g']);
  expect(plan.order).toEqual(names('a b c p g'));
  expect(dependencyEdges(plan)).toEqual([
    { from: 'a', to: 'b' },
    { from: 'a', to: 'c' },
    { from: 'b', to: 'c' },
    { from: 'b', to: 'p' },
  ]);
});

test('composite edges name their kind, a repeated step once', () => {
  expect(compositeEdges(planOf(targets, ['g']))).toEqual([
    { from: 'a', to: 'p', kind: 'pipeline_step' },
    { from: 'c', to: 'p', kind: 'pipeline_step' },
    { from: 'b', to: 'g', kind: 'group_member' },
    { from: 'p', to: 'g', kind: 'group_member' },
  ]);
});
