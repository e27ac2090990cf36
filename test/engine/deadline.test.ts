import { describe, expect, test } from 'vitest';
import { notDone, ok } from '../../src/engine/index.ts';
import { Bench, handlers, never, untilAborted, work } from './support/bench-run.ts';

const steps = (...numbers: readonly number[]) => ({ next: 'steps', steps: numbers.map(work) }) as const;
const limits = { maxInFlight: 1, deadlineMs: () => 60_000, graceMs: 100 };

describe('the deadline of a step', () => {
  test('ends it when it has passed, and is charged', async () => {
    const bench = new Bench();
    const perform = untilAborted('signal', notDone('ended'));
    await bench.run(bench.system({ limits, decide: Bench.answers(steps(1)), handlers: handlers({ perform }) }));
    expect(bench.state).toMatchObject([{ outcome: 'failed', timing: { ranMs: 60_000, sleptMs: 0, deadline: 'spent' } }]);
  });

  test('parks the run when the step does not end in its grace: what it still does cannot be known', async () => {
    const bench = new Bench();
    const ending = await bench.run(bench.system({ limits, decide: () => steps(1), handlers: handlers({ perform: never }) }));
    expect(ending).toEqual({ is: 'parked', reason: 'nobody can tell what became of work k1: it did not end after its deadline' });
    expect(bench.log).toEqual(['opened 1', 'intent k1', 'receipt 1 unknown', 'ended parked']);
  });

  test('a receipt that comes after that counts for nothing', async () => {
    const bench = new Bench();
    const perform = () => new Promise<ReturnType<typeof ok<number>>>((resolve) => void bench.scheduler.after(60_200, () => resolve(ok(1))));
    const other = { ...work(2), key: 'long' };
    const decide = Bench.answers({ next: 'steps', steps: [work(1), other] }, { next: 'wait' });
    const long = { ...limits, maxInFlight: 2, deadlineMs: ({ key }: { key: string }) => (key === 'long' ? 100_000 : 60_000) };
    expect(await bench.run(bench.system({ limits: long, decide, handlers: handlers({ perform }) }))).toMatchObject({ is: 'parked' });
    expect(bench.log.slice(-3)).toEqual(['receipt 1 unknown', 'receipt 2 ok', 'ended parked']);
  });

  test('passes while the machine sleeps, and is told apart', async () => {
    const bench = new Bench();
    bench.scheduler.after(5000, () => bench.scheduler.suspend(8 * 3_600_000));
    const perform = untilAborted('signal', notDone('ended'));
    await bench.run(bench.system({ limits, decide: Bench.answers(steps(1)), handlers: handlers({ perform }) }));
    expect(bench.state).toMatchObject([{ timing: { deadline: 'slept' } }]);
    expect(Math.round(bench.state[0]!.timing!.sleptMs / 1000)).toBe(8 * 3600);
    expect(bench.scheduler.clock.mono()).toBeLessThan(60_000);
    expect(bench.log).toEqual(['opened 1', 'intent k1', 'clock suspended', 'receipt 1 failed', 'ended done']);
  });

  test('a short sleep only shortens what is left', async () => {
    const bench = new Bench();
    bench.scheduler.after(5000, () => bench.scheduler.suspend(20_000));
    const perform = untilAborted('signal', notDone('ended'));
    await bench.run(bench.system({ limits, decide: Bench.answers(steps(1)), handlers: handlers({ perform }) }));
    expect(bench.state).toMatchObject([{ timing: { deadline: 'slept' } }]);
    expect(Math.round(bench.scheduler.clock.mono() / 1000)).toBe(40);
  });

  test('a clock that is set neither hastens nor delays it, and is noted', async () => {
    const bench = new Bench();
    bench.scheduler.after(5000, () => bench.scheduler.stepClock(-3_600_000));
    const perform = untilAborted('signal', notDone('ended'));
    await bench.run(bench.system({ limits, decide: Bench.answers(steps(1)), handlers: handlers({ perform }) }));
    expect(bench.state).toMatchObject([{ timing: { sleptMs: 0, deadline: 'spent' } }]);
    // Its timer was set anew in between, and counts whole milliseconds.
    expect([60_000, 60_001]).toContain(bench.state[0]!.timing!.ranMs);
    expect(bench.log).toContain('clock clock-stepped');
  });

  test('a step that has ended is not told to end once more by a sleep', async () => {
    const bench = new Bench();
    const perform = async () => (bench.scheduler.after(0, () => bench.scheduler.suspend(100_000)), ok(1));
    await bench.run(bench.system({ limits, decide: Bench.answers(steps(1), { next: 'wait', ms: 100 }), handlers: handlers({ perform }) }));
    expect(bench.state).toMatchObject([{ outcome: 'ok', timing: { deadline: 'running' } }]);
  });

  test('of no length ends the step at once', async () => {
    const bench = new Bench();
    const perform = async (_step: unknown, { signal }: { signal: AbortSignal }) => (signal.aborted ? notDone('at once') : ok(1));
    await bench.run(bench.system({ limits: { ...limits, deadlineMs: () => 0 }, decide: Bench.answers(steps(1)), handlers: handlers({ perform }) }));
    expect(bench.state).toMatchObject([{ message: 'at once', timing: { deadline: 'spent' } }]);
  });
});
