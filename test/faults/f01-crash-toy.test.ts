import { beforeAll, describe, expect, test } from 'vitest';
import { join } from 'node:path';
import { checkCrashes, scenariosOf, type CrashOptions, type CrashScenario } from '../../src/engine/index.ts';
import { systemClock } from '../../src/kernel/time/index.ts';
import { bundledProgram } from '../support/bundle.ts';
import { faultCount, faultSeed } from '../support/fault-counts.ts';
import { temporaryFolder } from '../support/temp.ts';

const toy = bundledProgram(join(import.meta.dirname, '../../src/engine/toy/selftest-run.ts'));
const MINUTE = 60_000;
const ALL = 100_000;
const FEWEST_POINTS = 30;

function optionsIn(folder: string, more: Partial<CrashOptions> = {}): CrashOptions {
  const { signal } = new AbortController();
  return { clock: systemClock(), env: process.env, signal, marker: `f01-${process.pid}-${Date.now()}`, folder, parallel: 2, ...more };
}

/** That many points of all, evenly, beginning elsewhere each day. */
function spread(count: number): (points: number) => readonly number[] {
  return (points) => {
    const step = Math.max(1, Math.floor(points / count));
    const first = 1 + (faultSeed() % step);
    return Array.from({ length: Math.ceil((points - first + 1) / step) }, (_, index) => first + index * step);
  };
}

// Each point is two processes that start a program and call git some twenty times.
describe('F1: the toy, killed at its durable points', { timeout: 120 * MINUTE }, () => {
  const names = ['one unit', 'three units', 'two in flight', 'a failing program', 'a person commits too', 'a takeover'];
  let scenarios: readonly CrashScenario[] = [];
  const scenario = (name: string): CrashScenario => scenarios.find((each) => each.name === name)!;

  beforeAll(async () => {
    console.log(`crash points: offset by seed ${faultSeed()}`);
  });

  test('all scenarios are known here', async () => {
    scenarios = await scenariosOf([process.execPath, toy.file], optionsIn(temporaryFolder()));
    expect(scenarios.map(({ name }) => name)).toEqual(names);
  });

  test('one unit: at every point', async () => {
    const { points, failed } = await checkCrashes(scenario('one unit'), optionsIn(temporaryFolder()));
    expect(failed).toEqual([]);
    expect(points).toBeGreaterThanOrEqual(FEWEST_POINTS);
  });

  test.each(names.slice(1))('%s', async (name) => {
    const choose = spread(faultCount({ ci: 10, full: ALL }));
    expect((await checkCrashes(scenario(name), optionsIn(temporaryFolder(), { choose }))).failed).toEqual([]);
  });

  test('two in flight, and killed once more in the resumed run', async () => {
    const choose = spread(faultCount({ ci: 10, full: ALL }));
    const again = (point: number) => 1 + ((point * 7 + faultSeed()) % FEWEST_POINTS);
    expect((await checkCrashes(scenario('two in flight'), optionsIn(temporaryFolder(), { choose, again }))).failed).toEqual([]);
  });
});
