import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { components } from '../../../src/bach/decide/components.ts';
import { compositeCycle } from '../../../src/bach/decide/index.ts';
import { group, mapOf, pipeline, shell } from './fixtures.ts';

describe('composite cycles at load', () => {
  const cycleOf = (...targets: Parameters<typeof mapOf>[0]) => compositeCycle(mapOf(targets))?.message;

  test.each([
    ['itself', [pipeline('p', ['p'])]],
    ['each other', [pipeline('p', ['g']), group('g', ['p'])]],
    ['through a dependency of a step', [shell('a', { dependsOn: ['p'] }), pipeline('p', ['a'])]],
    [
      'on another way than the plain cycle',
      [pipeline('p', ['a'], { dependsOn: ['a'] }), shell('a', { dependsOn: ['p'] })],
    ],
  ])('found: %s', (_, targets) => {
    expect(cycleOf(...targets)).toBe('composite target cycle includes "p"');
    expect(compositeCycle(mapOf(targets))?.target).toBe('p');
  });

  test.each([
    ['no composite at all', [shell('a', { dependsOn: ['a'] })]],
    ['dependencies alone, beside a pipeline', [shell('a', { dependsOn: ['a'] }), pipeline('p', ['a'])]],
    [
      'a composite on a cycle of dependencies',
      [shell('a', { dependsOn: ['p'] }), pipeline('p', ['b'], { dependsOn: ['a'] }), shell('b')],
    ],
    ['shared members', [pipeline('p', ['g', 'a']), group('g', ['a']), shell('a')]],
    ['references to nothing', [pipeline('p', ['nowhere'], { dependsOn: ['nothing'] })]],
  ])('not found: %s', (_, targets) => {
    expect(cycleOf(...targets)).toBeUndefined();
  });

  test('the first declared composite of the cycle is named', () => {
    expect(cycleOf(group('out', ['b']), group('b', ['a']), group('a', ['b']))).toBe(
      'composite target cycle includes "b"',
    );
  });

  test('10,000 groups in a circle are no stack overflow', () => {
    const circle = Array.from({ length: 10_000 }, (_, i) => group(`g${i}`, [`g${(i + 1) % 10_000}`]));
    expect(cycleOf(...circle)).toBe('composite target cycle includes "g0"');
  });
});

describe('components', () => {
  const graph = fc.integer({ min: 1, max: 9 }).chain((size) => {
    const node = fc.nat(size - 1);
    return fc.array(fc.array(node, { maxLength: 3 }), { minLength: size, maxLength: size });
  });

  test('two nodes share a component exactly when each reaches the other', () => {
    fc.assert(
      fc.property(graph, (links) => {
        const { of, count } = components(links);
        const reach = links.map((_, node) => reachable(links, node));
        for (const a of links.keys()) {
          for (const b of links.keys()) expect(of[a] === of[b]).toBe(reach[a]!.has(b) && reach[b]!.has(a));
        }
        expect(new Set(of).size).toBe(count);
      }),
      { numRuns: 300, seed: 11 },
    );
  });

  function reachable(links: readonly (readonly number[])[], from: number): Set<number> {
    const seen = new Set([from]);
    for (const node of seen) for (const link of links[node]!) seen.add(link);
    return seen;
  }
});
