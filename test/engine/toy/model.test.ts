import { describe, expect, test } from 'vitest';
import { failed, isNotDone, notDone, ok, type Intent, type Settled, type Step, type Timing } from '../../../src/engine/index.ts';
import { allowToy, MOVED_ON, toyPolicy, type Progress, type Stage, type ToyFacts, type ToySteps, type Unit } from '../../../src/engine/toy/model.ts';

const argv = ['true'] as const;
const unit = (name: string): Unit => ({ name, argv });
const facts = (names: readonly string[], more: Partial<ToyFacts> = {}): ToyFacts => ({ units: names.map(unit), marked: [], tip: 'tip', ...more });
const now = { wallMs: 0, bootMs: 0 };
const at = (stage: Stage, attempts = 0): Progress => ({ stage, attempts });
const decide = (units: Readonly<Record<string, Progress>>, given: ToyFacts, open: readonly Intent<ToySteps>[] = []) =>
  toyPolicy.decide({ units }, given, now, open);

describe('the next step of a unit', () => {
  const committed: Stage = { at: 'committed', base: 'b', commit: 'c' };

  test.each<[string, Progress | undefined, object | undefined]>([
    ['not begun', undefined, { kind: 'claim', key: 'a', input: { unit: 'a' } }],
    ['claimed', at({ at: 'claimed' }), { kind: 'run', key: 'a#1', input: { unit: 'a', attempt: 1, argv } }],
    ['failed once', at({ at: 'claimed' }, 1), { kind: 'run', key: 'a#2', input: { unit: 'a', attempt: 2, argv } }],
    ['ran', at({ at: 'ran' }), { kind: 'commit', key: 'a@tip', input: { unit: 'a', base: 'tip' } }],
    ['committed', at(committed), { kind: 'move', key: 'a@b', input: { unit: 'a', from: 'b', to: 'c' } }],
    ['moved', at({ at: 'moved' }), { kind: 'finish', key: 'a', input: { unit: 'a', mark: 'done' } }],
    ['given up', at({ at: 'gave-up' }), { kind: 'finish', key: 'a', input: { unit: 'a', mark: 'failed' } }],
    ['finished', at({ at: 'finished', mark: 'done' }), undefined],
  ])('%s', (_name, progress, step) => {
    const decision = decide(progress === undefined ? {} : { a: progress }, facts(['a']));
    expect(decision).toEqual(step === undefined ? { next: 'done' } : { next: 'steps', steps: [step] });
  });

  test('a unit that was marked before is left alone', () => {
    expect(decide({}, facts(['a', 'b'], { marked: ['a'] }))).toMatchObject({ steps: [{ key: 'b' }] });
  });

  test('one that is stuck parks the run, once the others are through', () => {
    const units = { a: at({ at: 'stuck', reason: 'why' }) };
    expect(decide(units, facts(['a', 'b']))).toMatchObject({ next: 'steps', steps: [{ key: 'b' }] });
    expect(decide(units, facts(['a']))).toEqual({ next: 'park', reason: 'why' });
  });

  test('a unit in flight waits, and of those that build on the tip only one goes at a time', () => {
    const ran = { a: at({ at: 'ran' }), b: at({ at: 'ran' }) };
    expect(decide(ran, facts(['a', 'b']))).toMatchObject({ steps: [{ kind: 'commit', key: 'a@tip' }] });
    const open = [{ kind: 'commit', key: 'a@tip', input: { unit: 'a', base: 'tip' }, sequence: 1, epoch: 1 }] as const;
    expect(decide(ran, facts(['a', 'b']), open)).toEqual({ next: 'wait' });
    expect(decide(ran, facts(['a', 'b', 'c']), open)).toMatchObject({ steps: [{ kind: 'claim', key: 'c' }] });
  });
});

describe('what a receipt makes of a unit', () => {
  const input = { unit: 'a', attempt: 1, argv, base: 'b', from: 'b', to: 'c', mark: 'done' };
  const fold = (kind: string, receipt: object, { before = at({ at: 'claimed' }), timing = {} }: { before?: Progress; timing?: Partial<Timing> } = {}) => {
    const settled = { kind, key: 'a', input, sequence: 1, ...receipt, timing, at: now } as unknown as Settled<ToySteps>;
    return toyPolicy.fold({ units: { a: before } }, settled).units['a'];
  };

  test.each([
    ['claim', null, { at: 'claimed' }],
    ['run', null, { at: 'ran' }],
    ['commit', { commit: 'c' }, { at: 'committed', base: 'b', commit: 'c' }],
    ['move', null, { at: 'moved' }],
    ['finish', null, { at: 'finished', mark: 'done' }],
  ])('%s that went well', (kind, data, stage) => {
    expect(fold(kind, ok(data))).toEqual(at(stage as Stage));
  });

  test('a failure costs an attempt, the second one all', () => {
    expect(fold('run', failed('exit', 'bad'))).toEqual(at({ at: 'claimed' }, 1));
    expect(fold('run', failed('exit', 'bad'), { before: at({ at: 'claimed' }, 1) })).toEqual(at({ at: 'gave-up' }, 2));
    expect(fold('run', { outcome: 'refused', reason: 'spent' }, { before: at({ at: 'claimed' }, 1) })).toEqual(at({ at: 'gave-up' }, 2));
  });

  test('a unit whose end cannot be marked is stuck', () => {
    const before = at({ at: 'moved' }, 1);
    expect(fold('finish', failed('disk-full', 'no space'), { before })).toEqual(at({ at: 'stuck', reason: 'no space' }, 2));
    expect(fold('finish', { outcome: 'refused', reason: 'spent' }, { before })).toEqual(at({ at: 'stuck', reason: 'spent' }, 2));
  });

  test('nothing new is begun while space is short, and what was begun goes on', () => {
    const allowed = (kind: 'claim' | 'finish', shortage?: string) => allowToy({ kind } as Step<ToySteps>, { units: [], marked: [], tip: '', shortage });
    expect(allowed('claim', 'disk-reserve: full')).toEqual({ allowed: false, reason: 'disk-reserve: full' });
    expect([allowed('claim'), allowed('finish', 'disk-reserve: full')]).toEqual([{ allowed: true }, { allowed: true }]);
  });

  test('a unit that was not let begin is as it was', () => {
    expect(fold('claim', { outcome: 'refused', reason: 'disk-reserve' }, { before: at({ at: 'new' }, 1) })).toEqual(at({ at: 'new' }, 1));
  });

  test('what never began, or was late only because the machine slept, costs nothing', () => {
    expect([isNotDone(notDone('cut off')), isNotDone(failed('exit', 'bad')), isNotDone(ok(1))]).toEqual([true, false, false]);
    expect(fold('run', notDone('cut off'))).toEqual(at({ at: 'claimed' }));
    expect(fold('run', failed('exit', 'bad'), { timing: { deadline: 'slept' } })).toEqual(at({ at: 'claimed' }));
    expect(fold('run', failed('exit', 'bad'), { timing: { deadline: 'spent' } })).toEqual(at({ at: 'claimed' }, 1));
  });

  test('a branch that moved on sends the unit back to its commit', () => {
    const before = at({ at: 'committed', base: 'b', commit: 'c' }, 1);
    expect(fold('move', failed(MOVED_ON, 'it holds d'), { before })).toEqual(at({ at: 'ran' }, 1));
  });
});
