import { describe, expect, test } from 'vitest';
import { afterSuccess, type SeenInput } from '../../../../src/bach/decide/index.ts';
import { command, fingerprintsOf, NOTHING_SEEN } from './fixtures.ts';

const DEP = command('shell/dep', { inputs: ['src'] });
const TOP = command('shell/top', { dependsOn: ['shell/dep'] });

/** `a=1 b=?`: files with their hashes, of which one is being written to. */
function seen(text: string): readonly SeenInput[] {
  return text.split(' ').filter(Boolean).map((each) => {
    const [path = '', hash = ''] = each.split('=');
    return { path, hash: hash === '?' ? undefined : hash };
  });
}

function after(before: string, now: string) {
  const fingerprints = fingerprintsOf([DEP, TOP]);
  fingerprints.learn(DEP, { inputs: seen(before), missing: [] });
  const keeping = afterSuccess(fingerprints, DEP, { before: seen(before), now: { inputs: seen(now), missing: [] } });
  return { keeping, top: fingerprints.learn(TOP, NOTHING_SEEN).hash };
}

describe('after a success', () => {
  test.each([
    ['a=1 b=2', 'a=1 b=2'],
    ['', ''],
  ])('the result is kept when its inputs are as they were: %s', (before, now) => {
    const { keeping, top } = after(before, now);
    expect(keeping.line).toBeUndefined();
    expect(keeping.kept?.hash).toMatch(/^[0-9a-f]{64}$/);
    expect(top).not.toBe('');
  });

  test.each([
    ['a=1 b=2', 'a=1 b=3', 'not cached: input "b" changed while the target ran'],
    ['a=1', 'a=1 b=3', 'not cached: input "b" came while the target ran'],
    ['', 'a=1', 'not cached: input "a" came while the target ran'],
    ['b=1', 'a=1 b=1', 'not cached: input "a" came while the target ran'],
    ['a=1 b=1', 'b=1', 'not cached: input "a" went while the target ran'],
    ['a=1 b=1', 'a=1', 'not cached: input "b" went while the target ran'],
    ['a=1 c=1', 'a=1 b=1', 'not cached: input "b" came while the target ran'],
    ['a=1 b=1', 'a=1 c=1', 'not cached: input "b" went while the target ran'],
    ['a=?', 'a=1', 'not cached: input "a" changed while the target ran'],
    ['a=1', 'a=?', 'not cached: input "a" changed while the target ran'],
    ['a=? b=1', 'a=? b=1', 'not cached: input "a" is still being written'],
  ])('it is not, nor what rests on it: %s, then %s', (before, now, line) => {
    const { keeping, top } = after(before, now);
    expect(keeping).toEqual({ kept: undefined, line });
    expect(top).toBe('');
  });

  test('the same look twice', () => {
    const fingerprints = fingerprintsOf([DEP]);
    const look = (text: string) => ({ inputs: seen(text), missing: [] });
    const [still, moving] = [look('a=1'), look('a=?')];
    expect(afterSuccess(fingerprints, DEP, { before: still.inputs, now: still }).line).toBeUndefined();
    expect(afterSuccess(fingerprints, DEP, { before: moving.inputs, now: moving }).line).toContain('still being written');
    const undecodable = { inputs: [{ path: 'a', hash: undefined, isUndecodable: true as const }], missing: [] };
    const { line } = afterSuccess(fingerprints, DEP, { before: undecodable.inputs, now: undecodable });
    expect(line).toBe('not cached: input "a" has a name that is not UTF-8');
  });

  test('what rests on a result that was not kept is not kept, and says so', () => {
    const fingerprints = fingerprintsOf([DEP, TOP]);
    afterSuccess(fingerprints, DEP, { before: seen('a=1'), now: { inputs: seen('a=2'), missing: [] } });
    const keeping = afterSuccess(fingerprints, TOP, { before: [], now: NOTHING_SEEN });
    expect(keeping).toEqual({ kept: undefined, line: 'not cached: an input of what it depends on changed during this run' });
  });

  test('an output that it did not make is part of what is kept', () => {
    const [whole, lacking] = [[], ['dist']].map((missing) => afterSuccess(fingerprintsOf([DEP]), DEP, { before: [], now: { inputs: [], missing } }).kept);
    expect(lacking?.parts.outputs).not.toBe(whole?.parts.outputs);
  });
});
