import { describe, expect, test } from 'vitest';
import { completionLine, pipelineHeaders, targetLabel, timeoutMessage } from '../../../src/bach/decide/index.ts';
import { aggregate, group, names, pipeline, planOf, shell } from './fixtures.ts';

test('R29 the label carries the lock', () => {
  expect(targetLabel(shell('test-db', { lock: 'postgres' }))).toBe('test-db lock=postgres');
  expect(targetLabel(shell('shell/test'))).toBe('shell/test');
});

describe('completion lines', () => {
  test.each([
    ['R14 aggregate', aggregate('all', ['a', 'b']), '[all] aggregate'],
    ['noop', aggregate('nothing'), '[nothing] noop'],
    ['group', group('group/x', names('a b')), '[group/x] group: a, b'],
    ['group with a lock', group('group/x', ['a'], { lock: 'db' }), '[group/x lock=db] group: a'],
    ['pipeline', pipeline('pipeline/x', ['a']), undefined],
  ])('%s', (_, target, line) => {
    expect(completionLine(target)).toBe(line);
  });
});

describe('pipeline headers', () => {
  const targets = [
    ...names('a b c').map((name) => shell(name)),
    pipeline('inner', names('a b'), { lock: 'db' }),
    pipeline('deep', ['c']),
    group('lanes', ['deep', 'inner']),
    pipeline('outer', ['inner', 'lanes', 'c']),
    pipeline('other', ['a', 'deep']),
    shell('last', { dependsOn: ['other'] }),
  ];
  const headers = (...requested: string[]) => pipelineHeaders(planOf(targets, requested));

  test('requested pipelines first, then nested ones, outermost first, each once', () => {
    expect(headers('outer', 'other')).toEqual([
      '[outer] pipeline: inner -> lanes -> c',
      '[other] pipeline: a -> deep',
      '[inner lock=db] pipeline: a -> b',
      '[deep] pipeline: c',
    ]);
  });

  test('pipelines inside a requested group are announced', () => {
    expect(headers('lanes')).toEqual(['[deep] pipeline: c', '[inner lock=db] pipeline: a -> b']);
  });

  test('a pipeline that is only depended upon is not', () => {
    expect(headers('last')).toEqual([]);
  });
});

test.each([
  [20, 'target "slow" timed out after 20ms'],
  [30_000, 'target "slow" timed out after 30s'],
  [90_500, 'target "slow" timed out after 1m30.5s'],
  [0.25, 'target "slow" timed out after 250µs'],
  [1.000001, 'target "slow" timed out after 1.000001ms'],
  [3_600_000_000_000, 'target "slow" timed out after 1000000h0m0s'],
])('R15 a timeout of %d ms', (ms, message) => {
  expect(timeoutMessage('slow', ms)).toBe(message);
});
