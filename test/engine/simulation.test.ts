import { describe, expect, test } from 'vitest';
import type { Receipt } from '../../src/engine/contract.ts';
import { failed, ok } from '../../src/engine/receipts.ts';
import { seededRandom } from '../support/seeded-random.ts';
import { simulate, type SimulationResult } from '../support/world/simulation.ts';
import { simulatedToy } from '../support/world/toy-simulation.ts';

type Build = typeof simulatedToy;
type Toy = ReturnType<Build>;

/** What a broken toy gives in that many runs. */
async function breaksOf(breakIt: (toy: Toy) => Toy, runs: number): Promise<readonly string[]> {
  const breaks: string[] = [];
  for (let seed = 1; seed <= runs && breaks.length === 0; seed += 1) {
    const build = (tools: Parameters<Build>[0]) => breakIt(simulatedToy(tools));
    breaks.push(...(await simulate(build as never as Build, seed)).breaks);
  }
  return breaks;
}

type Kind = keyof Toy['system']['handlers'];
type AnyHandler = Record<'perform' | 'reconcile', (step: { input: Record<string, string> }, context: never) => Promise<Receipt>>;

function withHandler(toy: Toy, kind: Kind, change: (handler: AnyHandler) => Partial<AnyHandler>): Toy {
  const handler = toy.system.handlers[kind] as never as AnyHandler;
  const handlers = { ...toy.system.handlers, [kind]: { ...handler, ...change(handler) } };
  return { ...toy, system: { ...toy.system, handlers } as never };
}

test('the same seed gives the same run, another one another', async () => {
  const results: SimulationResult[] = [];
  for (const seed of [7, 7, 8]) results.push(await simulate(simulatedToy, seed));
  expect(results[0]).toEqual(results[1]);
  expect({ ...results[2], seed: 7 }).not.toEqual(results[0]);
  expect(results[0]!.breaks).toEqual([]);
});

test('numbers by chance are spread and follow from their seed', () => {
  const random = seededRandom(3);
  const numbers = Array.from({ length: 1000 }, () => random.below(4));
  expect([...new Set(numbers)].toSorted()).toEqual([0, 1, 2, 3]);
  expect(random.chance(0)).toBe(false);
  expect(random.chance(1)).toBe(true);
});

// Each looks at up to 200 runs, until one of them breaks.
describe('the simulation sees', () => {
  test.each<[string, (toy: Toy) => Toy, RegExp]>([
    ['a step that is called done before it is', (toy) => withHandler(toy, 'finish', () => ({ reconcile: async () => ok(null) })), /^I1: /],
    ['a landing that is called undone although it stands', (toy) => withHandler(toy, 'move', () => ({ reconcile: async () => ({ outcome: 'failed', code: 'moved-on', message: '' }) })), /^I3: .* landed 2 times/],
    ['an error after the landing that is called a failure', (toy) => withHandler(toy, 'move', ({ perform }) => ({ perform: async (step, context) => (await perform(step, context), failed('timed-out', '')) })), /is marked failed and landed|is marked failed, and its program works/],
    ['programs of a dead holder that are left alone', (toy) => ({ ...toy, settleLeftovers: () => async () => undefined }), /^I2: two programs/],
    ['a budget that is not asked', (toy) => ({ ...toy, system: { ...toy.system, allow: () => ({ allowed: true }) as const } }), /^I8: /],
    ['documented files that are never written at the end', (toy) => ({ ...toy, system: { ...toy.system, publish: async () => undefined } }), /./],
    ['a run that never ends', (toy) => ({ ...toy, system: { ...toy.system, decide: () => ({ next: 'wait', ms: 10 }) as const } }), /^I1: it did not end/],
  ])('%s', { timeout: 60_000 }, async (_name, breakIt, expected) => {
    const breaks = await breaksOf(breakIt, 200).catch((error: unknown) => [String(error)]);
    expect(breaks).toContainEqual(expect.stringMatching(expected));
  });
});
