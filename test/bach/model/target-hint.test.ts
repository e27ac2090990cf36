import { expect, test } from 'vitest';
import { targetHint } from '../../../src/bach/model/index.ts';

const KNOWN = ['shell/build', 'shell/test', 'image/builder', 'group/all', 'shell/ab'];

test.each([
  ['biuld', 'shell/build'],
  ['shell/biuld', 'shell/build'],
  ['image/biulder', 'image/builder'],
  ['shell/builder', 'image/builder'],
  ['shel/build', 'shell/build'],
  ['shel/biuld', 'shell/build'],
  ['all', 'group/all'],
  ['shellbuild', 'shell/build'],
  ['shell/al', 'shell/ab'],
  ['shell/alll', 'group/all'],
])('%s is taken for %s', (name, meant) => {
  expect(targetHint(name, KNOWN)).toBe(`; did you mean "${meant}"?`);
});

test.each(['nonsense', 'shell/nonsense', 'shell/xyzzy', 'shell/zz', 'group/qqq', 'shell/', 'x', ''])('%j is taken for nothing', (name) => {
  expect(targetHint(name, KNOWN)).toBe('');
});
