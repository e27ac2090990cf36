import { spawnSync } from 'node:child_process';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isRefName } from '../../../../src/kernel/git/index.ts';

const pieces = fc.constantFrom('a', 'main', '.', '..', '/', '//', '.lock', '@', '@{', '{', '~', '^', ':', '?', '*', '[', '\\', ' ', '\t', '\x7f', '-', 'ü', '"', "'", '\n', '\x01', '#', '%');
const names = fc.array(pieces, { minLength: 1, maxLength: 5 }).map((parts) => `refs/${parts.join('')}`);

test('git takes the same names', () => {
  fc.assert(
    fc.property(names, (name) => {
      const { status } = spawnSync('git', ['check-ref-format', name]);
      expect(isRefName(name)).toBe(status === 0);
    }),
    { numRuns: 40 },
  );
});

test.each(['HEAD', 'main', 'heads/main', '', 'refs/', '-d', '../refs/heads/x', 'refs/heads/a\0b', 'refs/heads/.x', 'refs/x.lock/y', 'refs/heads/\ud800', 'refs/heads/\udc00x'])(
  '%j is no full name of a ref',
  (name) => {
    expect(isRefName(name)).toBe(false);
  },
);
