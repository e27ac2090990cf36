import { posix } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { cleanPath, joinPath } from '../../../src/kernel/paths/index.ts';

describe('cleanPath', () => {
  test.each([
    ['abc', 'abc'],
    ['abc/def', 'abc/def'],
    ['a/b/c', 'a/b/c'],
    ['.', '.'],
    ['..', '..'],
    ['../..', '../..'],
    ['../../abc', '../../abc'],
    ['/abc', '/abc'],
    ['/', '/'],
    ['', '.'],
    ['abc/', 'abc'],
    ['abc/def/', 'abc/def'],
    ['./', '.'],
    ['../', '..'],
    ['../../', '../..'],
    ['/abc/', '/abc'],
    ['abc//def//ghi', 'abc/def/ghi'],
    ['abc//', 'abc'],
    ['//abc', '/abc'],
    ['///abc', '/abc'],
    ['//abc//', '/abc'],
    ['abc/./def', 'abc/def'],
    ['/./abc/def', '/abc/def'],
    ['abc/.', 'abc'],
    ['abc/def/ghi/../jkl', 'abc/def/jkl'],
    ['abc/def/../ghi/../jkl', 'abc/jkl'],
    ['abc/def/..', 'abc'],
    ['abc/def/../..', '.'],
    ['/abc/def/../..', '/'],
    ['abc/def/../../..', '..'],
    ['/abc/def/../../..', '/'],
    ['abc/def/../../../ghi/jkl/../../../mno', '../../mno'],
    ['/../abc', '/abc'],
    ['a/../b:/../../c', '../c'],
    ['abc/./../def', 'def'],
    ['abc//./../def', 'def'],
    ['abc/../../././../def', '../../def'],
    ['...', '...'],
    ['a/.b/..c', 'a/.b/..c'],
    [' ', ' '],
    ['a\\b', 'a\\b'],
  ])('%j becomes %j', (path, cleaned) => {
    expect(cleanPath(path)).toBe(cleaned);
  });

  const anyPath = fc.string({ unit: fc.constantFrom('/', '.', 'a', '-', ' ', 'é'), maxLength: 16 });

  test('changes nothing more the second time', () => {
    fc.assert(
      fc.property(anyPath, (path) => {
        expect(cleanPath(cleanPath(path))).toBe(cleanPath(path));
      }),
      { seed: 21, numRuns: 1000 },
    );
  });

  test('means the same as the platform says, whose trailing slash is dropped', () => {
    fc.assert(
      fc.property(anyPath, (path) => {
        const normal = posix.normalize(path);
        expect(cleanPath(path)).toBe(normal.length > 1 && normal.endsWith('/') ? normal.slice(0, -1) : normal);
      }),
      { seed: 22, numRuns: 1000 },
    );
  });

  test('takes a path of a megabyte', () => {
    expect(cleanPath('a/../'.repeat(200_000))).toBe('.');
  });
});

describe('joinPath', () => {
  test.each([
    [[], ''],
    [[''], ''],
    [['', ''], ''],
    [['/'], '/'],
    [['a'], 'a'],
    [['a', 'b'], 'a/b'],
    [['a', ''], 'a'],
    [['', 'b'], 'b'],
    [['/', 'a'], '/a'],
    [['/', 'a/b'], '/a/b'],
    [['/', ''], '/'],
    [['/a', 'b'], '/a/b'],
    [['a', '/b'], 'a/b'],
    [['/a', '/b'], '/a/b'],
    [['a/', 'b'], 'a/b'],
    [['a/', ''], 'a'],
    [['a', '..', '..', 'b'], '../b'],
    [['//', 'a'], '/a'],
  ])('%j becomes %j', (parts, joined) => {
    expect(joinPath(...parts)).toBe(joined);
  });
});
