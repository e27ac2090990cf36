import { describe, expect, test } from 'vitest';
import { notDone, ok, unknown } from '../../src/engine/index.ts';
import { Bench, handlers, never, untilAborted, work } from './support/bench-run.ts';

const steps = (...numbers: readonly number[]) => ({ next: 'steps', steps: numbers.map(work) }) as const;
const limits = { maxInFlight: 2, deadlineMs: () => 100_000, graceMs: 100 };

describe('a graceful stop', () => {
  test('begins nothing new and lets what runs wind down', async () => {
    const bench = new Bench();
    const perform = untilAborted('stopping', ok(5));
    const run = bench.start(bench.system({ limits, decide: Bench.answers(steps(1), { next: 'wait', ms: 1e6 }), handlers: handlers({ perform }) }));
    await bench.until(() => bench.events.includes('perform k1'));
    bench.graceful.abort();
    expect(await bench.endOf(run)).toEqual({ is: 'stopped', how: 'graceful' });
    expect(bench.log).toEqual(['opened 1', 'intent k1', 'receipt 1 ok', 'ended stopped']);
    expect(bench.published.at(-1)?.standing).toEqual({ is: 'stopped', how: 'graceful' });
  });

  test('a step that finishes by itself may', async () => {
    const bench = new Bench();
    const perform = () => new Promise<ReturnType<typeof ok<number>>>((resolve) => void bench.scheduler.after(5000, () => resolve(ok(1))));
    const run = bench.start(bench.system({ limits: { ...limits, maxInFlight: 1 }, decide: () => steps(1), handlers: handlers({ perform }) }));
    await bench.until(() => bench.events.includes('perform k1'));
    bench.graceful.abort();
    expect(await bench.endOf(run)).toEqual({ is: 'stopped', how: 'graceful' });
    expect(bench.log).toContain('receipt 1 ok');
  });

  test('past its grace the steps are told to end', async () => {
    const bench = new Bench();
    const perform = untilAborted('signal', notDone('ended'));
    const run = bench.start(bench.system({ limits: { ...limits, maxInFlight: 1, stopGraceMs: 300 }, decide: () => steps(1), handlers: handlers({ perform }) }));
    await bench.until(() => bench.events.includes('perform k1'));
    const asked = bench.scheduler.clock.mono();
    bench.graceful.abort();
    expect(await bench.endOf(run)).toEqual({ is: 'stopped', how: 'graceful' });
    expect(Math.floor((bench.scheduler.clock.mono() - asked) / 100)).toBe(3);
    expect(bench.log).toContain('receipt 1 failed');
  });

  test('a step that is looked at meanwhile winds down too', async () => {
    const bench = new Bench();
    const perform = async () => (bench.graceful.abort(), unknown('the reply was lost'));
    const reconcile = async (_step: unknown, { stopping }: { stopping: AbortSignal }) => ok(stopping.aborted ? 1 : 0);
    expect(await bench.run(bench.system({ limits, decide: () => steps(1), handlers: handlers({ perform, reconcile }) }))).toMatchObject({ is: 'stopped' });
    expect(bench.state).toMatchObject([{ data: 1 }]);
  });

  test('that came before anything was begun', async () => {
    const bench = new Bench();
    bench.graceful.abort();
    expect(await bench.run(bench.system({ decide: () => steps(1) }))).toEqual({ is: 'stopped', how: 'graceful' });
    expect(bench.log).toEqual(['opened 1', 'ended stopped']);
  });

  test('between an intent and its effect: the step never began, and says so', async () => {
    const bench = new Bench();
    const allow = () => (bench.scheduler.after(0, () => bench.graceful.abort()), { allowed: true } as const);
    expect(await bench.run(bench.system({ decide: () => steps(1, 2), allow }))).toEqual({ is: 'stopped', how: 'graceful' });
    expect(bench.log).toEqual(['opened 1', 'intent k1', 'receipt 1 failed', 'ended stopped']);
    expect(bench.state).toMatchObject([{ code: 'not-done', message: 'the run was stopped before the step began' }]);
    expect(bench.events).toEqual(['leftovers']);
  });

  test('ends a wait, and the reason of a run that parks stays', async () => {
    const bench = new Bench();
    bench.scheduler.after(200, () => bench.graceful.abort());
    expect(await bench.run(bench.system({ decide: () => ({ next: 'wait', ms: 1e6 }) }))).toEqual({ is: 'stopped', how: 'graceful' });
    expect(bench.scheduler.clock.mono()).toBeLessThan(1000);
    const parking = new Bench();
    const allow = () => (parking.graceful.abort(), { allowed: false, reason: 'spent' } as const);
    expect(await parking.run(parking.system({ decide: () => steps(1), allow }))).toEqual({ is: 'stopped', how: 'graceful' });
  });
});

describe('a hard stop', () => {
  const left = (bench: Bench) => [bench.log, bench.storage.isHeld, Math.floor(bench.scheduler.clock.mono() / 100)];

  test('tells every step to end and records what it says', async () => {
    const bench = new Bench();
    const perform = untilAborted('signal', notDone('ended'));
    const run = bench.start(bench.system({ limits, decide: (state, _f, _n, open) => steps(state.length + open.length + 1), handlers: handlers({ perform }) }));
    await bench.until(() => bench.events.includes('perform k2'));
    bench.immediate.abort();
    expect(await bench.endOf(run)).toEqual({ is: 'stopped', how: 'hard' });
    expect(bench.log.slice(-3)).toEqual(['receipt 1 failed', 'receipt 2 failed', 'ended stopped']);
  });

  test('ends although a handler never does: its receipt is unknown, and the next holder looks', async () => {
    const bench = new Bench();
    const run = bench.start(bench.system({ limits: { ...limits, maxInFlight: 1 }, decide: () => steps(1), handlers: handlers({ perform: never }) }));
    await bench.until(() => bench.events.includes('perform k1'));
    bench.immediate.abort();
    expect(await bench.endOf(run)).toEqual({ is: 'stopped', how: 'hard' });
    expect(bench.storage.records).toContainEqual(
      expect.objectContaining({ type: 'receipt', receipt: { outcome: 'unknown', reason: 'it did not end after the stop' } }),
    );
    const stop = { graceful: new AbortController().signal, immediate: new AbortController().signal };
    expect(await bench.run(bench.system({}), { stop })).toEqual({ is: 'done' });
    expect(bench.log.slice(-3)).toEqual(['opened 2', 'receipt 1 ok', 'ended done']);
  });

  test('after a graceful one', async () => {
    const bench = new Bench();
    const perform = untilAborted('signal', ok(1));
    const run = bench.start(bench.system({ limits: { ...limits, stopGraceMs: 5000 }, decide: Bench.answers(steps(1), { next: 'wait' }), handlers: handlers({ perform }) }));
    await bench.until(() => bench.events.includes('perform k1'));
    bench.graceful.abort();
    bench.immediate.abort();
    expect(await bench.endOf(run)).toEqual({ is: 'stopped', how: 'hard' });
    expect(bench.log.at(-1)).toBe('ended stopped');
  });

  test('is not softened by a graceful one behind it', async () => {
    const bench = new Bench();
    bench.scheduler.after(200, () => bench.immediate.abort());
    bench.scheduler.after(210, () => bench.graceful.abort());
    const run = bench.run(bench.system({ limits, decide: Bench.answers(steps(1), { next: 'wait' }), handlers: handlers({ perform: never }) }));
    expect(await run).toEqual({ is: 'stopped', how: 'hard' });
    expect(left(bench)).toEqual([['opened 1', 'intent k1', 'receipt 1 unknown', 'ended stopped'], false, 3]);
  });

  test('while a second refusal is written leaves the run stopped, and not parked', async () => {
    const bench = new Bench();
    let asked = 0;
    const allow = () => {
      if ((asked += 1) === 2) bench.scheduler.after(0, () => bench.immediate.abort());
      return { allowed: false, reason: 'spent' } as const;
    };
    expect(await bench.run(bench.system({ limits, decide: () => steps(1), allow }))).toEqual({ is: 'stopped', how: 'hard' });
    expect(bench.log).toEqual(['opened 1', 'refused k1', 'refused k1', 'ended stopped']);
  });

  test('breaks off the looking at the world, and only then its error counts for nothing', async () => {
    const bench = new Bench();
    const gather = (_state: unknown, _world: unknown, signal: AbortSignal) =>
      new Promise<never>((_resolve, reject) => void signal.addEventListener('abort', () => reject(signal.reason as Error)));
    bench.scheduler.after(200, () => bench.immediate.abort());
    expect(await bench.run(bench.system({ gather }))).toEqual({ is: 'stopped', how: 'hard' });
  });

  test('breaks off a second look', async () => {
    const bench = new Bench();
    let looks = 0;
    const perform = async () => unknown('the reply was lost');
    const reconcile = async () => ((looks += 1) === 1 ? (bench.scheduler.after(100, () => bench.immediate.abort()), unknown('not yet')) : ok(1));
    expect(await bench.run(bench.system({ limits, decide: Bench.answers(steps(1), { next: 'wait' }), handlers: handlers({ perform, reconcile }) }))).toEqual({ is: 'stopped', how: 'hard' });
    expect(bench.scheduler.clock.mono()).toBeLessThan(800);
    expect(bench.log.at(-2)).toBe('receipt 1 ok');
  });

  test('while leftovers are being ended is an end in good order: nothing is looked at or decided', async () => {
    const bench = new Bench();
    const settleLeftovers = (signal: AbortSignal) =>
      new Promise<never>((_resolve, reject) => void signal.addEventListener('abort', () => reject(signal.reason as Error)));
    bench.scheduler.after(200, () => bench.immediate.abort());
    expect(await bench.run(bench.system({ limits, decide: () => steps(1) }), { ports: { settleLeftovers } })).toEqual({ is: 'stopped', how: 'hard' });
    expect(left(bench)).toEqual([['opened 1', 'ended stopped'], false, 2]);
  });

  test('waits for the ending of leftovers no longer than its grace', async () => {
    const bench = new Bench();
    bench.scheduler.after(200, () => bench.immediate.abort());
    expect(await bench.run(bench.system({ limits }), { ports: { settleLeftovers: never } })).toEqual({ is: 'stopped', how: 'hard' });
    expect(left(bench)).toEqual([['opened 1', 'ended stopped'], false, 3]);
  });

  test('and for documented files neither', async () => {
    const bench = new Bench();
    const publish = (_state: unknown, { is }: { is: string }) => (is === 'running' ? Promise.resolve() : never());
    bench.scheduler.after(200, () => bench.immediate.abort());
    expect(await bench.run(bench.system({ limits, publish, decide: () => ({ next: 'wait', ms: 1e6 }) }))).toEqual({ is: 'stopped', how: 'hard' });
    expect(left(bench)).toEqual([['opened 1', 'ended stopped'], false, 3]);
  });

  test.each(['immediate', 'graceful'] as const)('and for a look at the world neither, when a stop was %s before', async (first) => {
    const bench = new Bench();
    bench.scheduler.after(200, () => bench[first].abort());
    bench.scheduler.after(250, () => bench.immediate.abort());
    expect(await bench.run(bench.system({ limits, gather: never }))).toEqual({ is: 'stopped', how: 'hard' });
    expect(left(bench)).toEqual([['opened 1', 'ended stopped'], false, 3]);
  });

  test('does not hide that documented files cannot be written', async () => {
    const bench = new Bench();
    const publish = (_state: unknown, { is }: { is: string }) => (is === 'running' ? Promise.resolve() : Promise.reject(new Error('read-only')));
    bench.immediate.abort();
    await expect(bench.run(bench.system({ limits, publish }))).rejects.toThrow('read-only');
    expect(bench.storage.isHeld).toBe(false);
  });
});
