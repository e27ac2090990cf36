import { describe, expect, test } from 'vitest';
import type { Budget, Spend } from '../../src/ledger/index.ts';
import { HERE, NOON, openedLedger } from './support.ts';

const SPEND: Spend = {
  ...HERE,
  id: 'u1',
  run: 'r1',
  provider: 'claude',
  model: 'sonnet',
  inputTokens: 1000,
  outputTokens: 200,
  cachedTokens: 50_000,
  costMicros: 12_500,
  at: NOON,
};
const DAY: Budget = { id: 'day', since: NOON - 1000, limitMicros: 50_000 };

describe('spend', () => {
  test('counts a report once, also when two processes give it', async () => {
    const { ledger, again } = await openedLedger();
    const other = await again();
    const news = await Promise.all([ledger.spend.add(SPEND), other.spend.add(SPEND), ledger.spend.add(SPEND)]);
    expect(news.filter(Boolean)).toHaveLength(1);
    expect(ledger.spend.used(DAY)).toEqual({ costMicros: 12_500, tokens: 1200 });
  });

  test('is summed over the scope of a budget, since its moment', async () => {
    const { ledger } = await openedLedger();
    await ledger.spend.add(SPEND);
    await ledger.spend.add({ ...SPEND, id: 'u2', run: 'r2', costMicros: 1 });
    // A run of the same name in another repository is another run.
    await ledger.spend.add({ ...SPEND, id: 'u3', repository: '/other', run: 'r2', costMicros: 10 });
    await ledger.spend.add({ ...SPEND, id: 'u4', provider: 'codex', costMicros: 100 });
    await ledger.spend.add({ ...SPEND, id: 'u5', at: NOON - 5000, costMicros: 1000 });
    const cost = (budget: Partial<Budget>) => ledger.spend.used({ ...DAY, ...budget }).costMicros;
    expect(cost({})).toBe(12_500 * 1 + 111);
    expect(cost({ since: NOON - 5000 })).toBe(12_500 + 1111);
    expect(cost({ since: NOON + 1 })).toBe(0);
    expect(cost({ repository: '/repo' })).toBe(12_500 + 101);
    expect(cost({ repository: '/repo', run: 'r2' })).toBe(1);
    expect(cost({ provider: 'codex' })).toBe(100);
  });

  test.each([
    ['inputTokens', -1],
    ['costMicros', 0.5],
    ['outputTokens', Number.NaN],
    ['cachedTokens', 2 ** 53],
  ])('refuses %s of %d', async (field, value) => {
    const { ledger } = await openedLedger();
    await expect(ledger.spend.add({ ...SPEND, [field]: value })).rejects.toMatchObject({
      code: 'amount-invalid',
      message: expect.stringContaining(`${field} ${value}`) as string,
    });
    expect(ledger.spend.used(DAY)).toEqual({ costMicros: 0, tokens: 0 });
  });
});

describe('budgets', () => {
  test('bind by their scope; the most used one comes first', async () => {
    const { ledger } = await openedLedger();
    await ledger.spend.add(SPEND);
    await ledger.spend.setBudget(DAY);
    await ledger.spend.setBudget({ ...DAY, id: 'run', repository: '/repo', run: 'r1', limitMicros: 20_000 });
    await ledger.spend.setBudget({ ...DAY, id: 'codex', provider: 'codex', limitMicros: 1 });
    await ledger.spend.setBudget({ ...DAY, id: 'elsewhere', repository: '/other', limitMicros: 1 });
    const bound = ledger.spend.budgets({ repository: '/repo', run: 'r1', provider: 'claude' });
    expect(bound.map(({ budget, share }) => [budget.id, share])).toEqual([
      ['run', 0.625],
      ['day', 0.25],
    ]);
  });

  test.each([
    [{ limitMicros: 12_501 }, false],
    [{ limitMicros: 12_500 }, true],
    [{ limitMicros: 0 }, true],
    [{ limitMicros: 1_000_000, limitTokens: 1200 }, true],
    [{ limitMicros: 1_000_000, limitTokens: 1201 }, false],
    [{ limitMicros: undefined, limitTokens: undefined }, false],
  ])('with %j is exhausted: %s', async (limits, exhausted) => {
    const { ledger } = await openedLedger();
    await ledger.spend.add(SPEND);
    await ledger.spend.setBudget({ ...DAY, ...limits });
    expect(ledger.spend.budgets({ repository: '/repo' })[0]?.exhausted).toBe(exhausted);
  });

  test('a bound can be moved, and is never negative', async () => {
    const { ledger } = await openedLedger();
    await ledger.spend.setBudget(DAY);
    await ledger.spend.setBudget({ ...DAY, limitMicros: 7 });
    expect(ledger.spend.budgets({ repository: '/repo' }).map(({ budget }) => budget.limitMicros)).toEqual([7]);
    await expect(ledger.spend.setBudget({ ...DAY, limitTokens: -1 })).rejects.toMatchObject({ code: 'amount-invalid' });
  });
});
