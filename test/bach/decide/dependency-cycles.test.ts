import { expect, test } from 'vitest';
import { dependencyCycles } from '../../../src/bach/decide/index.ts';
import { mapOf, shell } from './fixtures.ts';

function messagesOf(edges: Readonly<Record<string, readonly string[]>>): readonly string[] {
  const targets = Object.entries(edges).map(([name, dependsOn]) => shell(name, { dependsOn }));
  return dependencyCycles(mapOf(targets)).map(({ message }) => message.replace('dependency cycle includes ', ''));
}

test.each<readonly [name: string, edges: Readonly<Record<string, readonly string[]>>, told: readonly string[]]>([
  ['none', { a: ['b', 'c'], b: ['c'], c: [] }, []],
  ['one target', { a: ['a'] }, ['"a": a -> a']],
  ['two of them', { a: ['b'], b: ['a'], c: ['d'], d: ['e'], e: ['c'] }, ['"a": a -> b -> a', '"c": c -> d -> e -> c']],
  ['who only leads there or comes from there is not on it', { x: ['a'], a: ['b'], b: ['a', 'y'], y: [] }, ['"a": a -> b -> a']],
  ['the shortest of those that are knotted', { a: ['b'], b: ['c'], c: ['d', 'a'], d: ['a'] }, ['"a": a -> b -> c -> a']],
  ['what two of them name is looked at once', { a: ['b', 'c'], b: ['d'], c: ['d'], d: ['a'] }, ['"a": a -> b -> d -> a']],
  ['a target that does not exist is passed over', { a: ['gone', 'a'] }, ['"a": a -> a']],
])('circles: %s', (_, edges, told) => {
  expect(messagesOf(edges)).toEqual(told);
});

test('a long one is told by its first twenty', () => {
  const edges = Object.fromEntries(Array.from({ length: 30 }, (_, at) => [`t${at}`, [`t${(at + 1) % 30}`]]));
  const first = Array.from({ length: 20 }, (_, at) => `t${at}`).join(' -> ');
  expect(messagesOf(edges)).toEqual([`"t0": ${first} -> (10 others) -> t0`]);
});
