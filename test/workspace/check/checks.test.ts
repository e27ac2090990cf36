import { describe, expect, test } from 'vitest';
import { runChecks, type Check, type CheckOrder, type Verdict } from '../../../src/workspace/index.ts';
import { checkBench, verdict } from '../../support/workspace/checks.ts';

const PLACE = { path: '/nowhere', tree: 'none' };
const passed = (name: string): Verdict => verdict(name, 'passed');
const failed = (name: string): Verdict => verdict(name, 'failed');
const fault = (name: string): Verdict => verdict(name, 'environment');
const unstarted = (name: string): Verdict => verdict(name, 'environment', 'not-started');

function run(verdicts: readonly Verdict[], order: CheckOrder) {
  const checks: readonly Check[] = verdicts.map((each) => ({ name: each.check, run: async () => each }));
  return runChecks(checks, PLACE, new AbortController().signal, order);
}

describe('several checks', () => {
  test.each([
    ['nothing to check', [], 'passed', []],
    ['all passed', [passed('a'), passed('b')], 'passed', []],
    ['one failed', [passed('a'), failed('b'), passed('c')], 'failed', []],
    ['a fault after a failure', [failed('a'), fault('b'), passed('c')], 'environment', []],
    ['a failure after a fault', [fault('a'), failed('b')], 'environment', []],
  ] as const)('all run for evidence: %s', async (_, verdicts, outcome, notRun) => {
    expect(await run(verdicts, { order: 'all' })).toEqual({ outcome, verdicts, warnings: [], notRun });
  });

  test.each([
    ['a failure', [passed('a'), failed('b'), fault('c')], 'failed', ['c']],
    ['a fault', [fault('a'), failed('b')], 'environment', ['b']],
    ['nothing', [passed('a')], 'passed', []],
  ] as const)('end with the first that did not pass: %s', async (_, verdicts, outcome, notRun) => {
    const ended = await run(verdicts, { order: 'first-failure' });
    expect(ended).toMatchObject({ outcome, notRun, warnings: [] });
    expect(ended.verdicts).toHaveLength(verdicts.length - notRun.length);
  });

  test('may let pass what could not be started, and nothing else', async () => {
    const order = { order: 'first-failure', unstartable: 'warns' } as const;
    expect(await run([unstarted('check'), passed('test'), unstarted('lint')], order)).toMatchObject({ outcome: 'passed', warnings: [{ check: 'check' }, { check: 'lint' }] });
    expect(await run([unstarted('check'), failed('test'), passed('lint')], order)).toMatchObject({ outcome: 'failed', warnings: [{ check: 'check' }], notRun: ['lint'] });
    expect(await run([fault('check'), passed('test')], order)).toMatchObject({ outcome: 'environment', notRun: ['test'] });
    const noFolder = { ...unstarted('check'), outcome: 'failed' } as const;
    expect(await run([noFolder, passed('test')], order)).toMatchObject({ outcome: 'failed', notRun: ['test'] });
  });

  test('tell each verdict before the next begins', async () => {
    const told: string[] = [];
    const checks = ['a', 'b'].map((name): Check => ({ name, run: async () => (told.push(`run ${name}`), passed(name)) }));
    await runChecks(checks, PLACE, new AbortController().signal, { order: 'all', onVerdict: async ({ check }) => void told.push(`told ${check}`) });
    expect(told).toEqual(['run a', 'told a', 'run b', 'told b']);
  });

  test('stop with an abort, which is thrown', async () => {
    const controller = new AbortController();
    const told: string[] = [];
    const checks = ['a', 'b'].map((name): Check => ({ name, run: async () => (controller.abort(), passed(name)) }));
    const running = runChecks(checks, PLACE, controller.signal, { order: 'all', onVerdict: ({ check }) => void told.push(check) });
    await expect(running).rejects.toMatchObject({ name: 'AbortError' });
    expect(told).toEqual(['a']);
  });

  test('as commands: a fault wins over the failure before it, as a loop wants it', async () => {
    const bench = checkBench();
    const checks = ['exit 1', 'no-such-program-here', 'echo ran'].map((text, at) => bench.check(text, { name: `verify-${at}` }));
    const { outcome, verdicts } = await runChecks(checks, bench.place, new AbortController().signal, { order: 'all' });
    expect(outcome).toBe('environment');
    expect(verdicts.map((each) => each.outcome)).toEqual(['failed', 'environment', 'passed']);
  });

  test('as commands: gates in order, shells that miss a program fail, as a swarm wants it', async () => {
    const bench = checkBench();
    const gate = (name: string, text: string) => bench.check(text, { name, envFaultExits: [], timeoutMs: 300_000, truncationMark: '[truncated]\n' });
    const checks = [gate('check', 'true'), gate('test', 'no-such-program-here'), gate('lint', 'touch linted')];
    const ended = await runChecks(checks, bench.place, new AbortController().signal, { order: 'first-failure', unstartable: 'warns' });
    expect(ended).toMatchObject({ outcome: 'failed', notRun: ['lint'], warnings: [] });
  });
});
