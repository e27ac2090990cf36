import { describe, expect, test } from 'vitest';
import { notDone, ok, unknown, type Receipt } from '../../src/engine/index.ts';
import { NotRecordable, recordable } from '../../src/engine/plain-json.ts';
import { receiptOf, receiptOfThrown } from '../../src/engine/receipts.ts';
import { Bench, handlers, never, work } from './support/bench-run.ts';

const steps = (...numbers: readonly number[]) => ({ next: 'steps', steps: numbers.map(work) }) as const;
const circle: { self?: unknown } = {};
circle.self = circle;
const throwing = Object.defineProperty(new Error(), 'message', { get: () => { throw new Error('no message'); } });
const trap = new Proxy({}, { get: () => { throw new Error('trapped'); }, getPrototypeOf: () => { throw new Error('trapped'); } });
/** Each is no receipt that a log could take. */
const NO_RECEIPTS: readonly (readonly [string, unknown])[] = [
  ['nothing', undefined],
  ['a big integer', ok(10n)],
  ['no data', ok(undefined)],
  ['9 MB', ok('x'.repeat(9e6))],
  ['control characters that grow', ok('\0'.repeat(3e6))],
  ['a circle', ok(circle)],
  ['a date', ok(new Date(0))],
  ['no number', ok(Number.NaN)],
  ['a hole', ok(Object.assign([], { length: 2 }))],
  ['a name on a list', ok(Object.assign([1], { more: 2 }))],
  ['a hidden property', ok({ [Symbol('hidden')]: 1 })],
  ['too many values', ok(Array.from({ length: 100_001 }, () => 0))],
  ['too many values in small lists', ok(Array.from({ length: 10_000 }, () => Array.from({ length: 9 }, () => 0)))],
  ['an unknown outcome', { outcome: 'OK', data: 1 }],
  ['a failure without code', { outcome: 'failed', message: 'no' }],
  ['a text', 'ok'],
  ['a proxy', trap],
];

describe('what a handler answers', () => {
  test.each(NO_RECEIPTS)('%s is a receipt that tells nothing, and is short', (_name, answer) => {
    const receipt = receiptOf(answer);
    expect(receipt).toMatchObject({ outcome: 'unknown', reason: expect.stringMatching(/^internal-error: its receipt cannot be recorded: /), thrown: { code: 'internal-error' } });
    expect(JSON.stringify(receipt).length).toBeLessThan(500);
  });

  test.each(NO_RECEIPTS.slice(0, 2))('%s, and looking tells as little: the run parks', async (_name, answer) => {
    const bench = new Bench();
    const perform = async () => answer as Receipt<number>;
    const ending = await bench.run(bench.system({ decide: Bench.answers(steps(1)), handlers: handlers({ perform, reconcile: perform }) }));
    expect(ending).toMatchObject({ is: 'parked', reason: expect.stringContaining('cannot be recorded') });
    expect(await bench.run(bench.system({}))).toEqual({ is: 'done' });
  });

  test('is its receipt, whatever it does with the value later; a long reason is cut', () => {
    const data = { list: [1, { deep: 'é' }], null: null };
    const receipt = receiptOf(ok(data));
    data.list.push(2);
    expect(receipt).toEqual(ok({ list: [1, { deep: 'é' }], null: null }));
    expect(receiptOf({ ...unknown('x'.repeat(9000)), thrown: { code: 'c', message: 'm' } })).toEqual({ ...unknown(`${'x'.repeat(4000)}…`), thrown: { code: 'c', message: 'm' } });
    expect(receiptOf(ok(Object.assign(Object.create(null) as object, { a: 1 })))).toEqual(ok({ a: 1 }));
    expect(recordable(JSON.parse('{"__proto__":{"a":1}}'))).toEqual(JSON.parse('{"__proto__":{"a":1}}'));
    expect(() => recordable(Array.from({ length: 200 }).reduce((inner) => [inner], 0))).toThrow(NotRecordable);
  });

  test.each([
    ['an object without anything', Object.create(null)],
    ['an error whose message throws', throwing],
    ['a proxy', trap],
    ['a symbol', Symbol('s')],
    ['9 MB', new Error('x'.repeat(9e6))],
  ])('%s that is thrown becomes a receipt', async (_name, thrown: unknown) => {
    expect(receiptOfThrown(thrown).reason.length).toBeLessThan(5000);
    const bench = new Bench();
    const decide = Bench.answers(steps(1));
    await bench.run(bench.system({ decide, handlers: handlers({ perform: () => Promise.reject(thrown), reconcile: async () => notDone('nothing') }) }));
    expect(bench.state).toMatchObject([{ outcome: 'failed', code: 'internal-error' }]);
  });

  test('a look that throws at once, each time, parks the run', async () => {
    const bench = new Bench();
    const reconcile = () => { throw new Error('at once'); };
    const ending = await bench.run(bench.system({ decide: Bench.answers(steps(1)), handlers: handlers({ perform: async () => unknown('lost'), reconcile }) }));
    expect(ending).toEqual({ is: 'parked', reason: 'nobody can tell what became of work k1: internal-error: at once' });
  });

  test('a handler that changes its step changes no state', async () => {
    const bench = new Bench();
    const perform = async (step: { input: { n: number } }) => ok((step.input.n = 99));
    await bench.run(bench.system({ decide: Bench.answers(steps(1)), handlers: handlers({ perform }) }));
    expect(bench.state).toMatchObject([{ input: { n: 1 }, data: 99 }]);
  });
});

describe('what a system decides', () => {
  const step = (parts: object) => ({ next: 'steps', steps: [{ ...work(1), ...parts }] });
  test.each([
    ['a kind without a handler', step({ kind: 'nope' }), 'nope k1 has no handler'],
    ['a kind that every object has', step({ kind: 'toString' }), 'toString k1 has no handler'],
    ['an input that is no JSON', step({ input: { n: 10n } }), 'bigint'],
    ['no input', step({ input: undefined }), 'undefined'],
    ['a kind that is no text', step({ kind: 5 }), 'no kind'],
    ['a key that is no text', step({ key: 5 }), 'no key'],
    ['a key without end', step({ key: 'k'.repeat(5000) }), 'no key'],
    ['a step that is none', { next: 'steps', steps: [null] }, 'step 1'],
    ['steps that are no list', { next: 'steps', steps: 'all' }, 'no list'],
    ['a wait for no number', { next: 'wait', ms: Number.NaN }, 'wait for NaN ms'],
    ['a wait for less than nothing', { next: 'wait', ms: -5 }, 'wait for -5 ms'],
    ['to park without a reason', { next: 'park' }, 'no text'],
    ['a word', { next: 'banana' }, 'nothing that there is'],
    ['nothing', undefined, 'nothing that there is'],
  ])('%s is refused, and nothing is written', async (_name, decision, reason) => {
    const bench = new Bench();
    await expect(bench.run(bench.system({ decide: () => decision as never }))).rejects.toMatchObject({ code: 'bad-decision', message: expect.stringContaining(reason) });
    expect(bench.log).toEqual(['opened 1']);
    expect(await bench.run(bench.system({}))).toEqual({ is: 'done' });
  });

  test.each([
    ['throws', () => { throw new Error('no clock'); }, 'cannot be told: no clock'],
    ['is no number', () => Number.NaN, 'is no number'],
    ['is a text', () => '5' as never, 'is no number'],
  ])('a deadline that %s is refused before the step is begun', async (_name, deadlineMs, reason) => {
    const bench = new Bench();
    const limits = { maxInFlight: 1, deadlineMs, graceMs: 1 };
    await expect(bench.run(bench.system({ limits, decide: () => steps(1) }))).rejects.toMatchObject({ code: 'bad-decision', message: expect.stringContaining(reason) });
    expect(bench.log).toEqual(['opened 1']);
  });

  test.each([
    ['perform', { perform: undefined }],
    ['reconcile', { reconcile: undefined }],
  ])('a kind without %s is no kind, although it slipped past the compiler', async (_name, parts) => {
    const bench = new Bench();
    const system = bench.system({ decide: () => steps(1) });
    const lacking = { ...system, handlers: { ...system.handlers, work: { ...system.handlers.work, ...parts } } as never };
    await expect(bench.run(lacking)).rejects.toMatchObject({ code: 'bad-decision', message: expect.stringContaining('work k1 has no handler') });
    expect(bench.log).toEqual(['opened 1']);
  });

  test.each([
    ['has no handler any more', {}, 'gone', 'has no handler'],
    ['has a deadline that throws now', { limits: { maxInFlight: 1, deadlineMs: () => { throw new Error('no clock'); }, graceMs: 1 } }, 'work', 'no clock'],
  ])('a step of the holder before that %s parks the run', async (_name, parts, kind, reason) => {
    const bench = new Bench();
    const { node } = bench.start(bench.system({ decide: Bench.answers(steps(1)), handlers: handlers({ perform: never }) }));
    await bench.until(() => bench.events.includes('perform k1'));
    node.kill();
    Object.assign(bench.storage.records[1]!, { kind });
    expect(await bench.run(bench.system(parts))).toMatchObject({ is: 'parked', reason: expect.stringContaining(reason) });
    expect(await bench.run(bench.system({}))).toMatchObject({ is: kind === 'work' ? 'done' : 'parked' });
  });
});
