import { expect, test } from 'vitest';
import { faultCount, replayOf, seeded } from '../support/fault-counts.ts';
import { simulate } from '../support/world/simulation.ts';
import { simulatedToy } from '../support/world/toy-simulation.ts';

/** Seeds of one day stand that far apart, so that no two days share one and each can be the first of a replay. */
const STRIDE = 100_003;
const COUNT = faultCount({ ci: 2_500, full: 1_000_000 });
/** Far longer than a run takes; the whole count takes half a day. */
const LIMIT_MS = 1000;

// Two minutes: as many runs of each system are the fault row.
test('F25: the toy keeps its invariants in every simulated run', { timeout: COUNT * LIMIT_MS }, seeded('F25', async (first) => {
  process.stdout.write(`F25: ${COUNT} seeds, ${STRIDE} apart\n`);
  let holders = 0;
  for (let seed = first; seed < first + COUNT * STRIDE; seed += STRIDE) {
    const result = await simulate(simulatedToy, seed);
    expect(result, `replay with: ${replayOf(seed)}`).toMatchObject({ breaks: [] });
    holders += result.holders;
  }
  // A quiet run has two holders: a simulation in which nothing went wrong would prove nothing.
  expect(holders).toBeGreaterThan(3 * COUNT);
}));
