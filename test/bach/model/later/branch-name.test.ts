import { spawnSync } from 'node:child_process';
import { describe, expect, test } from 'vitest';
import { isBranchName } from '../../../../src/bach/model/later/branch-name.ts';

const GOOD = ['main', 'bach/agents/a', 'a.b', 'a-b_c', 'ärger', 'x@y', 'a/b.c/d', 'lock', 'a.lockx', 'x{1}', 'a$b'];
const BAD = [
  '',
  '@',
  '-a',
  'a..b',
  'a//b',
  '/a',
  'a/',
  'a.',
  'a b',
  'a~1',
  'a^',
  'a:b',
  'a?',
  'a*',
  'a[0]',
  'a\\b',
  'a@{1}',
  'a\tb',
  'a\u007fb',
  '.a',
  'a/.b',
  'a.lock',
  'a.lock/b',
];

describe('the name of a branch', () => {
  test.each(GOOD)('may be %j', (name) => {
    expect(isBranchName(name)).toBe(true);
  });

  test('that is taken is taken by git too', () => {
    const refused = GOOD.filter((name) => spawnSync('git', ['check-ref-format', '--branch', name]).status !== 0);
    expect(refused).toEqual([]);
  });

  test.each(BAD)('may not be %j', (name) => {
    expect(isBranchName(name)).toBe(false);
  });
});
