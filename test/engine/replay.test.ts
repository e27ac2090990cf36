import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { failed, ok, replay, unknown, type Policy } from '../../src/engine/index.ts';
import type { StepRecord } from '../../src/engine/record.ts';
import { Bench, handlers, work, type Shapes, type State } from './support/bench-run.ts';

/** Begins as many as the facts and the state allow, and ends as the facts say. */
const policy: Policy<State, { readonly seen: number }, Shapes> = {
  initial: [],
  fold: (state, settled) => [...state, settled],
  decide: (state, { seen }, _now, open) => {
    const begun = state.length + open.length;
    if (begun < 4) return { next: 'steps', steps: [work(begun + 1), work(begun + 2)].slice(0, 4 - begun) };
    if (open.length > 0) return { next: 'wait' };
    return seen % 2 === 0 ? { next: 'done' } : { next: 'park', reason: `seen ${seen}` };
  },
};

async function recorded(parts: { odd?: boolean; refuse?: number } = {}): Promise<readonly StepRecord[]> {
  const bench = new Bench();
  const perform = async ({ input: { n } }: { input: { n: number } }) => [ok(n), failed('no', 'no'), unknown('lost')][n % 3]!;
  await bench.run(
    bench.system({
      ...policy,
      gather: async (state) => ({ seen: state.length + (parts.odd === true ? 1 : 0) }),
      handlers: handlers({ perform: perform as never }),
      allow: ({ input }) => (input !== null && input.n === parts.refuse ? { allowed: false, reason: 'no' } : { allowed: true }),
    }),
  );
  return bench.storage.records;
}

describe('a recorded run decides the same again', () => {
  test.each([{}, { odd: true }, { refuse: 2 }])('%o', async (parts) => {
    const records = await recorded(parts);
    expect(replay(records, policy)).toMatchObject({ equal: true });
    expect(records.some(({ type }) => type === 'ended')).toBe(true);
  });

  test('also when it was cut off anywhere, and taken over', async () => {
    const records = await recorded();
    fc.assert(
      fc.property(fc.integer({ min: 0, max: records.length }), (length) => {
        expect(replay(records.slice(0, length), policy)).toMatchObject({ equal: true });
      }),
      { numRuns: 50 },
    );
  });

  test('and what a fenced holder wrote is passed over', async () => {
    const records = await recorded();
    const last = records.at(-1)!;
    const opened = { ...records[0]!, epoch: 2, by: 'n2' };
    const stray: StepRecord = { ...last, type: 'intent', sequence: 99, kind: 'work', key: 'stray', input: { n: 9 }, place: 0 };
    expect(replay([...records.slice(0, -1), opened, stray], policy)).toMatchObject({ equal: true });
  });

  test('a stop is the engine\'s own and decides nothing', async () => {
    const records = await recorded();
    const { seen: _, ...end } = records.at(-1) as Extract<StepRecord, { type: 'ended' }>;
    const stopped: StepRecord = { ...end, standing: { is: 'stopped', how: 'hard' } };
    expect(replay([...records.slice(0, -1), stopped], policy)).toMatchObject({ equal: true });
  });
});

describe('the first difference', () => {
  const change = async (at: (record: StepRecord) => boolean, how: object): Promise<readonly StepRecord[]> =>
    (await recorded()).map((record) => (at(record) ? ({ ...record, ...how } as StepRecord) : record));

  test('is named with what was recorded and what is decided now', async () => {
    const records = await change((record) => record.type === 'intent' && record.sequence === 2, { key: 'other' });
    expect(replay(records, policy)).toEqual({
      equal: false,
      sequence: 2,
      recorded: { kind: 'work', key: 'other', input: { n: 2 } },
      decided: { kind: 'work', key: 'k2', input: { n: 2 } },
    });
  });

  test('may be a step that is decided no more', async () => {
    const records = await recorded();
    const lazy = { ...policy, decide: () => ({ next: 'wait' }) as const };
    expect(replay(records, lazy)).toMatchObject({ equal: false, sequence: 1, decided: { next: 'wait' } });
    const short = { ...policy, decide: () => ({ next: 'steps', steps: [work(1)] }) as const };
    expect(replay(records, short)).toMatchObject({ equal: false, sequence: 2, decided: undefined });
  });

  test('may be the end', async () => {
    const parked = { is: 'parked', reason: 'seen 4' };
    expect(replay(await change(({ type }) => type === 'ended', { standing: parked }), policy)).toMatchObject({
      equal: false,
      recorded: { next: 'park', reason: 'seen 4' },
      decided: { next: 'done' },
    });
  });
});

describe('a log that cannot be', () => {
  const at = { epoch: 1, by: 'n1', now: { wallMs: 0, bootMs: 0 } };
  const opened: StepRecord = { type: 'opened', system: 'test', format: 1, ...at };
  const intent = (sequence: number): StepRecord => ({ type: 'intent', sequence, kind: 'work', key: 'k1', input: { n: 1 }, place: 0, seen: { facts: { seen: 0 }, now: at.now }, ...at });
  const receipt: StepRecord = { type: 'receipt', sequence: 1, receipt: { outcome: 'ok', data: 1 }, ...at };

  test.each<[string, readonly StepRecord[], string]>([
    ['a receipt without an intent', [opened, receipt], 'step-log-broken'],
    ['a second receipt', [opened, intent(1), receipt, receipt], 'step-log-broken'],
    ['a missing intent', [opened, intent(2)], 'step-log-broken'],
    ['a later format', [{ ...opened, format: 2 } as StepRecord], 'step-log-foreign'],
    ['a record of a later version', [opened, { ...at, type: 'later' } as never], 'step-log-foreign'],
  ])('%s is refused with the path', (_name, records, code) => {
    const lenient = { ...policy, decide: () => ({ next: 'steps', steps: [work(1)] }) as const };
    expect(() => replay(records, lenient, { path: 'run/steps.jsonl' })).toThrow(
      expect.objectContaining({ code, message: expect.stringContaining('run/steps.jsonl') }),
    );
  });
});
