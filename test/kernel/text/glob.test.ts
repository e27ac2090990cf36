import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { compileGlob } from '../../../src/kernel/text/index.ts';

/** Go's rules by trying every way to divide the text; exponential, so for short ones only. */
function naiveName(pattern: string, name: string): boolean {
  const [letter = '', second = ''] = pattern;
  if (pattern === '') return name === '';
  if (letter === '*') return naiveName(pattern.slice(1), name) || (name !== '' && naiveName(pattern, name.slice(1)));
  if (name === '') return false;
  if (letter === '?') return naiveName(pattern.slice(1), name.slice(1));
  if (letter === '\\') return second === name[0] && naiveName(pattern.slice(2), name.slice(1));
  if (letter !== '[') return letter === name[0] && naiveName(pattern.slice(1), name.slice(1));
  const end = pattern.indexOf(']');
  const isNegated = second === '^';
  const letters = pattern.slice(isNegated ? 2 : 1, end);
  return letters.includes(name[0] ?? '') !== isNegated && naiveName(pattern.slice(end + 1), name.slice(1));
}

function naivePath(steps: readonly string[], names: readonly string[]): boolean {
  const [step, ...later] = steps;
  if (step === undefined) return names.length === 0;
  if (step === '**') return naivePath(later, names) || (names.length > 0 && naivePath(steps, names.slice(1)));
  return names.length > 0 && naiveName(step, names[0] ?? '') && naivePath(later, names.slice(1));
}

describe('compileGlob', () => {
  test.each([
    ['abc', 'abc'],
    ['*', 'abc'],
    ['*c', 'abc'],
    ['a*', 'a'],
    ['a*', 'abc'],
    ['a*/b', 'abc/b'],
    ['a*b*c*d*e*/f', 'axbxcxdxe/f'],
    ['a*b*c*d*e*/f', 'axbxcxdxexxx/f'],
    ['a*b?c*x', 'abxbbxdbxebxczzx'],
    ['ab[c]', 'abc'],
    ['ab[b-d]', 'abc'],
    ['ab[^e-g]', 'abc'],
    ['a\\*b', 'a*b'],
    ['a?b', 'a☺b'],
    ['a?b', 'a🙂b'],
    ['a[^a]b', 'a☺b'],
    ['[a-ζ]*', 'α'],
    ['[\\]a]', ']'],
    ['[\\-]', '-'],
    ['[x\\-]', 'x'],
    ['[x\\-]', '-'],
    ['[\\-x]', 'x'],
    ['*x', 'xxx'],
    ['*', '.hidden'],
    ['a**c', 'abbc'],
    ['**', 'a'],
    ['**', 'a/b/c'],
    ['**/c', 'c'],
    ['**/c', 'a/b/c'],
    ['a/**', 'a'],
    ['a/**', 'a/b/c'],
    ['a/**/c', 'a/c'],
    ['a/**/c', 'a/b/b/c'],
    ['**/b/**/d', 'a/b/c/b/d'],
    ['a/**/**/c', 'a/c'],
    ['packages/*/tests/**/*.test.ts', 'packages/api/tests/a.test.ts'],
    ['packages/*/tests/**/*.test.ts', 'packages/api/tests/deep/er/a.test.ts'],
  ])('%s matches %s', (pattern, path) => {
    expect(compileGlob(pattern).matches(path)).toBe(true);
  });

  test.each([
    ['a*', 'ab/c'],
    ['a*/b', 'a/c/b'],
    ['a*b*c*d*e*/f', 'axbxcxdxexxx/fff'],
    ['a*b?c*x', 'abxbbxdbxebxczzy'],
    ['ab[e-g]', 'abc'],
    ['ab[^b-d]', 'abc'],
    ['a\\*b', 'ab'],
    ['a??b', 'a☺b'],
    ['a[^a][^a]b', 'a☺b'],
    ['[z-a]', 'b'],
    ['a?b', 'a/b'],
    ['a[^x]b', 'a/b'],
    ['*', 'a/b'],
    ['a**c', 'a/c'],
    ['a/**/c', 'a/b'],
    ['a/**', 'ab'],
    ['a/**', 'b/a'],
    ['**/c', 'a/cc'],
    ['**.ts', 'a/b.ts'],
    ['', 'a'],
    ['Abc', 'abc'],
  ])('%s does not match %s', (pattern, path) => {
    expect(compileGlob(pattern).matches(path)).toBe(false);
  });

  test.each([
    ['[]a]', 'empty'],
    ['[-]', 'empty'],
    ['[x-]', 'empty'],
    ['[-x]', 'empty'],
    ['[^]', 'empty'],
    ['[a-b-c]', 'empty'],
    ['[', 'not closed'],
    ['[^', 'not closed'],
    ['[^bc', 'not closed'],
    ['a[', 'not closed'],
    ['[a-', 'not closed'],
    ['[a\\', 'not closed'],
    ['src/[/]x', 'not closed'],
    ['a/b\\', 'backslash'],
    ['x/*/[', 'not closed'],
  ])('%s is malformed, which is told, and it matches nothing', (pattern, words) => {
    const glob = compileGlob(pattern);
    expect(glob.fault).toContain(words);
    expect([glob.matches(pattern), glob.steps]).toEqual([false, []]);
  });

  test.each([
    ['src/app.ts', false, 'src'],
    ['app.ts', false, ''],
    ['src/*.ts', true, 'src'],
    ['*.ts', true, ''],
    ['a/b/**/c', true, 'a/b'],
    ['a/x[12]/c', true, 'a'],
    ['a\\*b/c/*', true, 'a*b/c'],
    ['src/[', true, ''],
  ])('%s: a pattern %s, below %j', (pattern, isGlob, literalPrefix) => {
    expect(compileGlob(pattern)).toMatchObject({ isGlob, literalPrefix });
  });

  test('a name that is only escaped is a plain name for a walk', () => {
    expect(compileGlob('a\\*b/**').steps).toEqual([{ kind: 'name', name: 'a*b' }, { kind: 'any-depth' }]);
  });

  const part = fc.oneof(fc.constantFrom('a', 'b', '*', '?', '[ab]', '[^a]', '\\*'), fc.constantFrom('*', 'a'));
  const step = fc.oneof({ weight: 1, arbitrary: fc.constant('**') }, { weight: 3, arbitrary: fc.array(part, { minLength: 1, maxLength: 4 }).map((parts) => parts.join('')) });
  const name = fc.array(fc.constantFrom('a', 'b', '*'), { minLength: 1, maxLength: 4 }).map((letters) => letters.join(''));

  test('it agrees with a search of all ways to match', () => {
    const steps = fc.array(step, { minLength: 1, maxLength: 4 });
    const names = fc.array(name, { minLength: 1, maxLength: 4 });
    fc.assert(
      fc.property(steps, names, (pattern, path) => {
        expect(compileGlob(pattern.join('/')).matches(path.join('/'))).toBe(naivePath(pattern, path));
      }),
      { numRuns: 2000 },
    );
  });

  test('any text is read without an exception, and a plain one matches itself', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        const { isGlob, matches } = compileGlob(text);
        expect(matches(text) || isGlob).toBe(true);
      }),
    );
  });

  test('many stars cost no more than the product of the lengths', () => {
    const pattern = `${'*a'.repeat(2000)}b`;
    expect(compileGlob(pattern).matches('a'.repeat(4000))).toBe(false);
    expect(compileGlob(`${'**/a/'.repeat(500)}b`).matches('a/'.repeat(1000))).toBe(false);
  });
});
