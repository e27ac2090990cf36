import { describe, expect, test } from 'vitest';
import { judgeContainment } from '../../../src/desk/doctor/containment.ts';
import { judgeSpace } from '../../../src/desk/doctor/disk.ts';
import { judgeGit, judgeNode, judgeTmux } from '../../../src/desk/doctor/programs.ts';

const MIB = 1024 * 1024;
const version = (major: number, minor: number) => ({ kind: 'version', text: `${major}.${minor}`, major, minor }) as const;

test.each([
  ['20.19.0', 'ok'],
  ['20.18.9', 'fail'],
  ['18.20.0', 'fail'],
  ['22.0.0', 'ok'],
  ['24.1.0', 'ok'],
])('node %s is %s', (text, status) => {
  expect(judgeNode(text).status).toBe(status);
});

describe('git', () => {
  test.each([
    [2, 33, 'fail'],
    [2, 34, 'warn'],
    [2, 37, 'warn'],
    [2, 38, 'ok'],
    [3, 0, 'ok'],
    [1, 99, 'fail'],
  ])('%i.%i is %s', (major, minor, status) => {
    expect(judgeGit(version(major, minor)).status).toBe(status);
  });

  test('missing or broken it fails, where tmux is only missed', () => {
    for (const answer of [{ kind: 'missing' }, { kind: 'broken', reason: 'it hangs' }] as const) {
      expect([judgeGit(answer).status, judgeTmux(answer).status]).toEqual(['fail', 'warn']);
    }
    expect(judgeTmux(version(3, 3))).toEqual({ status: 'ok', detail: '3.3' });
  });
});

describe('containment', () => {
  const full = { layer: 'bubblewrap', containment: 'full', available: true, reason: undefined } as const;
  const group = { layer: 'group', containment: 'partial', available: true, reason: undefined } as const;
  const missing = { ...full, available: false, reason: 'bwrap is not on PATH' } as const;

  test.each([
    ['full', [full], 'ok'],
    ['best', [full], 'ok'],
    ['partial', [full], 'ok'],
    ['full', [missing, group], 'fail'],
    ['best', [missing, group], 'warn'],
    ['partial', [missing, group], 'ok'],
  ] as const)('%s is asked for: %j', (wanted, layers, status) => {
    expect(judgeContainment(layers, wanted).status).toBe(status);
  });

  test('says why there is nothing better, and what is to be known about the one used', () => {
    expect(judgeContainment([missing, group], 'best').detail).toBe(
      'group: a program that hides on purpose can stay behind\nnot bubblewrap: bwrap is not on PATH',
    );
    expect(judgeContainment([{ ...full, reason: 'slow' }], 'best').detail).toBe('bubblewrap: nothing that is started can stay behind (slow)');
  });
});

describe('space', () => {
  test.each([
    [99 * MIB, undefined, 'fail'],
    [100 * MIB, undefined, 'warn'],
    [1023 * MIB, 1e6, 'warn'],
    [1024 * MIB, 1e6, 'ok'],
    [1e12, 999, 'fail'],
    [1e12, 1_000, 'warn'],
    [1e12, 10_000, 'ok'],
    [1e12, undefined, 'ok'],
  ])('%d bytes and %s files left: %s', (bytes, inodes, status) => {
    expect(judgeSpace({ folder: '/x', bytes, inodes }).status).toBe(status);
  });

  test('the figures are told', () => {
    expect(judgeSpace({ folder: '/x', bytes: 1.5 * 1024 * MIB, inodes: undefined }).detail).toBe('1.5 GiB free at /x');
    expect(judgeSpace({ folder: '/x', bytes: 150.9 * MIB, inodes: 7 }).detail).toBe('150 MiB free, room for 7 files at /x');
  });
});
