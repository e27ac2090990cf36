import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { checkCrashes, type CrashOptions, type CrashReport } from '../../../src/engine/crash/check.ts';
import { firstDifference } from '../../../src/engine/crash/difference.ts';
import { scenariosOf } from '../../../src/engine/crash/program.ts';
import { systemClock } from '../../../src/kernel/time/index.ts';
import { tempFolder } from '../../support/temp-folder.ts';

const PROGRAM = join(import.meta.dirname, 'programs/steps.sh');
const folder = tempFolder();

function optionsOf(more: Partial<CrashOptions> = {}): CrashOptions {
  const marker = `crash-check-${process.pid}-${Math.random()}`;
  const env = { PATH: process.env['PATH'], DROVER_CRASH_AT: '1', nothing: undefined };
  return { clock: systemClock(), env, signal: new AbortController().signal, marker, folder: folder.path, parallel: 2, ...more };
}

async function check(how: string, more: Partial<CrashOptions> = {}, scenario = 0): Promise<CrashReport> {
  const options = optionsOf(more);
  const scenarios = await scenariosOf(['/bin/sh', PROGRAM, how], options);
  return checkCrashes(scenarios[scenario]!, options);
}

const failures = ({ failed }: CrashReport) => failed.map(({ point, name, difference }) => `${point} ${name} ${difference}`);

describe('a program that survives', () => {
  test.each([0, 1])('ends equal at every point, and nothing is left (scenario %i)', async (scenario) => {
    const progress: string[] = [];
    const report = await check('well', { onProgress: ({ done, total }) => progress.push(`${done}/${total}`) }, scenario);
    expect(report).toEqual({ points: 4, equal: 4, failed: [] });
    expect(progress).toHaveLength(4);
    expect(progress.at(-1)).toBe('4/4');
    expect(readdirSync(folder.path).filter((name) => name.startsWith('point') || name === 'undisturbed')).toEqual([]);
  });

  test('at the points that are chosen, and killed once more on the way', async () => {
    const killed: number[] = [];
    const again = (point: number) => (killed.push(point), point === 2 ? 1 : 99);
    expect(await check('well', { choose: (points) => [2, points], again })).toEqual({ points: 2, equal: 2, failed: [] });
    expect(killed.toSorted()).toEqual([2, 4]);
  });
});

describe('what is found', () => {
  test('work that is done twice', async () => {
    expect(failures(await check('repeats', { choose: () => [1, 3] }))).toEqual([
      '1 one words: expected "one two three four ", got "one one two three four "',
      '3 three words: expected "one two three four ", got "one two three one two three four "',
    ]);
  });

  test('a kill that did not happen', async () => {
    expect(failures(await check('immortal', { choose: () => [3] }))).toEqual(['3 three the kill did not happen: exit 0']);
  });

  test('a resumed run that fails, with what it said, also when it is the second of three', async () => {
    const [failure] = failures(await check('fails-resumed', { choose: () => [1] }));
    expect(failure).toMatch(/^1 one the resumed run failed: exit 1: .*cannot resume/s);
    const [again] = failures(await check('fails-resumed', { choose: () => [1], again: () => 2 }));
    expect(again).toMatch(/^1 one the second run failed: exit 1: .*cannot resume/s);
  });

  test('a resumed run that leaves no end, or dies of something else', async () => {
    expect(failures(await check('silent', { choose: () => [1] }))).toEqual([expect.stringContaining('got "no end state"')]);
  });
});

describe('what has no end', () => {
  test('a resumed run is ended after its limit, and that is a failure', async () => {
    expect(failures(await check('forever', { choose: () => [1], limitMs: 3000 }))).toEqual(['1 one the resumed run failed: took more than 3000 ms']);
  });

  test('a point past the last one is never reached', async () => {
    expect(failures(await check('well', { choose: () => [99] }))).toEqual(['99  the kill did not happen: exit 0']);
  });
});

describe('what cannot be carried out', () => {
  test.each([
    ['no-list', /list: exit 1: .*nothing to list/s],
    ['unprepared', /preparing first: exit 1: .*cannot prepare/s],
    ['broken', /the undisturbed run of first: exit 1: .*cannot run/s],
    ['interrupted', /the undisturbed run of first: SIGTERM$/],
  ])('%s', async (how, message) => {
    await expect(check(how)).rejects.toMatchObject({ code: 'selftest-broken', message: expect.stringMatching(message) });
  });

  test('a program that is not there', async () => {
    await expect(scenariosOf([join(folder.path, 'nothing')], optionsOf())).rejects.toMatchObject({
      message: expect.stringMatching(/list: .*nothing/),
    });
  });
});

describe('whatever happens, nothing stays', () => {
  test('of programs that a killed run had started and the resumed one did not end, which is told', async () => {
    const options = optionsOf({ choose: () => [1] });
    const [scenario] = await scenariosOf(['/bin/sh', PROGRAM, 'leaves'], options);
    const difference = 'processes of these runs outlived the resumed run';
    expect(await checkCrashes(scenario!, options)).toMatchObject({ equal: 0, failed: [{ point: 1, difference }] });
    expect(markedProcesses(options.marker)).toEqual([]);
  });

  test('when the test is stopped', async () => {
    const stop = new AbortController();
    const options = optionsOf({ signal: stop.signal, onProgress: () => stop.abort(new Error('Ctrl-C')) });
    const [scenario] = await scenariosOf(['/bin/sh', PROGRAM, 'well'], options);
    await expect(checkCrashes(scenario!, options)).rejects.toThrow('Ctrl-C');
    const hanging = new AbortController();
    const forever = optionsOf({ signal: hanging.signal, choose: () => [1] });
    const [endless] = await scenariosOf(['/bin/sh', PROGRAM, 'forever'], forever);
    setTimeout(() => hanging.abort(new Error('Ctrl-C')), 500);
    await expect(checkCrashes(endless!, forever)).rejects.toThrow('Ctrl-C');
    expect([...markedProcesses(options.marker), ...markedProcesses(forever.marker)]).toEqual([]);
    expect(readdirSync(folder.path).filter((name) => name.startsWith('point'))).toEqual([]);
  });
});

/** By the mark in their environment; where that cannot be read there are none of ours. */
function markedProcesses(marker: string): readonly string[] {
  return readdirSync('/proc').filter((pid) => {
    try {
      return /^\d+$/.test(pid) && readFileSync(`/proc/${pid}/environ`, 'utf8').includes(marker);
    } catch {
      return false;
    }
  });
}

test.each([
  [{ a: [1, { b: 2 }] }, { a: [1, { b: 2 }] }, undefined],
  [{ a: [1, { b: 2 }] }, { a: [1, { b: 3 }] }, 'a.1.b: expected 2, got 3'],
  [{ a: 1 }, {}, 'a: expected 1, got undefined'],
  [[1], { 0: 1 }, ': expected [1], got {"0":1}'],
  [null, {}, ': expected null, got {}'],
])('the first difference of %j and %j', (one, other, difference) => {
  expect(firstDifference(one, other)).toBe(difference);
});
