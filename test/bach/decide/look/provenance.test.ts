import { describe, expect, test } from 'vitest';
import { provenanceOf } from '../../../../src/bach/decide/index.ts';
import { project, target } from './fixtures.ts';

const PROJECT = project({
  targets: [
    target('shell/use', { inputs: ['dist', '*.md'] }),
    target('shell/build', { inputs: ['file/src', 'resource/r', './go.mod'], outputs: [{ name: 'bin', path: 'dist/app' }, { name: '', path: './dist//map' }] }),
    target('shell/root', { outputs: [{ name: '', path: '.' }] }),
    target('shell/site', { outputs: [{ name: '', path: 'site/' }] }),
    target('shell/all', { inputs: ['.'] }),
  ],
  inputs: { 'file/src': ['src', 'cmd'] },
  resources: ['r'],
});

function shown(path: string) {
  const [record] = provenanceOf(PROJECT, [path], '/p');
  const names = (parties: readonly { readonly target: { readonly name: string } }[] = []) => parties.map((party) => party.target.name);
  return [record?.path, names(record?.producers), names(record?.consumers)];
}

describe('provenance', () => {
  test.each([
    ['dist/app', ['dist/app', ['shell/build'], ['shell/all', 'shell/use']]],
    ['./dist/map', ['dist/map', ['shell/build'], ['shell/all', 'shell/use']]],
    ['/p/dist/app', ['dist/app', ['shell/build'], ['shell/all', 'shell/use']]],
    ['site/deep/index.html', ['site/deep/index.html', ['shell/site'], ['shell/all']]],
    ['src/a.go', ['src/a.go', [], ['shell/all', 'shell/build']]],
    ['README.md', ['README.md', [], ['shell/all', 'shell/use']]],
    ['unknown', ['unknown', [], ['shell/all']]],
    ['/etc/hosts', ['/etc/hosts', [], []]],
    ['../x', ['../x', [], []]],
    ['.', ['.', [], ['shell/all']]],
  ])('%s', (path, expected) => {
    expect(shown(path)).toEqual(expected);
  });

  test('each target comes with all that it declares, cleaned and sorted, without resources', () => {
    const [{ producers } = { producers: [] }] = provenanceOf(PROJECT, ['dist/app'], '/p');
    expect(producers.map(({ outputs, inputs }) => ({ outputs, inputs }))).toEqual([
      { outputs: ['dist/app', 'dist/map'], inputs: ['cmd', 'go.mod', 'src'] },
    ]);
  });

  test('one record for each path, in the order given', () => {
    expect(provenanceOf(PROJECT, ['b', 'a', 'b'], '/p').map(({ path }) => path)).toEqual(['b', 'a', 'b']);
  });
});
