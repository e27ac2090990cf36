import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { toyEndState } from './end-state.ts';
import { toyMisused } from './errors.ts';
import { STARTED, TOY_SCENARIOS, type ToyScenario } from './scenarios.ts';
import { openWorkplace, prepareToy, runToy, type Workplace } from './workplace.ts';

/** The toy as a program of its own, as `scenariosOf` calls it: only `drover selftest crash` and tests start it. */
void perform(process.argv.slice(2));

async function perform([mode, first = '', folder = '', marker = '', endState = '']: readonly string[]): Promise<void> {
  if (mode === 'list') {
    const listed = TOY_SCENARIOS.map(({ name, takenOver }) => ({ name, prepared: takenOver ? 'each' : 'once' }));
    return writeFileSync(first, JSON.stringify(listed));
  }
  const scenario = TOY_SCENARIOS.find(({ name }) => name === first);
  if (scenario === undefined) throw toyMisused({ scenario: first });
  if (mode === 'prepare') return prepare({ folder, marker }, scenario);
  const world = await openWorkplace({ folder, marker });
  await runToy(world, scenario);
  const state = await toyEndState(world, { inOrder: scenario.maxInFlight === 1 });
  writeFileSync(endState, JSON.stringify(state));
}

async function prepare(place: Workplace, scenario: ToyScenario): Promise<void> {
  await prepareToy(place, scenario);
  if (scenario.takenOver) await Promise.all([runToy(await openWorkplace(place), scenario), dieInMidProgram(place)]);
}

async function dieInMidProgram({ folder }: Workplace): Promise<void> {
  while (!existsSync(join(folder, STARTED))) await pause(5);
  process.kill(process.pid, 'SIGKILL');
}
