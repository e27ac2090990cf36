import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { checkCrashes, scenariosOf, type CrashOptions, type CrashScenario } from '../../src/engine/index.ts';
import { systemClock } from '../../src/kernel/time/index.ts';
import { bundledProgram } from '../support/bundle.ts';
import { faultCount, seeded } from '../support/fault-counts.ts';
import { temporaryFolder } from '../support/temp.ts';

const toy = bundledProgram(join(import.meta.dirname, '../../src/engine/toy/selftest-run.ts'));
const MINUTE = 60_000;
const ALL = 100_000;
/** Of the shortest scenario; a second kill comes at one of so many. */
const FEWEST_POINTS = 30;
/** The share of one system in the 300 of the four. */
const FEWEST_KILLS = 75;

function optionsIn(folder: string, more: Partial<CrashOptions> = {}): CrashOptions {
  const { signal } = new AbortController();
  return { clock: systemClock(), env: process.env, signal, marker: `f01-${randomUUID()}`, folder, parallel: 2, ...more };
}

/** That many points of all, evenly, beginning elsewhere each day. */
function spread(count: number, seed: number): (points: number) => readonly number[] {
  return (points) => {
    const step = Math.max(1, Math.floor(points / count));
    const first = 1 + (seed % step);
    return Array.from({ length: Math.ceil((points - first + 1) / step) }, (_, index) => first + index * step);
  };
}

// Each point is two processes that start a program and call git some twenty times.
describe('F1: the toy, killed at its durable points', { timeout: 120 * MINUTE }, () => {
  const names = ['one unit', 'three units', 'two in flight', 'a failing program', 'a person commits too', 'a takeover'];
  const count = faultCount({ ci: 10, full: ALL });
  let scenarios: readonly CrashScenario[] = [];
  let kills = 0;

  async function expectSameEnd(name: string, options: Partial<CrashOptions>): Promise<number> {
    const { points, failed } = await checkCrashes(scenarios.find((each) => each.name === name)!, optionsIn(temporaryFolder(), options));
    expect(failed).toEqual([]);
    kills += points;
    return points;
  }

  test('all scenarios are known here', async () => {
    scenarios = await scenariosOf([process.execPath, toy.file], optionsIn(temporaryFolder()));
    expect(scenarios.map(({ name }) => name)).toEqual(names);
  });

  test('one unit: at every point', async () => {
    expect(await expectSameEnd('one unit', {})).toBeGreaterThanOrEqual(FEWEST_POINTS);
  });

  for (const name of names.slice(1)) {
    test(name, seeded(`F1, ${name}`, async (seed) => void (await expectSameEnd(name, { choose: spread(count, seed) }))));
  }

  test(
    'two in flight, and killed once more in the resumed run',
    seeded('F1, twice', async (seed) => {
      const again = (point: number): number => 1 + ((point * 7 + seed) % FEWEST_POINTS);
      await expectSameEnd('two in flight', { choose: spread(count, seed), again });
    }),
  );

  test('there were as many kills as the matrix asks of one system', () => {
    process.stdout.write(`F1: ${kills} points of ${names.length} scenarios\n`);
    expect(kills).toBeGreaterThanOrEqual(FEWEST_KILLS);
  });
});
