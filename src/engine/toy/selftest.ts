import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { toyEndState } from './end-state.ts';
import { toyMisused } from './errors.ts';
import { STARTED, TOY_SCENARIOS, type ToyScenario } from './scenarios.ts';
import { openWorkplace, prepareToy, runToy, type Workplace } from './workplace.ts';

/**
 * One call of the self-test, by the words that `scenariosOf` gives: `list <file>`, or `prepare` or `run` with the
 * scenario, its folder and marker, and the file for the end state. `die` ends this process in the middle of a program.
 */
export async function selftestToy(words: readonly string[], die: () => void): Promise<void> {
  const [mode, first = '', folder = '', marker = '', endState = ''] = words;
  if (mode === 'list') {
    const listed = TOY_SCENARIOS.map(({ name, takenOver }) => ({ name, prepared: takenOver ? 'each' : 'once' }));
    return writeFileSync(first, JSON.stringify(listed));
  }
  const scenario = TOY_SCENARIOS.find(({ name }) => name === first);
  if (scenario === undefined) throw toyMisused({ scenario: first });
  if (mode === 'prepare') return prepare({ folder, marker }, { scenario, die });
  const world = await openWorkplace({ folder, marker });
  await runToy(world, scenario);
  const state = await toyEndState(world, { inOrder: scenario.maxInFlight === 1 });
  writeFileSync(endState, JSON.stringify(state));
}

interface Preparation {
  readonly scenario: ToyScenario;
  readonly die: () => void;
}

async function prepare(place: Workplace, { scenario, die }: Preparation): Promise<void> {
  await prepareToy(place, scenario);
  if (scenario.takenOver) await Promise.all([runToy(await openWorkplace(place), scenario), dieInMidProgram(place, die)]);
}

async function dieInMidProgram({ folder }: Workplace, die: () => void): Promise<void> {
  while (!existsSync(join(folder, STARTED))) await pause(5);
  die();
}
