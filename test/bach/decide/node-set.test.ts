import { expect, test } from 'vitest';
import { NodeSet } from '../../../src/bach/decide/node-set.ts';

test('a node is in it once, in the order of addition, until it is emptied', () => {
  const set = new NodeSet(5);
  for (const node of [3, 1, 3, 0, 1]) set.add(node);
  expect(set.nodes).toEqual([3, 1, 0]);
  expect([0, 1, 2, 3, 4].filter((node) => set.has(node))).toEqual([0, 1, 3]);
  set.clear();
  expect(set.nodes).toEqual([]);
  expect(set.has(3)).toBe(false);
  set.add(3);
  expect(set.nodes).toEqual([3]);
});

test('predecessors: the node with all that comes before it, each once, and nothing of before', () => {
  const before = [[], [0], [0], [1, 2], [3]];
  const set = new NodeSet(5);
  set.add(4);
  set.fillWithPredecessors(before, 3);
  expect(set.nodes).toEqual([3, 1, 2, 0]);
});
