import { describe, expect, test } from 'vitest';
import { cellsOf, cutToCells } from '../../../src/kernel/terminal/cells.ts';

test.each([
  ['', 0],
  ['shell/build', 11],
  ['é', 1],
  ['e\u0301', 1],
  ['構建', 4],
  ['한국', 4],
  ['ｆｕｌｌ', 8],
  ['🚀', 2],
  ['a🚀b', 4],
])('%j takes %i columns', (text, expected) => {
  expect(cellsOf(text)).toBe(expected);
});

describe('cutting', () => {
  test.each([
    ['abcdef', 6, 'abcdef'],
    ['abcdef', 5, 'ab...'],
    ['abcdef', 3, '...'],
    ['abcdef', 0, ''],
    ['構建構建', 7, '構建...'],
    ['構建構建', 6, '構...'],
  ])('%j to %i columns', (text, limit, expected) => {
    expect(cutToCells(text, limit)).toBe(expected);
  });
});
