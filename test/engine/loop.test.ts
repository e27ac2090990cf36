import { describe, expect, test } from 'vitest';
import { failed, notDone, ok, unknown, type Receipt } from '../../src/engine/index.ts';
import { defineError } from '../../src/kernel/errors/index.ts';
import { Bench, handlers, never, work } from './support/bench-run.ts';

const noSpace = defineError({ code: 'no-space', message: () => 'it does not fit', remedy: 'make room' });
const steps = (...numbers: readonly number[]) => ({ next: 'steps', steps: numbers.map(work) }) as const;

describe('the order of things', () => {
  test('intent, effect, receipt, documented files, and then the next decision', async () => {
    const bench = new Bench();
    const seenAtPerform: (readonly string[])[] = [];
    const perform = async ({ input }: { input: { n: number } }) => {
      seenAtPerform.push(bench.log);
      return ok(input.n);
    };
    const decide = Bench.answers(steps(1), steps(2));
    expect(await bench.run(bench.system({ decide, handlers: handlers({ perform }) }))).toEqual({ is: 'done' });
    expect(bench.log).toEqual(['opened 1', 'intent k1', 'receipt 1 ok', 'intent k2', 'receipt 2 ok', 'ended done']);
    expect(seenAtPerform.map((log) => log.at(-1))).toEqual(['intent k1', 'intent k2']);
    expect(bench.published.map(({ state, standing }) => [state.length, standing.is])).toEqual([
      [0, 'running'],
      [1, 'running'],
      [2, 'running'],
      [2, 'done'],
    ]);
  });

  test('an intent holds what the decision saw, and a state is folded from receipts alone', async () => {
    const bench = new Bench();
    await bench.run(bench.system({ decide: Bench.answers(steps(1, 2)) }));
    const intents = bench.storage.records.filter(({ type }) => type === 'intent');
    expect(intents).toMatchObject([
      { sequence: 1, kind: 'work', key: 'k1', input: { n: 1 }, place: 0, epoch: 1, by: 'n1', seen: { facts: { seen: 0 }, now: { bootMs: expect.any(Number) } } },
      { sequence: 2, key: 'k2', place: 1 },
    ]);
    expect(intents[1]).not.toHaveProperty('seen');
    expect(bench.state).toMatchObject([
      { kind: 'work', key: 'k1', sequence: 1, outcome: 'ok', data: 1, timing: { deadline: 'running' } },
      { key: 'k2', sequence: 2 },
    ]);
  });

  test('as many steps in flight as the system allows; what is past them is decided again', async () => {
    const bench = new Bench();
    const open: number[] = [];
    const system = bench.system({
      decide: (state, _facts, _now, inFlight) => {
        open.push(inFlight.length);
        const begun = state.length + inFlight.length;
        return begun < 3 ? steps(...[1, 2, 3].slice(begun)) : { next: inFlight.length > 0 ? 'wait' : 'done' };
      },
      handlers: handlers({ perform: ({ input: { n } }, { world }) => new Promise((resolve) => void world.scheduler.after(n * 50, () => resolve(ok(n)))) }),
    });
    await bench.run(system);
    expect(bench.log.filter((line) => !line.startsWith('receipt'))).toEqual(['opened 1', 'intent k1', 'intent k2', 'intent k3', 'ended done']);
    expect(bench.log.indexOf('intent k3')).toBeGreaterThan(bench.log.indexOf('receipt 1 ok'));
    expect(open[0]).toBe(0);
    expect(Math.max(...open)).toBe(1);
  });

  test.each(['done', 'park'] as const)('%s counts once nothing is in flight any more', async (next) => {
    const bench = new Bench();
    const decide = Bench.answers(steps(1), { next, reason: 'enough' }, { next, reason: 'enough' });
    const ending = await bench.run(bench.system({ decide }));
    expect(ending).toEqual(next === 'done' ? { is: 'done' } : { is: 'parked', reason: 'enough' });
    expect(bench.log.slice(-2)).toEqual(['receipt 1 ok', `ended ${ending.is}`]);
    expect(bench.published.at(-1)?.standing).toEqual(ending);
  });
});

describe('waiting', () => {
  test('ends after its time', async () => {
    const bench = new Bench();
    await bench.run(bench.system({ decide: Bench.answers({ next: 'wait', ms: 5000 }) }));
    expect(bench.scheduler.clock.mono()).toBeGreaterThan(5000);
  });

  test('ends at a receipt', async () => {
    const bench = new Bench();
    const perform = () => new Promise<never>((_resolve, reject) => void bench.scheduler.after(300, () => reject(noSpace({}))));
    await bench.run(bench.system({ decide: Bench.answers(steps(1), { next: 'wait', ms: 5000 }), handlers: handlers({ perform }) }));
    expect(Math.floor(bench.scheduler.clock.mono() / 100)).toBe(3);
  });

  test('ends at a wake-up, also one that came before it, and the listening ends with the run', async () => {
    const bench = new Bench();
    let listening = 0;
    const wakeUps = (wake: () => void) => {
      listening += 1;
      wake();
      bench.scheduler.after(300, wake);
      return () => {
        listening -= 1;
      };
    };
    await bench.run(bench.system({ decide: Bench.answers({ next: 'wait' }, { next: 'wait' }) }), { wakeUps });
    expect([Math.floor(bench.scheduler.clock.mono() / 100), listening]).toEqual([3, 0]);
  });

  test('for nothing is refused', async () => {
    const bench = new Bench();
    await expect(bench.run(bench.system({ decide: () => ({ next: 'wait' }) }))).rejects.toMatchObject({ code: 'bad-decision' });
    expect(bench.storage.isHeld).toBe(false);
  });
});

describe('answers that cannot be begun', () => {
  test.each([
    ['no step', steps(), 'named none'],
    ['one step twice', steps(1, 1), 'work k1 is in flight already'],
  ])('%s', async (_name, answer, message) => {
    const bench = new Bench();
    await expect(bench.run(bench.system({ decide: () => answer }))).rejects.toMatchObject({
      code: 'bad-decision',
      message: expect.stringContaining(message),
    });
  });

  test('a step that is in flight', async () => {
    const bench = new Bench();
    await expect(bench.run(bench.system({ decide: () => steps(1), handlers: handlers({ perform: never }) }))).rejects.toThrow(
      'test: work k1 is in flight already',
    );
  });
});

const thrownBy = {
  'an error of ours': { error: noSpace({}), code: 'no-space', message: 'it does not fit' },
  'a defect': { error: new TypeError('x is undefined'), code: 'internal-error', message: 'x is undefined' },
  'what is no error': { error: 'gone', code: 'internal-error', message: 'gone' },
} as const;

describe.each(Object.entries(thrownBy))('a handler that throws %s leaves open what it did', (_name, { error, code, message }) => {
  const perform = () => Promise.reject(error);
  const run = async (reconcile: () => Promise<Receipt<number>>) => {
    const bench = new Bench();
    const ending = await bench.run(bench.system({ decide: Bench.answers(steps(1)), handlers: handlers({ perform, reconcile }) }));
    return { bench, ending };
  };

  test('looking at once finds the effect', async () => {
    const { bench } = await run(async () => ok(1));
    expect(bench.log).toEqual(['opened 1', 'intent k1', 'receipt 1 unknown', 'receipt 1 ok', 'ended done']);
    expect(bench.storage.records).toContainEqual(
      expect.objectContaining({ receipt: { outcome: 'unknown', reason: `${code}: ${message}`, thrown: { code, message } } }),
    );
    expect(bench.state).toMatchObject([{ outcome: 'ok', data: 1, timing: { deadline: 'running' } }]);
    expect(bench.scheduler.clock.mono()).toBeLessThan(1000);
  });

  test('looking finds nothing: it failed by what was thrown', async () => {
    const { bench, ending } = await run(async () => notDone('nothing there'));
    expect(ending).toEqual({ is: 'done' });
    expect(bench.log).toEqual(['opened 1', 'intent k1', 'receipt 1 unknown', 'receipt 1 failed', 'ended done']);
    expect(bench.state).toMatchObject([{ outcome: 'failed', code, message }]);
  });

  test('looking finds another failure, which tells more', async () => {
    const { bench } = await run(async () => failed('moved-on', 'it is elsewhere'));
    expect(bench.state).toMatchObject([{ outcome: 'failed', code: 'moved-on', message: 'it is elsewhere' }]);
  });

  test('what the look throws tells nothing, and is none of the step', async () => {
    let looks = 0;
    const { bench } = await run(() => ((looks += 1) === 1 ? Promise.reject(new RangeError('unreachable')) : Promise.resolve(notDone('nothing there'))));
    expect(bench.log.slice(2, -1)).toEqual(['receipt 1 unknown', 'receipt 1 unknown', 'receipt 1 failed']);
    expect(bench.state).toMatchObject([{ outcome: 'failed', code, message }]);
  });
});

describe('what a handler answers', () => {
  test('a failure may carry data', async () => {
    const bench = new Bench();
    const perform = async () => failed('exit', 'it ended with 3', { code: 3 });
    await bench.run(bench.system({ decide: Bench.answers(steps(1)), handlers: handlers({ perform }) }));
    expect(bench.state).toMatchObject([{ outcome: 'failed', code: 'exit', data: { code: 3 } }]);
  });

  test('a failure settles without a look', async () => {
    const bench = new Bench();
    const reconcile = () => Promise.reject(new Error('nobody looks'));
    await bench.run(bench.system({ decide: Bench.answers(steps(1)), handlers: handlers({ perform: async () => notDone('nothing was to do'), reconcile }) }));
    expect(bench.log).toEqual(['opened 1', 'intent k1', 'receipt 1 failed', 'ended done']);
  });
});

describe('a receipt that tells nothing', () => {
  const perform = async () => unknown('the reply was lost');

  test('is not folded; looking tells', async () => {
    const bench = new Bench();
    const reconcile = async () => failed('gone', 'it is gone');
    await bench.run(bench.system({ decide: Bench.answers(steps(1)), handlers: handlers({ perform, reconcile }) }));
    expect(bench.state).toMatchObject([{ code: 'gone', message: 'it is gone' }]);
    expect(bench.published.map(({ state }) => state.length)).toEqual([0, 1, 1]);
  });

  test('is looked at again, a second later', async () => {
    const bench = new Bench();
    let looks = 0;
    const reconcile = async () => ((looks += 1) < 3 ? unknown('still not') : ok(7));
    await bench.run(bench.system({ decide: Bench.answers(steps(1)), handlers: handlers({ perform, reconcile }) }));
    expect(bench.log.filter((line) => line.startsWith('receipt'))).toEqual([
      'receipt 1 unknown',
      'receipt 1 unknown',
      'receipt 1 unknown',
      'receipt 1 ok',
    ]);
    expect(bench.scheduler.clock.mono()).toBeGreaterThan(2000);
  });

  test('what a look throws becomes no failure of the step', async () => {
    const bench = new Bench();
    let looks = 0;
    const reconcile = () => ((looks += 1) === 1 ? Promise.reject(noSpace({})) : Promise.resolve(notDone('nothing there')));
    await bench.run(bench.system({ decide: Bench.answers(steps(1)), handlers: handlers({ perform, reconcile }) }));
    expect(bench.state).toMatchObject([{ outcome: 'failed', code: 'not-done' }]);
  });

  test('parks the run when looking tells nothing three times', async () => {
    const bench = new Bench();
    const reconcile = () => Promise.reject(new Error('unreachable'));
    const ending = await bench.run(bench.system({ decide: Bench.answers(steps(1)), handlers: handlers({ perform, reconcile }) }));
    const reason = 'nobody can tell what became of work k1: internal-error: unreachable';
    expect(ending).toEqual({ is: 'parked', reason });
    expect(bench.log.at(-1)).toBe('ended parked');
  });
});

describe('budgets', () => {
  const refusing = (refusals: number) => {
    let asked = 0;
    return () => ((asked += 1) > refusals ? ({ allowed: true } as const) : ({ allowed: false, reason: 'spent' } as const));
  };

  test('a refusal is logged and folded, begins nothing, and drops the rest of the answer', async () => {
    const bench = new Bench();
    await bench.run(bench.system({ decide: Bench.answers(steps(1, 2)), allow: refusing(1) }));
    expect(bench.log).toEqual(['opened 1', 'refused k1', 'ended done']);
    expect(bench.state).toMatchObject([{ key: 'k1', sequence: 1, outcome: 'refused', reason: 'spent' }]);
    expect(bench.events).toEqual(['leftovers']);
  });

  test('the step may be allowed later', async () => {
    const bench = new Bench();
    const decide = Bench.answers(steps(1), { next: 'wait', ms: 10 }, steps(1));
    await bench.run(bench.system({ decide, allow: refusing(1) }));
    expect(bench.log).toEqual(['opened 1', 'refused k1', 'intent k1', 'receipt 2 ok', 'ended done']);
  });

  test('a step that is refused twice in a row parks the run', async () => {
    const bench = new Bench();
    const decide = Bench.answers(steps(1), steps(2), steps(1), steps(3));
    const ending = await bench.run(bench.system({ decide, allow: ({ key }) => ({ allowed: false, reason: `no ${key}` }) }));
    expect(ending).toEqual({ is: 'parked', reason: 'no k1' });
    expect(bench.log).toEqual(['opened 1', 'refused k1', 'refused k2', 'refused k1', 'ended parked']);
  });

  test('a receipt in between makes it no row', async () => {
    const bench = new Bench();
    const allow = ({ key }: { key: string }) => (key === 'k1' ? ({ allowed: false, reason: 'no' } as const) : ({ allowed: true } as const));
    const decide = Bench.answers(steps(1), steps(2), { next: 'wait', ms: 5 }, steps(1));
    expect(await bench.run(bench.system({ decide, allow }))).toEqual({ is: 'done' });
    expect(bench.log.filter((line) => line.startsWith('refused'))).toEqual(['refused k1', 'refused k1']);
  });
});

describe('a failure of the system itself', () => {
  const broken = () => Promise.reject(noSpace({}));

  test.each([
    ['gather', { gather: broken }],
    ['publish', { publish: broken }],
    ['decide', { decide: () => { throw noSpace({}); } }],
    ['fold', { decide: Bench.answers(steps(1)), fold: () => { throw noSpace({}); } }],
  ])('%s ends the run with that error and gives the lock free', async (_name, parts) => {
    const bench = new Bench();
    await expect(bench.run(bench.system(parts))).rejects.toMatchObject({ code: 'no-space' });
    expect(bench.storage.isHeld).toBe(false);
    expect(bench.log.at(-1)).not.toMatch(/^ended/);
  });

  test('a full disk too, and what is in flight is told to end first', async () => {
    const bench = new Bench();
    const perform = (_step: unknown, { signal }: { signal: AbortSignal }) =>
      new Promise<never>((_resolve, reject) => {
        bench.events.push('begun');
        signal.addEventListener('abort', () => {
          bench.events.push('told to end');
          reject(noSpace({}));
        });
      });
    const run = bench.start(bench.system({ decide: Bench.answers(steps(1), { next: 'wait', ms: 50 }, steps(2)), handlers: handlers({ perform }) }));
    await bench.until(() => bench.events.includes('begun'));
    bench.storage.full = 1;
    await expect(bench.endOf(run)).rejects.toMatchObject({ code: 'disk-full' });
    expect(bench.events).toEqual(['leftovers', 'perform k1', 'begun', 'told to end']);
    expect(bench.storage.isHeld).toBe(false);
    expect(await bench.run(bench.system({}))).toEqual({ is: 'done' });
  });

  test('whatever else comes meanwhile', async () => {
    const bench = new Bench();
    const gather = async (state: readonly unknown[]) => {
      if (!bench.log.includes('intent k1')) return { seen: state.length };
      bench.scheduler.after(20, () => bench.scheduler.suspend(1000));
      bench.scheduler.after(40, () => bench.graceful.abort());
      throw noSpace({});
    };
    const wakeUps = (wake: () => void) => (bench.scheduler.after(30, wake), () => undefined);
    const run = bench.run(bench.system({ decide: () => steps(1), gather, handlers: handlers({ perform: never }) }), { wakeUps });
    await expect(run).rejects.toMatchObject({ code: 'no-space' });
    expect(bench.storage.isHeld).toBe(false);
  });

  test('a handler that does not end then is left behind', async () => {
    const bench = new Bench();
    const gather = async (state: readonly unknown[]) => {
      if (bench.log.includes('intent k1')) throw noSpace({});
      return { seen: state.length };
    };
    await expect(bench.run(bench.system({ decide: () => steps(1), gather, handlers: handlers({ perform: never }) }))).rejects.toMatchObject({ code: 'no-space' });
    expect(bench.storage.isHeld).toBe(false);
  });
});
