import { expect, test } from 'vitest';
import { inputReach } from '../../../src/bach/model/input-reach.ts';

test('each entry once, in the order met, through sets that lead to each other', () => {
  const sets = new Map([
    ['input/a', { sources: ['one', 'input/b', 'two'] }],
    ['input/b', { sources: ['input/a', 'three', 'one'] }],
  ]);
  expect(inputReach(['input/a', 'four', 'one'], sets)).toEqual(['input/a', 'one', 'input/b', 'three', 'two', 'four']);
});

test('more names than a call takes as arguments, as a plugin may give them', () => {
  const sources = Array.from({ length: 500_000 }, (_, index) => `m${index}`);
  const reached = inputReach(['plugin/g/all'], new Map([['plugin/g/all', { sources }]]));
  expect([reached.length, reached[1], reached.at(-1)]).toEqual([500_001, 'm0', 'm499999']);
});
