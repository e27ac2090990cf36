import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { runFiles } from '../../src/engine/folder-ports.ts';
import { failed, folderPorts, ok, readStepLog, replay, runSystem, unknown } from '../../src/engine/index.ts';
import { systemIds } from '../../src/kernel/ids/index.ts';
import { createRedaction } from '../../src/kernel/redact/index.ts';
import { systemClock } from '../../src/kernel/time/index.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { Bench, handlers, type State } from './support/bench-run.ts';

const SECRET = 'correct-horse-battery';
const MASKED = '*'.repeat(SECRET.length);
const mask = createRedaction([SECRET]).redactValue;
const folder = tempFolder();

type Parts = Parameters<Bench['system']>[0];
type Decide = NonNullable<Parts['decide']>;
type Facts = { readonly seen: number; readonly word: string };

const step = (n: number, word: string) => ({ kind: 'work', key: `k${n} ${word}`, input: { n, word } }) as const;

/** What a fact says becomes part of a step, and so does what the system knows by itself. */
function policy(own: string) {
  const fold = (state: State, settled: State[number]) => [...state, settled];
  const decide: Decide = (state, facts, _now, open) => {
    if (open.length > 0) return { next: 'wait' };
    const { word } = facts as Facts;
    const next = [step(1, word), step(2, own), step(3, word)][state.length];
    if (next !== undefined) return { next: 'steps', steps: [next] };
    return { next: 'park', reason: `${word}, ${JSON.stringify(state)}` };
  };
  return { initial: [] as State, fold, decide };
}

async function worked(parts: Parts) {
  const bench = new Bench();
  const clock = systemClock();
  const ports = folderPorts(folder.path, { clock, ids: systemIds(clock), settleLeftovers: async () => undefined, mask });
  const { signal } = new AbortController();
  const ending = await runSystem(bench.system(parts), { path: folder.path, world: bench, ports, stop: { graceful: signal, immediate: signal } });
  const { log } = runFiles(folder.path);
  return { bench, ending, text: readFileSync(log, 'utf8'), records: await readStepLog(log) };
}

const gather = async (state: State) => ({ seen: state.length, word: SECRET });

describe('a secret', () => {
  const answers = [
    failed('no', `bad ${SECRET}`, { word: SECRET, [SECRET]: [SECRET] }),
    unknown(`lost ${SECRET}`),
    ok(SECRET as never),
  ];
  const perform: Parameters<typeof handlers>[0]['perform'] = async ({ input: { n } }) => answers[n - 1]!;
  const reconcile = () => Promise.reject(new Error(`no way to ${SECRET}`));

  test('in a fact, a key, an input, a message, data or a reason is nowhere in the step log, and nowhere in the end', async () => {
    const { text, ending, records, bench } = await worked({ ...policy(SECRET), gather, handlers: handlers({ perform, reconcile }) });
    expect(text).not.toContain(SECRET);
    expect(JSON.stringify([ending, bench.published])).not.toContain(SECRET);
    expect(ending).toMatchObject({ is: 'parked', reason: expect.stringContaining(`no way to ${MASKED}`) });
    expect(records).toContainEqual(expect.objectContaining({ key: `k1 ${MASKED}`, input: { n: 1, word: MASKED }, seen: expect.objectContaining({ facts: { seen: 0, word: MASKED } }) }));
    expect(records).toContainEqual(expect.objectContaining({ receipt: failed('no', `bad ${MASKED}`, { word: MASKED, [MASKED]: [MASKED] }) }));
    expect(records.at(-1)).toMatchObject({ type: 'ended', standing: ending });
  });

  test('is masked before anything is decided from it, so that the record decides the same', async () => {
    const words: unknown[] = [];
    const given: unknown[] = [];
    const { decide, ...pure } = policy('plain');
    const parts: Parts = {
      ...pure,
      gather,
      decide: (state, facts, ...rest) => (words.push((facts as Facts).word), decide(state, facts, ...rest)),
      handlers: handlers({ perform: async ({ input }) => (given.push((input as never as Facts).word), ok(input.n)) }),
    };
    const { records } = await worked(parts);
    expect(new Set(words)).toEqual(new Set([MASKED]));
    expect(given).toEqual([MASKED, 'plain', MASKED]);
    expect(replay(records, policy('plain'))).toEqual({ equal: true, decisions: 4 });
  });

  test('that the system made up itself is compared as it was masked', async () => {
    const { records } = await worked({ ...policy(SECRET), gather });
    expect(replay(records, policy(SECRET), { mask })).toEqual({ equal: true, decisions: 4 });
    expect(replay(records, policy(SECRET))).toMatchObject({ equal: false, sequence: 2, recorded: { key: `k2 ${MASKED}` } });
  });

  test('in the reason of a refusal is masked too', async () => {
    const { text, ending } = await worked({ ...policy('plain'), gather, decide: () => ({ next: 'steps', steps: [step(1, SECRET)] }), allow: () => ({ allowed: false, reason: `no ${SECRET}` }) });
    expect(text).not.toContain(SECRET);
    expect(ending).toEqual({ is: 'parked', reason: `no ${MASKED}` });
  });
});

test('one step is one step under its masked name: it is not begun beside itself', async () => {
  const parts: Parts = { ...policy(SECRET), decide: () => ({ next: 'steps', steps: [step(1, SECRET), step(1, SECRET)] }) };
  await expect(worked(parts)).rejects.toMatchObject({ code: 'bad-decision', message: `test: work k1 ${MASKED} is in flight already` });
});
