import { describe, expect, test } from 'vitest';
import { affectedTargets } from '../../../../src/bach/decide/index.ts';
import { project, target } from './fixtures.ts';

const ROOT = '/p';

const PROJECT = project({
  targets: [
    target('shell/zeta', { inputs: ['src'] }),
    target('shell/api', { inputs: ['file/api', 'plugin/ts/api', 'resource/deps', './README.md'] }),
    target('image/app', { inputs: ['Dockerfile', 'dist/', 'src/main.ts'] }),
    target('shell/none'),
    target('group/all', { children: ['shell/api'] }),
  ],
  inputs: { 'file/api': ['packages/api/src', 'file/shared'], 'file/shared': ['shared', 'file/api'], 'plugin/ts/api': ['lib/used.ts'] },
  resources: ['deps'],
});

const linesFor = (...paths: readonly string[]): readonly string[] =>
  affectedTargets(PROJECT, paths, ROOT).map(({ target: name, inputs }) => `${name}: ${inputs.join(', ')}`);

describe('affected targets', () => {
  test.each([
    ['a file beneath a folder of a named input', ['packages/api/src/foo.ts'], ['shell/api: packages/api/src']],
    ['through an input that names another, in a circle', ['shared/x'], ['shell/api: shared']],
    ['an input that a plugin gave', ['lib/used.ts'], ['shell/api: lib/used.ts']],
    ['an input written with a dot before it', ['README.md'], ['shell/api: README.md']],
    ['a folder written with a slash behind it', ['dist/x'], ['image/app: dist']],
    ['by name of the target', ['src/main.ts'], ['image/app: src/main.ts', 'shell/zeta: src']],
    ['several inputs, sorted, each once', ['shared/a', 'packages/api/src/b', 'shared/c'], ['shell/api: packages/api/src, shared']],
    ['an absolute path in the root', ['/p/Dockerfile'], ['image/app: Dockerfile']],
    ['the folder above an input is no change of it', ['packages'], []],
    ['a resource is no path', ['resource/deps'], []],
    ['the name of a set is no path', ['file/api'], []],
    ['no path', [], []],
  ])('%s', (_, paths, expected) => {
    expect(linesFor(...paths)).toEqual(expected);
  });

  test('the root as input is concerned by all in it and by nothing outside', () => {
    const all = project({ targets: [target('shell/all', { inputs: ['.'] })] });
    expect(affectedTargets(all, ['x/y'], ROOT)).toEqual([{ target: 'shell/all', inputs: ['.'] }]);
    expect(affectedTargets(all, ['../x', '/etc/hosts'], ROOT)).toEqual([]);
  });
});

test('by name, in whatever order they are declared', () => {
  const names = ['shell/b', 'shell/a', 'shell/c', 'shell/d'];
  for (const order of [names, names.toReversed()]) {
    const { targets, inputs, resources } = project({ targets: order.map((name) => target(name, { inputs: ['x'] })) });
    expect(affectedTargets({ targets, inputs, resources }, ['x'], ROOT).map((each) => each.target)).toEqual(['shell/a', 'shell/b', 'shell/c', 'shell/d']);
  }
});
