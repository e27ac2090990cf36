import { describe, expect, test } from 'vitest';
import { notDone, ok, unknown } from '../../src/engine/index.ts';
import { Bench, handlers, never, work } from './support/bench-run.ts';

const steps = (...numbers: readonly number[]) => ({ next: 'steps', steps: numbers.map(work) }) as const;

/** A run whose holder was killed with these steps begun. */
async function interrupted(...numbers: readonly number[]): Promise<Bench> {
  const bench = new Bench();
  const { node } = bench.start(bench.system({ decide: Bench.answers(steps(...numbers)), handlers: handlers({ perform: never }) }));
  await bench.until(() => bench.events.includes(`perform k${numbers.at(-1)}`));
  node.kill();
  return bench;
}

describe('the next holder', () => {
  test('ends what is left, publishes, and looks at each open step in its order before it decides', async () => {
    const bench = await interrupted(1, 2);
    bench.events.length = 0;
    const reconcile = async ({ key, input }: { key: string; input: { n: number } }) => {
      bench.events.push(`look at ${key}`);
      return ok(input.n);
    };
    const publish = async () => void bench.events.push('publish');
    const decide = () => (bench.events.push('decide'), { next: 'done' } as const);
    await bench.run(bench.system({ decide, publish, handlers: handlers({ reconcile }) }));
    expect(bench.events).toEqual(['leftovers', 'publish', 'look at k1', 'publish', 'look at k2', 'publish', 'decide', 'publish']);
    expect(bench.log).toEqual(['opened 1', 'intent k1', 'intent k2', 'opened 2', 'receipt 1 ok', 'receipt 2 ok', 'ended done']);
  });

  test('goes on counting, and folds without timing what it only looked at', async () => {
    const bench = await interrupted(1);
    await bench.run(bench.system({ decide: Bench.answers(steps(2)) }));
    expect(bench.state).toMatchObject([{ key: 'k1', sequence: 1 }, { key: 'k2', sequence: 2, timing: {} }]);
    expect(bench.state[0]).not.toHaveProperty('timing');
  });

  test('parks when it cannot learn what became of a step, and another may try again', async () => {
    const bench = await interrupted(1);
    const reconcile = async () => unknown('no answer');
    const ending = await bench.run(bench.system({ handlers: handlers({ reconcile }) }));
    expect(ending).toEqual({ is: 'parked', reason: 'nobody can tell what became of work k1: no answer' });
    expect(await bench.run(bench.system({}))).toEqual({ is: 'done' });
    expect(bench.log.slice(-3)).toEqual(['opened 3', 'receipt 1 ok', 'ended done']);
  });

  test('a look that throws does not make a cut-off step a failed one', async () => {
    const bench = await interrupted(1);
    let looks = 0;
    const reconcile = () => ((looks += 1) === 1 ? Promise.reject(new Error('no answer')) : Promise.resolve(notDone('nothing there')));
    await bench.run(bench.system({ handlers: handlers({ reconcile }) }));
    expect(bench.state).toMatchObject([{ outcome: 'failed', code: 'not-done' }]);
  });

  test('stops between two looks', async () => {
    const bench = await interrupted(1, 2);
    const reconcile = async ({ input }: { input: { n: number } }) => (bench.graceful.abort(), ok(input.n));
    expect(await bench.run(bench.system({ handlers: handlers({ reconcile }) }))).toEqual({ is: 'stopped', how: 'graceful' });
    expect(bench.log.slice(-3)).toEqual(['opened 2', 'receipt 1 ok', 'ended stopped']);
  });

  test('finds a run that ended as it was left, and ends it again', async () => {
    const bench = new Bench();
    await bench.run(bench.system({ decide: Bench.answers(steps(1)) }));
    expect(await bench.run(bench.system({}))).toEqual({ is: 'done' });
    expect(bench.log.slice(-2)).toEqual(['opened 2', 'ended done']);
  });

  test('does not come while the holder lives, stopped or not', async () => {
    const bench = new Bench();
    const { node } = bench.start(bench.system({ decide: () => steps(1), handlers: handlers({ perform: never }), limits: { maxInFlight: 1, deadlineMs: () => 1e9, graceMs: 1 } }));
    await bench.until(() => bench.events.includes('perform k1'));
    node.pause();
    await expect(bench.run(bench.system({}))).rejects.toMatchObject({ code: 'run-held', message: 'the run: another process works on this run' });
    expect(bench.log).toEqual(['opened 1', 'intent k1']);
  });

  test('reports what cannot be ended, and decides nothing', async () => {
    const bench = await interrupted(1);
    const failure = new Error('still alive');
    await expect(bench.run(bench.system({}), { ports: { settleLeftovers: () => Promise.reject(failure) } })).rejects.toBe(failure);
    expect(bench.log.at(-1)).toBe('opened 2');
    expect(bench.storage.isHeld).toBe(false);
  });

  test('gives the lock free when the log cannot be opened or read', async () => {
    const bench = await interrupted(1);
    const failure = new Error('damaged');
    for (const port of ['openLog', 'readLog'] as const) {
      await expect(bench.run(bench.system({}), { ports: { [port]: () => Promise.reject(failure) } })).rejects.toBe(failure);
      expect(bench.storage.isHeld).toBe(false);
    }
  });

  test('stays above the log when the fence was lost', async () => {
    const bench = await interrupted(1);
    await bench.run(bench.system({}));
    const raised: number[] = [];
    const fence = { isOurs: () => true, raise: async (least: number) => (raised.push(least), least + 1) };
    expect(await bench.run(bench.system({}), { ports: { fence } })).toEqual({ is: 'done' });
    expect(raised).toEqual([2]);
    expect(bench.log.slice(-2)).toEqual(['opened 3', 'ended done']);
  });

  test('passes over what was written before any holder, under no epoch', async () => {
    const bench = await interrupted(1);
    bench.storage.records.unshift({ ...bench.storage.records[1]!, epoch: 0 });
    expect(await bench.run(bench.system({}))).toEqual({ is: 'done' });
    expect(bench.state.map(({ key, sequence }) => [key, sequence])).toEqual([['k1', 1]]);
  });

  test('goes above a name that came into the log while it took the run', async () => {
    const bench = await interrupted(1);
    const raised: number[] = [];
    const raise = async (least: number) => {
      if (raised.push(least) === 1) bench.storage.records.push({ ...bench.storage.records[0]!, epoch: 7, by: 'x' });
      return least + 1;
    };
    expect(await bench.run(bench.system({}), { ports: { fence: { isOurs: () => true, raise } } })).toEqual({ is: 'done' });
    expect(raised).toEqual([1, 7]);
    expect(bench.log.slice(-4)).toEqual(['opened 2', 'opened 8', 'receipt 1 ok', 'ended done']);
  });
});

describe('a holder that was stopped and continued after another took over', () => {
  /** Stops it at a moment, lets another finish the run, and lets it go on. */
  async function thawed(stopAt: (bench: Bench) => boolean): Promise<{ bench: Bench; ending: unknown; before: readonly string[] }> {
    const bench = new Bench();
    const old = bench.start(bench.system({ decide: (state) => (state.length < 3 ? steps(state.length + 1) : { next: 'done' }) }));
    await bench.until(() => stopAt(bench));
    old.node.pause();
    bench.storage.loseLock();
    bench.events.length = 0;
    await bench.run(bench.system({}));
    const before = [...bench.events];
    old.node.resume();
    const ending = await bench.endOf(old);
    return { bench, ending, before };
  }

  test.each(['opened 1', 'intent k1', 'receipt 1 ok', 'intent k2', 'receipt 3 ok', 'ended done'])('behind "%s": begins nothing more', async (line) => {
    const { bench, ending, before } = await thawed(({ log }) => log.at(-1) === line);
    expect(ending).toEqual({ is: 'fenced' });
    expect(bench.events).toEqual(before);
    const published = bench.published.map(({ standing }) => standing.is);
    expect(published.at(-1)).toBe('done');
  });

  test('what it still wrote counts for nothing', async () => {
    const { bench } = await thawed(({ log }) => log.at(-1) === 'receipt 1 ok');
    const old = bench.storage.records.filter(({ by }) => by === 'n1').length;
    expect(await bench.run(bench.system({}))).toEqual({ is: 'done' });
    expect(bench.state.map(({ key }) => key)).toEqual(['k1']);
    expect(old).toBeGreaterThan(0);
  });

  test('its steps are told to end', async () => {
    const bench = new Bench();
    const perform = (_step: unknown, { signal }: { signal: AbortSignal }) =>
      new Promise<never>(() => void signal.addEventListener('abort', () => bench.events.push('told to end')));
    const decide = Bench.answers(steps(1), { next: 'wait', ms: 100 }, steps(2));
    const old = bench.start(bench.system({ decide, handlers: handlers({ perform }) }));
    await bench.until(() => bench.events.includes('perform k1'));
    old.node.pause();
    bench.storage.loseLock();
    await bench.run(bench.system({}));
    old.node.resume();
    expect(await bench.endOf(old)).toEqual({ is: 'fenced' });
    expect(bench.events.at(-1)).toBe('told to end');
  });
});
