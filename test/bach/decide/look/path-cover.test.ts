import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { coverOf, pathFromRoot, pathsFromRoot } from '../../../../src/bach/decide/look/path-cover.ts';

const ROOT = '/house/project';

describe('a path from the root', () => {
  test.each([
    ['src/a.ts', 'src/a.ts'],
    ['./src//a.ts', 'src/a.ts'],
    ['src/', 'src'],
    ['src/../lib', 'lib'],
    ['.', '.'],
    ['', '.'],
    ['/house/project/src/a.ts', 'src/a.ts'],
    ['/house/project', '.'],
    ['../project/src', 'src'],
    ['../other/src', '../other/src'],
    ['/house/projects/a', '/house/projects/a'],
    ['/', '/'],
    ['..a', '..a'],
  ])('%j is %j', (given, expected) => {
    expect(pathFromRoot(given, ROOT)).toBe(expected);
  });

  test('several come sorted and each once', () => {
    expect(pathsFromRoot(['b', './a', 'a/', `${ROOT}/b`], ROOT)).toEqual(['a', 'b']);
  });

  test('under the root of the disk every absolute path is inside', () => {
    expect(pathFromRoot('/etc/hosts', '/')).toBe('etc/hosts');
  });
});

describe('an entry stands for a path', () => {
  test.each([
    ['that it is', 'src/a.ts', 'src/a.ts'],
    ['beneath it', 'src', 'src/deep/a.ts'],
    ['beneath the root', '.', 'anything/at/all'],
    ['that is the root', '.', '.'],
    ['outside the root that it names', '/etc', '/etc/hosts'],
    ['beneath the root of the disk', '/', '/etc/hosts'],
    ['that begins with two dots', '.', '..a'],
    ['with the signs of a glob in its name', 'src/[id].ts', 'src/[id].ts'],
    ['that its glob matches', 'src/*.ts', 'src/a.ts'],
    ['that its glob matches over folders', 'src/**/*.ts', 'src/x/y/a.ts'],
    ['that its glob matches in the same folder', 'src/**/*.ts', 'src/a.ts'],
    ['beneath a folder that its glob matches', 'packages/*', 'packages/api/src/a.ts'],
    ['by one letter', 'src/?.ts', 'src/a.ts'],
    ['by a set of letters', 'src/[ab].ts', 'src/b.ts'],
  ])('%s: %j covers %j', (_, entry, path) => {
    expect(coverOf([path])(entry)).toBe(true);
  });

  test.each([
    ['a path above it', 'src/a.ts', 'src'],
    ['a name that only begins like it', 'src', 'srcs/a.ts'],
    ['another file of the folder', 'src/a.ts', 'src/b.ts'],
    ['a path outside the root, for the root', '.', '/etc/hosts'],
    ['a path that climbs out, for the root', '.', '../x'],
    ['a deeper file, for one star', 'src/*.ts', 'src/x/a.ts'],
    ['a part of a name, for a glob', '*.ts', 'src/a.tsx'],
    ['the root, for a glob', '*', '.'],
    ['a letter too many', 'src/?.ts', 'src/ab.ts'],
  ])('not for %s: %j, %j', (_, entry, path) => {
    expect(coverOf([path])(entry)).toBe(false);
  });

  test('one of several paths is enough, none is too few', () => {
    expect(coverOf(['x', 'src/a'])('src')).toBe(true);
    expect(coverOf([])('.')).toBe(false);
  });

  test('asked again it answers the same', () => {
    const covers = coverOf(['src/a']);
    expect(['src', 'lib', 'src', 'lib'].map(covers)).toEqual([true, false, true, false]);
  });

  test('a plain entry covers exactly itself and what is beneath it', () => {
    const path = fc.array(fc.constantFrom('a', 'b', 'ab'), { minLength: 1, maxLength: 4 }).map((parts) => parts.join('/'));
    fc.assert(
      fc.property(path, path, (entry, file) => {
        expect(coverOf([file])(entry)).toBe(file === entry || file.startsWith(`${entry}/`));
      }),
      { numRuns: 300 },
    );
  });

  test('10,000 paths against 10,000 entries are one look each', () => {
    const paths = Array.from({ length: 10_000 }, (_, i) => `packages/p${i}/src/deep/file.ts`);
    const covers = coverOf(paths);
    const entries = Array.from({ length: 20_000 }, (_, i) => `packages/p${i}/src`);
    expect(entries.filter(covers)).toHaveLength(10_000);
  });
});
