import { describe, expect, test } from 'vitest';
import { places, rulesBroken } from './support.ts';

describe('what we do without', () => {
  test.each([
    ['any', 'export const a: any = 1;'],
    ['any', 'export const a = 1 as any;'],
    ['ts-ignore', '// @ts-ignore\nexport const a = 1;'],
    ['ts-ignore', '// @ts-expect-error\nexport const a = 1;'],
    ['default-export', 'export default 1;'],
    ['enum', 'export enum A { b }'],
    ['todo', '/* TODO: more */ export const a = 1;'],
    ['todo', 'export const a = 1; // FIXME'],
    ['syntax', 'export const a = ;'],
    ['boolean-parameter', 'export function f(a: boolean): void {}'],
    ['boolean-parameter', 'export function f(a?: boolean): void {}'],
    ['boolean-parameter', 'export const f = (a: 1, b: boolean | undefined) => [a, b];'],
    ['boolean-parameter', 'export const f = (a = false) => a;'],
    ['boolean-parameter', 'function f(a: boolean): void {}\nexport { f };'],
    ['boolean-parameter', 'export class A { f(a: boolean): void {} }'],
    ['boolean-parameter', 'export class A { constructor(a: boolean) {} }'],
  ])('%s: %s', (rule, text) => {
    expect(rulesBroken(`${text}\n`)).toEqual([rule]);
  });

  test.each([
    'export const any = 1;',
    "export const text = 'TODO @ts-ignore';",
    '// The todo list of a person\nexport const a = 1;',
    'export function f({ a }: { a: boolean }): void {}',
    'export const boolValue = (truth: boolean) => truth;',
    'const f = (a: boolean) => a;\nexport const b = f(true);',
    'export class A { #f(a: boolean): void {} set b(value: boolean) {} }',
    'export const each = (f: (a: boolean) => void) => f(true);',
  ])('allowed: %s', (text) => {
    expect(rulesBroken(`${text}\n`)).toEqual([]);
  });

  test('file names are kebab-case', () => {
    expect(places({ 'src/engine/step-log.ts': 'export {};\n' })).toEqual([]);
    expect(places({ 'src/engine/stepLog.ts': 'export {};\n' })).toEqual(['file-name src/engine/stepLog.ts:1:1']);
  });
});
