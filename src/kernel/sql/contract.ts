/**
 * What a column or a parameter holds; truth is written as 0 and 1, a NUL in a text as its symbol U+2400, half a
 * character (a surrogate alone) as U+FFFD. Integers have 64 bits, numbers an end. Anything else is `statement-refused`.
 */
export type SqlValue = null | number | bigint | string | Uint8Array;

export type Row = Readonly<Record<string, SqlValue>>;

export interface RunResult {
  /** Rows that were inserted, updated or deleted. */
  readonly changes: number;
}

/**
 * The statements that can stand in a transaction: each one statement, of those that read or change rows, tables, indexes
 * and views. What would act on the connection (`PRAGMA`, `ATTACH`, `SET`, `BEGIN`) is `statement-refused`.
 */
export interface Statements {
  /**
   * Runs one statement for its effect. Parameters stand for `?` in order.
   *
   * @example
   * db.run('UPDATE runs SET status = ? WHERE id = ?', ['success', id]);
   */
  run(sql: string, params?: readonly SqlValue[]): RunResult;
  /** Runs one statement for its rows, also one that writes and has `RETURNING`. */
  query(sql: string, params?: readonly SqlValue[]): readonly Row[];
}

/**
 * One connection to a SQLite file. Every call may throw `database-busy` (another process was writing for longer than
 * a short wait; nothing was done), `disk-full`, `database-damaged`, `constraint-failed`, `database-closed`,
 * `permission-denied`, `read-only`, `database-failed`, each with the path; after a writer's disk failed every call
 * throws `database-unsynced` until the file is opened again; so it does `database-removed`, found at the first write after
 * the file was removed or replaced. No call blocks for longer than 50 ms because of others;
 * `txRetry` waits longer without blocking.
 */
export interface Database extends Statements {
  /** Absolute. */
  readonly path: string;
  /**
   * `write`; `read`: shared with writers; `frozen`: the file was opened without locks, because its folder cannot be
   * written and no writer had left anything open; what others write meanwhile may not be seen.
   */
  readonly access: 'write' | 'read' | 'frozen';
  /**
   * Runs `work` in one transaction: all of it is stored, or, when it throws, nothing. On a writer it holds the write
   * lock from its start. `work` is synchronous, so that nothing of this thread comes between.
   * Throws `transaction-nested`, `transaction-not-synchronous`.
   *
   * @example
   * const id = db.tx(({ query }) => query('INSERT INTO reports (name) VALUES (?) RETURNING id', ['lint'])[0]?.['id']);
   */
  tx<Result>(work: (statements: Statements) => Result): Result;
  /**
   * As `tx`, tried again while others are writing, up to the connection's `busyTimeoutMs`; then it throws
   * `database-busy`. `work` may run several times. An aborted signal ends the waiting with its reason.
   */
  txRetry<Result>(work: (statements: Statements) => Result, options?: { readonly signal?: AbortSignal }): Promise<Result>;
  /** Closes the connection; a second call does nothing. */
  close(): void;
}
