import type { Row, RunResult, SqlValue } from './contract.ts';
import type { PlannedStatement } from './statement.ts';

/** Which of the two databases a store speaks to; where their SQL differs, it chooses the text. */
export type Dialect = 'sqlite' | 'postgres';

/** What a statement brought: its rows, and how many rows it inserted, updated or deleted. */
export interface Answer {
  readonly rows: readonly Row[];
  readonly changes: number;
}

/**
 * A part of a transaction, written as a generator function: it yields statements and is given their answers. Nothing
 * else can be waited for in it, so that nothing of this process comes between two statements of a transaction.
 */
export type Steps<Result> = Generator<PlannedStatement, Result, Answer>;

/** Makes the statements of a transaction. Parameters stand for `?` in order, on both databases. */
export interface Transaction {
  readonly dialect: Dialect;
  /** The rows of one statement, also of one that writes and has `RETURNING`. */
  query(sql: string, params?: readonly SqlValue[]): Steps<readonly Row[]>;
  /** One statement for its effect. */
  run(sql: string, params?: readonly SqlValue[]): Steps<RunResult>;
}

/**
 * The content of a transaction. It may run several times until one of them is stored, so that it does nothing but
 * compute and yield statements. What a statement refuses (`constraint-failed`) is thrown where it was yielded; the
 * transaction has failed then, and whatever the work throws instead is what the caller is told.
 */
export type Work<Result> = (transaction: Transaction) => Steps<Result>;

export interface CallOptions {
  /**
   * Ends the waiting and undoes what is not yet being stored; the call rejects with its reason. Once the commit was
   * sent it is waited for all the same, since its outcome must be known.
   */
  readonly signal?: AbortSignal | undefined;
}

/**
 * A database that stores stand on, SQLite or PostgreSQL alike: each call is one whole transaction, serializable, and
 * is stored durably when its promise resolves. `query` and `run` take one statement.
 *
 * Integers come as numbers, as bigint past 2^53; truth as 0 and 1; bytes as Uint8Array; every other type of PostgreSQL
 * as its text. A NUL in a text is stored as its symbol U+2400.
 *
 * A call may reject with `database-busy` (others were in the way for too long), `database-unreachable`: nothing was
 * stored; `outcome-unknown`: the connection was lost while storing, look before doing it again; `statement-timeout`,
 * `statement-refused`, `constraint-failed`, `disk-full`, `permission-denied`, `database-damaged`, `database-closed`,
 * `database-unsynced`, `database-failed`, `transaction-nested`, `transaction-not-synchronous`.
 *
 * @example
 * const taken = await sql.tx(function* (t) {
 *   const [row] = yield* t.query('SELECT owner FROM tasks WHERE id = ?', [id]);
 *   if (row?.['owner'] !== null) return false;
 *   yield* t.run('UPDATE tasks SET owner = ? WHERE id = ?', [me, id]);
 *   return true;
 * });
 */
export interface Sql {
  readonly dialect: Dialect;
  /** The path of the file, or the address without its password. */
  readonly name: string;
  query(sql: string, params?: readonly SqlValue[], options?: CallOptions): Promise<readonly Row[]>;
  run(sql: string, params?: readonly SqlValue[], options?: CallOptions): Promise<RunResult>;
  tx<Result>(work: Work<Result>, options?: CallOptions): Promise<Result>;
  /** Lets what is under way end, for a few seconds, then closes; a second call waits for the first. */
  close(): Promise<void>;
}

/** How long closing waits for the calls that are under way, in milliseconds. */
export const CLOSING_WAIT_MS = 5000;
