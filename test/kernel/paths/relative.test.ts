import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { cleanPath, joinPath, relativePath } from '../../../src/kernel/paths/index.ts';

describe('relativePath', () => {
  test.each([
    ['a/b', 'a/b', '.'],
    ['a/b/.', 'a/b', '.'],
    ['./a/b', 'a/b', '.'],
    ['ab/cd', 'ab/cde', '../cde'],
    ['ab/cd', 'ab/c', '../c'],
    ['a/b', 'a/b/c/d', 'c/d'],
    ['a/b', 'a/b/../c', '../c'],
    ['a/b/../c', 'a/b', '../b'],
    ['a/b/c', 'a/c/d', '../../c/d'],
    ['a/b', 'c/d', '../../c/d'],
    ['a/b/c/d', 'a/b', '../..'],
    ['a/b/c/d/', 'a/b/', '../..'],
    ['../../a/b', '../../a/b/c/d', 'c/d'],
    ['/a/b', '/a/b', '.'],
    ['/ab/cd', '/ab/cde', '../cde'],
    ['/a/b/c', '/a/c/d', '../../c/d'],
    ['/', '/a/b', 'a/b'],
    ['/a/b', '/', '../..'],
    ['/../../a/b', '/../../a/b/c/d', 'c/d'],
    ['.', 'a/b', 'a/b'],
    ['.', '..', '..'],
    ['a', '.', '..'],
    ['', '', '.'],
  ])('from %j to %j is %j', (base, target, relative) => {
    expect(relativePath(base, target)).toBe(relative);
  });

  test.each([
    ['..', '.'],
    ['..', 'a'],
    ['../..', '..'],
    ['../a', '../../b'].reverse(),
    ['a', '/a'],
    ['/a', 'a'],
  ])('from %j to %j cannot be told', (base = '', target = '') => {
    expect(relativePath(base, target)).toBeUndefined();
  });

  test('leads from the base to the target', () => {
    const anyPath = fc.string({ unit: fc.constantFrom('/', '.', 'a', 'b'), maxLength: 12 });
    fc.assert(
      fc.property(anyPath, anyPath, (base, target) => {
        const relative = relativePath(base, target);
        fc.pre(relative !== undefined);
        expect(cleanPath(joinPath(cleanPath(base), relative))).toBe(cleanPath(target));
      }),
      { seed: 23, numRuns: 1000 },
    );
  });
});
