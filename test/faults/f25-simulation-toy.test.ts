import { expect, test } from 'vitest';
import { faultCount, faultSeed } from '../support/fault-counts.ts';
import { simulate } from '../support/world/simulation.ts';
import { simulatedToy } from '../support/world/toy-simulation.ts';

/** Seeds of one day stand that far apart, so that no two days share one and each can be the first of a replay. */
const STRIDE = 100_003;

// A thousand runs are the fault row; they take most of a minute.
test('F25: the toy keeps its invariants in every simulated run', { timeout: 3_600_000 }, async () => {
  const first = faultSeed();
  const count = faultCount({ ci: 1_000, full: 1_000_000 });
  console.log(`simulation of the toy: ${count} seeds from ${first}, ${STRIDE} apart`);
  let holders = 0;
  for (let seed = first; seed < first + count * STRIDE; seed += STRIDE) {
    const result = await simulate(simulatedToy, seed);
    expect(result, `replay with: DROVER_FAULT_SEED=${seed}`).toMatchObject({ breaks: [] });
    holders += result.holders;
  }
  // A quiet run has two holders: a simulation in which nothing went wrong would prove nothing.
  expect(holders).toBeGreaterThan(3 * count);
});
