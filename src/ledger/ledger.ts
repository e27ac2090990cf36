import { openDatabase, type Statements } from '../kernel/sql/index.ts';
import type { Clock } from '../kernel/time/index.ts';
import { askBook, type Asks } from './asks.ts';
import { cooldownBook, type Cooldowns } from './cooldowns.ts';
import { holderBook, type Holders } from './holders.ts';
import { openLedgerFile, type LedgerFile } from './ledger-file.ts';
import type { Moment } from './rows.ts';
import { LEDGER_SCHEMA } from './schema.ts';
import { sessionBook, type Sessions } from './sessions.ts';
import { spendBook, type SpendBook } from './spend.ts';

const BUSY_TIMEOUT_MS = 10_000;

/** What the books of the ledger share. */
export interface Pages {
  readonly db: Pick<Statements, 'query'>;
  /** All of `work` is stored, or nothing; waits for other processes without blocking. */
  readonly write: <Result>(work: (tx: Statements) => Result) => Promise<Result>;
  readonly now: () => Moment;
  /** Takes secrets out of words that are stored for people to read. */
  readonly mask: (words: string) => string;
}

/**
 * What happens on this machine, over all repositories: an index that is made again from the systems' own files, so
 * that its loss stops nothing. Every write is one durable transaction and may be repeated.
 */
export interface Ledger {
  readonly path: string;
  readonly holders: Holders;
  readonly sessions: Sessions;
  readonly spend: SpendBook;
  readonly cooldowns: Cooldowns;
  readonly asks: Asks;
  /** For what stands on the ledger within this folder. */
  readonly pages: Pages;
  close(): void;
}

export interface LedgerOptions {
  readonly clock: Clock;
  /** Takes secrets out of words that are stored for people to read: `redactText` of `kernel/redact`. */
  readonly mask: (words: string) => string;
  /** Nothing is made or changed; a missing ledger is `database-missing`. */
  readonly readOnly?: boolean;
  readonly signal?: AbortSignal;
}

/**
 * Opens the ledger at `path`, made when it is missing; its folder must exist.
 * Throws what `openDatabase` of `kernel/sql` throws; a damaged file is set aside by `renewLedger`.
 *
 * @example
 * const ledger = await openLedger('/home/ada/.local/state/drover/ledger.db', { clock, mask: redactText });
 * await ledger.sessions.begin(session);
 */
export async function openLedger(path: string, { clock, mask, ...options }: LedgerOptions): Promise<Ledger> {
  const file = await openLedgerFile(() => openDatabase(path, { ...options, clock, busyTimeoutMs: BUSY_TIMEOUT_MS, schema: LEDGER_SCHEMA }));
  const pages = pagesOf(file, { clock, mask });
  return {
    path: file.path,
    holders: holderBook(pages),
    sessions: sessionBook(pages),
    spend: spendBook(pages),
    cooldowns: cooldownBook(pages),
    asks: askBook(pages),
    pages,
    close: () => file.close(),
  };
}

function pagesOf(file: LedgerFile, { clock, mask }: Pick<LedgerOptions, 'clock' | 'mask'>): Pages {
  return {
    db: file,
    mask,
    write: (work) => file.write(work),
    now: () => Number(clock.wall() / 1_000_000n),
  };
}
