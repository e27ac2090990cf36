import type { Statements } from '../kernel/sql/index.ts';
import { amountInvalid } from './errors.ts';
import type { Pages } from './ledger.ts';
import { budgets, spends, type Budget, type Spend, type SpendScope } from './rows.ts';

/** Sums over spends. */
export interface Used {
  /** Millionths of a US dollar. */
  readonly costMicros: number;
  /** Input and output, without what came from a cache. */
  readonly tokens: number;
}

export interface BudgetState {
  readonly budget: Budget;
  readonly used: Used;
  /** Between 0 and 1 while something is left, by the limit that is nearer; 0 without a limit. */
  readonly share: number;
  readonly exhausted: boolean;
}

/** Where a step would spend. */
export type SpendPlace = SpendScope & { readonly repository: string };

export interface SpendBook {
  /** Counts once for each id. Answers whether it was new. Throws `amount-invalid`. */
  add(spend: Spend): Promise<boolean>;
  /** Sets the bound; one with the same id is replaced. Throws `amount-invalid`. */
  setBudget(budget: Budget): Promise<void>;
  /** The budgets that bind at this place, the most used one first. */
  budgets(place: SpendPlace): readonly BudgetState[];
  /** All spends of a budget's scope since its moment. */
  used(budget: Budget): Used;
}

const AMOUNTS = ['inputTokens', 'outputTokens', 'cachedTokens', 'costMicros'] as const;
const LIMITS = ['limitMicros', 'limitTokens'] as const;

export function spendBook({ db, write }: Pages): SpendBook {
  return {
    add: async (spend) => {
      for (const field of AMOUNTS) requireAmount(field, spend[field]);
      return write((tx) => spends.add(tx, spend));
    },
    setBudget: async (budget) => {
      for (const field of LIMITS) requireAmount(field, budget[field] ?? 0);
      await write((tx) => budgets.put(tx, budget));
    },
    budgets: (place) =>
      budgets
        .select(db, '1')
        .filter((budget) => binds(budget, place))
        .map((budget) => stateOf(budget, usedOf(db, budget)))
        .toSorted((a, b) => b.share - a.share || a.budget.id.localeCompare(b.budget.id, 'en')),
    used: (budget) => usedOf(db, budget),
  };
}

function requireAmount(field: string, value: number): void {
  if (!Number.isSafeInteger(value) || value < 0) throw amountInvalid({ field, value });
}

const SCOPE = ['repository', 'run', 'provider'] as const;

function binds(budget: Budget, place: SpendPlace): boolean {
  return SCOPE.every((field) => budget[field] === undefined || budget[field] === place[field]);
}

function stateOf(budget: Budget, used: Used): BudgetState {
  const { limitMicros, limitTokens } = budget;
  const share = Math.max(shareOf(used.costMicros, limitMicros), shareOf(used.tokens, limitTokens));
  return { budget, used, share, exhausted: share >= 1 };
}

/** A limit of nothing is used up from the start. */
function shareOf(used: number, limit: number | undefined): number {
  if (limit === undefined) return 0;
  return limit === 0 ? 1 : used / limit;
}

function usedOf(db: Pick<Statements, 'query'>, budget: Budget): Used {
  const named = SCOPE.flatMap((field) => (budget[field] === undefined ? [] : [{ field, value: budget[field] }]));
  const where = ['at >= ?', ...named.map(({ field }) => `${field} = ?`)].join(' AND ');
  const sums = 'SELECT total(cost_micros) AS cost, total(input_tokens + output_tokens) AS tokens FROM spends';
  const [row] = db.query(`${sums} WHERE ${where}`, [budget.since, ...named.map(({ value }) => value)]);
  return { costMicros: Number(row?.['cost'] ?? 0), tokens: Number(row?.['tokens'] ?? 0) };
}
