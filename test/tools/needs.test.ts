import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { testNeeding, testUnless } from '../support/needs.ts';

const NEEDS = JSON.parse(readFileSync(join(import.meta.dirname, '../../tools/needs.json'), 'utf8')) as Record<string, unknown>;

test('a program that setup does not know cannot be needed', () => {
  expect(() => testNeeding('no-such-program', 'never', () => {})).toThrow('tools/needs.json');
});

test.each(Object.entries(NEEDS))('%s has its Debian package and says which tests need it', (_, need) => {
  expect(need).toEqual({ debian: expect.any(String) as string, tests: expect.any(String) as string });
});

testUnless(undefined, 'a test without a reason to skip runs', () => {
  expect(true).toBe(true);
});
