import { describe, expect, test } from 'vitest';
import { evidencePaths, inputSearch, isCacheable, RUN_DIRECTORY } from '../../../../src/bach/decide/index.ts';
import type { Project, Target } from '../../../../src/bach/model/index.ts';
import { implementer, project, target } from '../look/fixtures.ts';
import { command, paths } from './fixtures.ts';

describe('cacheable is', () => {
  const cases: readonly (readonly [string, Target, boolean])[] = [
    ['a target with inputs', command('shell/a', { inputs: ['src'] }), true],
    ['a target with outputs', command('shell/a', { outputs: paths('dist') }), true],
    ['no target with neither', command('shell/a'), false],
    ['no target whose outputs are all below the run directory', command('shell/a', { outputs: paths(`${RUN_DIRECTORY}/x`) }), false],
    ['one that has others, too', command('shell/a', { outputs: paths(`${RUN_DIRECTORY}/x`, 'dist') }), true],
    ['one that has inputs, too', command('shell/a', { inputs: ['src'], outputs: paths(`${RUN_DIRECTORY}/x`) }), true],
    ['no agent', target('agent/a', { runnable: true, inputs: ['src'], agent: implementer('') }), false],
    ['no target without a command', target('shell/a', { inputs: ['src'] }), false],
    ['no group', target('group/a', { children: ['shell/a'] }), false],
  ];

  test.each(cases)('%s', (_, each, expected) => {
    expect(isCacheable(each)).toBe(expected);
  });
});

describe('evidence', () => {
  test.each([
    ['all outputs but those of one run', paths('b', `${RUN_DIRECTORY}/log`, 'a'), ['b', 'a']],
    ['by name where there are names', [{ name: 'z', path: '1' }, { name: 'a', path: '2' }], ['2', '1']],
    ['none', [], []],
  ])('%s', (_, outputs, expected) => {
    expect(evidencePaths({ outputs })).toEqual(expected);
  });
});

describe('where inputs are looked for', () => {
  const { qualities: _, ...rest } = project({ targets: [], inputs: { 'file/src': ['src/**', 'file/more'], 'file/more': ['lib'] }, resources: ['deps'] });
  const quality = { target: 'shell/a', reports: [], gates: [], regoPolicies: [{ path: 'gate.rego', package: '', allow: '', findings: '' }] };
  const searchOf = (fields: Partial<Target>, qualities: Project['qualities'] = new Map()) => inputSearch(command('shell/a', fields), { ...rest, qualities });

  test('named sets are opened, resources are no paths, what the target makes is left out', () => {
    const outputs = paths('src/gen', `${RUN_DIRECTORY}/x`);
    expect(searchOf({ inputs: ['file/src', 'go.mod', 'resource/deps'], outputs })).toEqual({ patterns: ['src/**', 'lib', 'go.mod'], except: ['src/gen'] });
  });

  test('rules that judge the result are inputs', () => {
    expect(searchOf({ inputs: ['a'] }, new Map([['shell/a', quality]])).patterns).toEqual(['a', 'gate.rego']);
    expect(searchOf({ inputs: ['a'] }, new Map([['shell/b', quality]])).patterns).toEqual(['a']);
  });
});
