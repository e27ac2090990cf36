import { describe, expect, test } from 'vitest';
import { check, places, rulesBroken } from './support.ts';

const lines = (count: number) => 'export {};\n'.repeat(count);
const longFunction = (count: number) => `export function f(): void {\n${'  f();\n'.repeat(count - 2)}}\n`;

describe('hard caps', () => {
  test('lines of a file', () => {
    expect(rulesBroken(lines(500))).toEqual([]);
    expect(rulesBroken(lines(501))).toEqual(['file-lines']);
  });

  test('lines of a function', () => {
    expect(rulesBroken(longFunction(80))).toEqual([]);
    expect(rulesBroken(longFunction(81))).toEqual(['function-lines']);
  });

  test('parameters', () => {
    expect(rulesBroken('export function f(this: void, a: 1, b: 2, c: 3, d: 4): void {}\n')).toEqual([]);
    expect(rulesBroken('export const f = (a: 1, b: 2, c: 3, d: 4, e: 5) => [a, b, c, d, e];\n')).toEqual(['parameters']);
  });

  test('imports of a file', () => {
    const parts = Array.from({ length: 21 }, (_, index) => [`src/engine/a${index}.ts`, 'export {};\n']);
    const tree = (count: number) => ({
      ...Object.fromEntries(parts),
      'src/engine/index.ts': Array.from({ length: count }, (_, index) => `import './a${index}.ts';\n`).join(''),
    });
    expect(places(tree(20))).toEqual([]);
    expect(places(tree(21))).toEqual(['imports src/engine/index.ts:1:1']);
  });

  test.each([
    ['if', 'if (a) f();\n'],
    ['a conditional', 'f(a ? 1 : 2);\n'],
    ['&&', 'f(a && 1);\n'],
    ['??', 'f(a ?? 1);\n'],
    ['for', 'for (;;) f();\n'],
    ['for of', 'for (const b of a) f(b);\n'],
    ['while', 'while (a) f();\n'],
    ['catch', 'try { f(); } catch { f(); }\n'],
    ['||=', 'a ||= 1;\n'],
  ])('each %s is a path', (_, statement) => {
    const text = (count: number) => `export function f(a?: never): void {\n${statement.repeat(count)}}\n`;
    expect(rulesBroken(text(14))).toEqual([]);
    expect(rulesBroken(text(15))).toEqual(['cyclomatic']);
  });

  test('each case with a value is a path, and a function inside counts for itself', () => {
    const cases = (count: number) => Array.from({ length: count }, (_, index) => `case ${index}: return;\n`).join('');
    const text = (count: number) => `export function f(a: number): void { switch (a) {\n${cases(count)}default: } }\n`;
    expect(rulesBroken(text(14))).toEqual([]);
    expect(rulesBroken(text(15))).toEqual(['cyclomatic']);
    const branches = 'if (f) f();\n'.repeat(8);
    expect(rulesBroken(`export function f(): void {\n${branches}const g = () => {\n${branches}};\ng();\n}\n`)).toEqual([]);
  });

  test('a finding names the function and its place, counted in characters', () => {
    const text = `export const a = 'é😀'; export const wide = (a: 1, b: 2, c: 3, d: 4, e: 5) => [a, b, c, d, e];\n`;
    const column = text.indexOf('(a: 1') + 1;
    expect(check({ 'src/engine/index.ts': text })).toMatchObject([
      { line: 1, column, message: expect.stringContaining('wide takes 5 parameters') as string },
    ]);
  });
});
