import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { containedPath } from '../../../src/kernel/paths/index.ts';

describe('containedPath', () => {
  test.each([
    ['/house', 'a/b', '/house/a/b', 'a/b'],
    ['/house', './a//b/', '/house/a/b', 'a/b'],
    ['/house', 'logs/../out', '/house/out', 'out'],
    ['/house', '.', '/house', '.'],
    ['/house', '', '/house', '.'],
    ['/house', '/house', '/house', '.'],
    ['/house', '/house/a', '/house/a', 'a'],
    ['/house/', '/house/../house/a', '/house/a', 'a'],
    ['/house', '...', '/house/...', '...'],
    ['/house', '..a', '/house/..a', '..a'],
    ['/house', '-rf', '/house/-rf', '-rf'],
    ['/', 'etc', '/etc', 'etc'],
    ['/', '/etc', '/etc', 'etc'],
    ['/', '..', '/', '.'],
    ['.', '.bach/state.db', '.bach/state.db', '.bach/state.db'],
    ['', 'a', 'a', 'a'],
    ['.', '', '.', '.'],
    ['../up', 'a', '../up/a', 'a'],
  ])('below %j is %j', (root, userPath, path, relative) => {
    expect(containedPath(root, userPath)).toEqual({ inside: true, path, relative });
  });

  test.each([
    ['/house', '..'],
    ['/house', '../house2'],
    ['/house', 'a/../../b'],
    ['/house', '/'],
    ['/house', '/housespace'],
    ['/house', '/house/../etc'],
    ['/house', '//etc/passwd'],
    ['.', '..'],
    ['.', '../a'],
    ['.', '/a'],
    ['.', '/'],
    ['a', '../b'],
    ['..', '../..'],
  ])('not below %j is %j', (root, userPath) => {
    expect(containedPath(root, userPath)).toEqual({ inside: false, reason: 'outside-root' });
  });

  test.each(['a\0b', '\0', '/house/\0', '../\0'])('no file has the name %j', (userPath) => {
    expect(containedPath('/house', userPath)).toEqual({ inside: false, reason: 'nul-byte' });
  });

  test('never lets a path out', () => {
    const anyPath = fc.string({ unit: fc.constantFrom('/', '.', 'a', 'house', '\0'), maxLength: 12 });
    fc.assert(
      fc.property(anyPath, (userPath) => {
        const found = containedPath('/house/a', userPath);
        fc.pre(found.inside);
        expect(found.path === '/house/a' || found.path.startsWith('/house/a/')).toBe(true);
        expect(found.path.split('/')).not.toContain('..');
        expect(found.path).not.toContain('\0');
      }),
      { seed: 24, numRuns: 2000 },
    );
  });
});
