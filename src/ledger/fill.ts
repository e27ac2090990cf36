import type { Statements } from '../kernel/sql/index.ts';
import type { Table } from './columns.ts';
import type { Ledger } from './ledger.ts';
import {
  asks,
  budgets,
  cooldowns,
  deliveries,
  holders,
  sessions,
  spends,
  type Ask,
  type Budget,
  type Cooldown,
  type Delivery,
  type Holder,
  type Session,
  type Spend,
} from './rows.ts';

interface Rows {
  readonly holder: Holder;
  readonly session: Session;
  readonly spend: Spend;
  readonly budget: Budget;
  readonly cooldown: Cooldown;
  readonly ask: Ask;
  readonly delivery: Delivery;
}

const TABLES: { readonly [Kind in keyof Rows]: Table<Rows[Kind]> } = {
  holder: holders,
  session: sessions,
  spend: spends,
  budget: budgets,
  cooldown: cooldowns,
  ask: asks,
  delivery: deliveries,
};

/** One row as a system's own files tell it. */
export type LedgerEntry = { readonly [Kind in keyof Rows]: { readonly kind: Kind; readonly row: Rows[Kind] } }[keyof Rows];

/** What a system offers, so that its part of the ledger can be made again. */
export interface LedgerSource {
  readonly system: string;
  entries(): Iterable<LedgerEntry> | AsyncIterable<LedgerEntry>;
}

/**
 * Adds what the systems' files tell, in one transaction; a row that is there already stays, since it may be newer.
 * Answers how many rows were added. Throws what a source throws, and then nothing was added.
 */
export async function fillLedger(ledger: Pick<Ledger, 'pages'>, sources: readonly LedgerSource[]): Promise<number> {
  const entries: LedgerEntry[] = [];
  for (const source of sources) {
    for await (const entry of source.entries()) entries.push(entry);
  }
  return ledger.pages.write((tx) => entries.filter((entry) => addEntry(tx, entry)).length);
}

function addEntry<Kind extends keyof Rows>(tx: Pick<Statements, 'run'>, { kind, row }: { readonly kind: Kind; readonly row: Rows[Kind] }): boolean {
  return TABLES[kind].add(tx, row);
}
