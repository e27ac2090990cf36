import { describe, expect, test } from 'vitest';
import { check, places, rulesBroken } from './support.ts';

const pure = (text: string) => rulesBroken(`${text}\n`, 'src/bach/decide/index.ts');

describe('purity of model/ and decide/', () => {
  test.each([
    "export { readFileSync } from 'node:fs';",
    "export { readFileSync } from 'fs';",
    "export const load = () => import('node:os');",
    "export { z } from 'zod';",
    'export const now = () => Date.now();',
    'export const now = () => new Date();',
    'export const then = () => new Date(0);',
    'export const now = () => Date();',
    'export const dice = () => Math.random();',
    'export const home = () => process.env;',
    "export const say = () => console.log('x');",
    'export const now = () => performance.now();',
    'export const later = () => setTimeout(() => {}, 1);',
    "export const get = () => fetch('x');",
    'export const id = () => crypto.randomUUID();',
    'export const all = () => globalThis;',
    'export const text = (value: number) => value.toLocaleString();',
    'export const upper = (value: string) => value.toLocaleUpperCase();',
    'export const order = (a: string, b: string) => a.localeCompare(b);',
    "export const show = () => new Intl.NumberFormat('en');",
    'export const cut = () => new Intl.Segmenter();',
    'export const { now } = Date;',
  ])('refused: %s', (text) => {
    expect(pure(text)).toContain('pure');
  });

  test.each([
    "export type { Stats } from 'node:fs';",
    "export { parse } from 'smol-toml';",
    'export const kinds = { process: 1, console: 2 };',
    'export const read = (facts: { process: number }) => facts.process;',
    'export const run = (process: { exit: () => void }) => process.exit();',
    'export const isDate = (value: unknown) => value instanceof Date;',
    'export const parse = (text: string) => Date.parse(text);',
    "export const cut = () => new Intl.Segmenter('en');",
    'export const largest = () => Math.max(1, 2);',
    'export type P = typeof process;',
  ])('allowed: %s', (text) => {
    expect(pure(text)).toEqual([]);
  });

  test('the same code elsewhere in the system is fine', () => {
    expect(places({ 'src/bach/act/index.ts': 'export const now = () => Date.now();\n' })).toEqual([]);
  });

  const clock = {
    'src/kernel/time/index.ts': "export { now } from './clock.ts';\nexport type { Clock } from './clock.ts';\n",
    'src/kernel/time/clock.ts': 'export const now = () => Date.now();\nexport interface Clock {}\n',
  };

  test('what value imports reach is told with the way to it', () => {
    const files = { ...clock, 'src/bach/decide/index.ts': "export { now } from '../../kernel/time/index.ts';\n" };
    expect(check(files)).toEqual([
      {
        rule: 'pure',
        file: 'src/bach/decide/index.ts',
        line: 1,
        column: 1,
        message: 'reaches Date.now by src/kernel/time/index.ts -> src/kernel/time/clock.ts',
      },
    ]);
  });

  test('a dynamic import reaches as far', () => {
    const text = "export const load = () => import('../../kernel/time/index.ts');\n";
    expect(places({ ...clock, 'src/bach/model/index.ts': text })).toEqual(['pure src/bach/model/index.ts:1:27']);
  });

  test.each(["export type { Clock } from '../../kernel/time/index.ts';", "import { type Clock } from '../../kernel/time/index.ts';"])(
    'a type reaches nothing: %s',
    (text) => {
      expect(places({ ...clock, 'src/bach/model/index.ts': `${text}\n` })).toEqual([]);
    },
  );

  test('of the kernel only pure rooms, even when they do nothing impure', () => {
    const files = { 'src/kernel/files/index.ts': 'export const a = 1;\nexport type A = 1;\n' };
    const door = '../../kernel/files/index.ts';
    expect(places({ ...files, 'src/bach/model/index.ts': `export { a } from '${door}';\n` })).toEqual([
      'pure src/bach/model/index.ts:1:1',
    ]);
    expect(places({ ...files, 'src/bach/model/index.ts': `export type { A } from '${door}';\n` })).toEqual([]);
  });

  test('a circle of imports on the way neither hides the impurity nor goes on for ever', () => {
    const files = {
      'src/kernel/text/index.ts': "export { a } from './a.ts';\n",
      'src/kernel/text/a.ts': "import './index.ts';\nexport { b as a } from './b.ts';\n",
      'src/kernel/text/b.ts': 'export const b = () => Math.random();\n',
      'src/bach/model/index.ts': "export { a } from '../../kernel/text/index.ts';\n",
    };
    expect(places(files)).toEqual(['pure src/bach/model/index.ts:1:1']);
  });
});
