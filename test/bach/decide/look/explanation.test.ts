import { describe, expect, test } from 'vitest';
import { effectiveRisks, explanationDocument, explanationLines, namedNode } from '../../../../src/bach/decide/index.ts';
import type { Target } from '../../../../src/bach/model/index.ts';
import { policy, project, target } from './fixtures.ts';

const FULL = target('shell/full', {
  description: 'First\n  second\n',
  when: 'after all',
  cost: 'high',
  risks: { remote: false, destructive: true, requiresConfirmation: false },
  dependsOn: ['shell/base', 'shell/other'],
  inputs: ['file/src', 'go.mod'],
  outputs: [{ name: 'bin', path: 'dist/app' }, { name: '', path: 'dist/map' }],
  produces: ['resource/deps'],
  tools: [
    { name: 'go', command: ['go', 'version'], version: '1.24+', fix: 'Install Go.' },
    { name: 'make', command: [], version: '', fix: '' },
    { name: 'jq', command: [], version: '1.7', fix: '' },
    { name: 'gh', command: [], version: '', fix: 'Install gh.' },
  ],
  preflights: [
    { label: 'session', name: 'session', kind: '', command: ['who', 'am', 'i'], fix: 'Log in.' },
    { label: 'aws', name: '', kind: 'aws', command: ['aws'], fix: '' },
  ],
});

const PROJECT = project({
  targets: [
    FULL,
    target('shell/base', { risks: { remote: true, destructive: false, requiresConfirmation: true } }),
    target('shell/other'),
    target('pipeline/p', { children: ['shell/base', 'shell/full'] }),
    target('pipeline/empty'),
    target('group/g', { children: ['shell/other'] }),
  ],
  aliases: [{ name: 'old', target: 'shell/other', deprecated: 'Gone soon.' }, { name: 'short', target: 'shell/other', deprecated: '' }],
  policies: [
    policy('merge', ['group/g', 'shell/base'], { subject: 'agent.x', subjectWorkspace: 'w', subjectCommit: 'abc' }),
    policy('bare', [], { subject: 'y' }),
  ],
});

const RISKS = effectiveRisks(PROJECT.targets);

function found(name: string) {
  const named = namedNode(name, PROJECT);
  if (named.kind === 'unknown') throw named.error;
  return named;
}

const linesOf = (name: string): readonly string[] => explanationLines(found(name), RISKS);

const EMPTY_LISTS = ['Inputs: -', 'Outputs: -', 'Produces: -', 'Required tools: -', 'Preflights: -'];

describe('explanation of a target', () => {
  test('everything, in order', () => {
    expect(linesOf('shell/full')).toEqual([
      'Target: shell/full',
      'Description: First second',
      'When: after all',
      'Cost: high',
      'Risks: remote, destructive, requires_confirmation',
      'Depends on:',
      '  - shell/base',
      '  - shell/other',
      'Inputs:',
      '  - file/src',
      '  - go.mod',
      'Outputs:',
      '  - dist/app',
      '  - dist/map',
      'Produces:',
      '  - resource/deps',
      'Required tools:',
      '  - go (1.24+) via go version - Install Go.',
      '  - make',
      '  - jq (1.7)',
      '  - gh - Install gh.',
      'Preflights:',
      '  - session via who am i - Log in.',
      '  - aws via aws',
    ]);
  });

  test('nothing: texts are left out, lists show a dash', () => {
    expect(linesOf('shell/other')).toEqual(['Target: shell/other', 'Depends on: -', ...EMPTY_LISTS]);
  });

  test('steps of a pipeline in order, with their risks; members of a group under their own word', () => {
    const risks = 'Risks: remote, destructive, requires_confirmation';
    const steps = ['Steps:', '  - shell/base', '  - shell/full'];
    expect(linesOf('pipeline/p')).toEqual(['Target: pipeline/p', risks, 'Depends on: -', ...steps, ...EMPTY_LISTS]);
    expect(linesOf('pipeline/empty')).toContain('Steps: -');
    expect(linesOf('group/g')).toEqual(['Target: group/g', 'Depends on: -', 'Members:', '  - shell/other', ...EMPTY_LISTS]);
  });

  test.each([
    ['old', ['Alias: old', 'Canonical target: shell/other', 'Deprecated: Gone soon.', 'Target: shell/other']],
    ['short', ['Alias: short', 'Canonical target: shell/other', 'Target: shell/other', 'Depends on: -']],
  ])('through alias %s', (name, first) => {
    expect(linesOf(name).slice(0, 4)).toEqual(first);
  });
});

describe('explanation of a generated node', () => {
  test('subject, workspace, commit and what it requires, indented', () => {
    expect(linesOf('policy.merge@agent.x')).toEqual([
      'policy.merge@agent.x',
      '  generated: true',
      '  subject: agent.x',
      '  subject_workspace: w',
      '  subject_commit: abc',
      '  required_targets: group/g, shell/base',
    ]);
  });

  test('what it does not say is left out', () => {
    expect(linesOf('policy.bare@y')).toEqual(['policy.bare@y', '  generated: true', '  subject: y', '  required_targets: -']);
  });
});

describe('the same as a document', () => {
  const documentOf = (name: string) => explanationDocument(found(name), RISKS);

  test('a target', () => {
    expect(documentOf('shell/full')).toEqual({
      name: 'shell/full',
      type: 'shell',
      description: 'First\n  second\n',
      when: 'after all',
      cost: 'high',
      risks: ['remote', 'destructive', 'requires_confirmation'],
      depends_on: ['shell/base', 'shell/other'],
      inputs: ['file/src', 'go.mod'],
      outputs: [{ name: 'bin', path: 'dist/app' }, { path: 'dist/map' }],
      produces: ['resource/deps'],
      tools: FULL.tools,
      preflights: [
        { name: 'session', kind: '', command: ['who', 'am', 'i'], fix: 'Log in.' },
        { name: '', kind: 'aws', command: ['aws'], fix: '' },
      ],
    });
  });

  test.each<[string, Partial<Record<string, unknown>>]>([
    ['pipeline/p', { type: 'pipeline', steps: ['shell/base', 'shell/full'] }],
    ['group/g', { type: 'group', targets: ['shell/other'] }],
    ['old', { name: 'shell/other', alias: { name: 'old', target: 'shell/other', deprecated: 'Gone soon.' } }],
    [
      'policy.merge@agent.x',
      {
        name: 'policy.merge@agent.x',
        type: 'policy',
        generated: true,
        description: 'policy fan-out for agent.x requiring group/g, shell/base',
        risks: ['remote', 'requires_confirmation'],
        subject: 'agent.x',
        subject_workspace: 'w',
        subject_commit: 'abc',
        required_targets: ['group/g', 'shell/base'],
      },
    ],
  ])('%s', (name, expected) => {
    expect(documentOf(name)).toMatchObject(expected);
  });

  test('only a composite has children', () => {
    const keysOf = (each: Target): readonly string[] => Object.keys(documentOf(each.name));
    expect(keysOf(FULL).filter((key) => key === 'steps' || key === 'targets' || key === 'alias')).toEqual([]);
  });
});
