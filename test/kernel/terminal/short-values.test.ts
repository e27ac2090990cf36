import { describe, expect, test } from 'vitest';
import { withShortValues } from '../../../src/kernel/terminal/short-values.ts';

const cut = (character: string, more: number): string => `${character.repeat(400)}… ${more} more characters …${character.repeat(100)}`;

describe('values of a message', () => {
  test.each([
    ['a quoted one', `unknown target "${'a'.repeat(100_000)}"; did you mean "b"?`, `unknown target "${'a'.repeat(399)}… 99502 more characters …${'a'.repeat(99)}"; did you mean "b"?`],
    ['one with spaces and quotes', `x "${'\\" '.repeat(1000)}" y`, `x "${'\\" '.repeat(133)}… 2502 more characters …${'\\" '.repeat(33)}" y`],
    ['a path', `cannot read ${'/'.repeat(5000)}: too long`, `cannot read ${'/'.repeat(400)}… 4501 more characters …${'/'.repeat(99)}: too long`],
    ['behind a quote that nothing closes', `x "${'a'.repeat(2000)}`, `x "${'a'.repeat(399)}… 1501 more characters …${'a'.repeat(100)}`],
    ['with a hundred thousand quotes that close nothing', '\\"'.repeat(100_000), `${'\\"'.repeat(200)}… 199500 more characters …${'\\"'.repeat(50)}`],
    ['characters of two units', '🎈'.repeat(1001), cut('🎈', 0).replace(/[^]*/u, `${'🎈'.repeat(200)}… 1502 more characters …${'🎈'.repeat(50)}`)],
  ])('%s is cut', (_, line, shown) => {
    expect(withShortValues(line)).toBe(shown);
  });

  test.each([
    ['a path as long as paths are', `cannot read ${'/abcdefghi'.repeat(100)}`],
    ['a long list', `it ran ${Array.from({ length: 500 }, (_, at) => `"shell/t${at}"`).join(', ')}`],
    ['long prose between two short values', `"a" ${'and so on '.repeat(500)} "b"`],
  ])('%s stays whole', (_, line) => {
    expect(withShortValues(line)).toBe(line);
  });
});
