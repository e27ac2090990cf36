import fc from 'fast-check';
import { expect, test } from 'vitest';
import { NodeHeap } from '../../../src/bach/decide/node-heap.ts';

const RANK = Int32Array.from([3, 1, 4, 0, 5, 9, 2, 6, 8, 7]);
const byRank = (a: number, b: number) => RANK[a]! - RANK[b]!;
const drain = (heap: NodeHeap) => Array.from({ length: heap.nodes.length }, () => heap.pop());

function heapOf(nodes: readonly number[]): NodeHeap {
  const heap = new NodeHeap(RANK);
  for (const node of nodes) heap.push(node);
  return heap;
}

test('an empty heap gives nothing, again and again', () => {
  const heap = heapOf([]);
  expect([heap.pop(), heap.pop(), heap.extract(() => true)]).toEqual([undefined, undefined, []]);
});

test('nodes come out by rank, whatever the order in', () => {
  const nodes = fc.uniqueArray(fc.nat(9));
  fc.assert(
    fc.property(nodes, (given) => {
      expect(drain(heapOf(given))).toEqual([...given].sort(byRank));
    }),
    { seed: 3 },
  );
});

test('what is taken out of the middle leaves the rest in order', () => {
  fc.assert(
    fc.property(fc.uniqueArray(fc.nat(9)), fc.nat(9), (given, limit) => {
      const heap = heapOf(given);
      expect(heap.extract((node) => node < limit).sort(byRank)).toEqual(given.filter((n) => n < limit).sort(byRank));
      expect(drain(heap)).toEqual(given.filter((node) => node >= limit).sort(byRank));
    }),
    { seed: 4 },
  );
});

test('pushes and pops may alternate', () => {
  const heap = heapOf([0, 4]);
  expect(heap.pop()).toBe(0);
  heap.push(3);
  heap.push(5);
  expect(drain(heap)).toEqual([3, 4, 5]);
});
