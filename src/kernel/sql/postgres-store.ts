import { isDroverError } from '../errors/index.ts';
import { durablePoint } from '../files/index.ts';
import type { Clock } from '../time/index.ts';
import type { Row, RunResult, SqlValue } from './contract.ts';
import { runOf, type Run } from './drive.ts';
import { databaseClosed, databaseFailed, outcomeUnknown, transactionNested } from './errors.ts';
import type { PostgresResult } from './postgres-driver.ts';
import { describeFault, isCertainlyUndone, isFault, PostgresFault } from './postgres-error.ts';
import type { PostgresPool } from './postgres-pool.ts';
import type { PostgresSession } from './postgres-session.ts';
import { pauseAfter } from './retry.ts';
import { transactionFor, type PlannedStatement } from './statement.ts';
import { CLOSING_WAIT_MS, type Answer, type CallOptions, type Sql, type Work } from './store-contract.ts';
import { UnderWay } from './under-way.ts';

export interface PostgresStoreOptions {
  readonly name: string;
  readonly pool: PostgresPool;
  readonly clock: Pick<Clock, 'mono'>;
  readonly busyTimeoutMs: number;
  readonly statementTimeoutMs: number;
}

const TRANSACTION = transactionFor('postgres');
const BEGIN = 'BEGIN ISOLATION LEVEL SERIALIZABLE';
const CHANGING_COMMANDS = new Set(['INSERT', 'UPDATE', 'DELETE', 'MERGE']);

/** The server ends a statement at its limit by itself; its answer needs a moment to arrive. */
const MAX_ANSWER_MS = 2000;

/** Transactions that keep undoing each other end here, whatever the time. */
const MAX_ATTEMPTS = 200;

/** A store on a PostgreSQL database. Each transaction has a connection to itself. */
export class PostgresStore implements Sql {
  readonly dialect = 'postgres';
  readonly name: string;
  readonly #options: PostgresStoreOptions;
  readonly #underWay = new UnderWay();
  #closing: Promise<void> | undefined;
  #inWork = false;

  constructor(options: PostgresStoreOptions) {
    this.name = options.name;
    this.#options = options;
  }

  query(sql: string, params: readonly SqlValue[] = [], options: CallOptions = {}): Promise<readonly Row[]> {
    return this.tx((t) => t.query(sql, params), options);
  }

  run(sql: string, params: readonly SqlValue[] = [], options: CallOptions = {}): Promise<RunResult> {
    return this.tx((t) => t.run(sql, params), options);
  }

  async tx<Result>(work: Work<Result>, { signal }: CallOptions = {}): Promise<Result> {
    if (this.#closing !== undefined) throw databaseClosed({ path: this.name });
    if (this.#inWork) throw transactionNested({ path: this.name });
    const during = <Value>(piece: () => Value): Value => this.#during(piece);
    const run = runOf({ work, transaction: TRANSACTION, name: this.name, isRefusal: isDroverError, during });
    return this.#underWay.start(() => this.#described(() => this.#retried(run, signal)));
  }

  close(): Promise<void> {
    this.#closing ??= this.#underWay.ended(CLOSING_WAIT_MS).then(() => this.#options.pool.close());
    return this.#closing;
  }

  async #retried<Result>(run: Run<Result>, signal: AbortSignal | undefined): Promise<Result> {
    const { clock, busyTimeoutMs } = this.#options;
    const deadline = clock.mono() + busyTimeoutMs;
    for (let attempt = 0; ; attempt += 1) {
      try {
        return await this.#attempt(run, signal);
      } catch (error) {
        if (!isFault(error, 'conflict') || attempt >= MAX_ATTEMPTS || clock.mono() >= deadline) throw error;
      }
      await pauseAfter(attempt, signal);
    }
  }

  async #attempt<Result>(run: Run<Result>, signal: AbortSignal | undefined): Promise<Result> {
    const session = await this.#options.pool.take(BEGIN, signal);
    let isReading = true;
    try {
      const result = await run.waiting(async (statement) => {
        const answered = await this.#answer(session, statement, signal);
        // A `WITH` that changes rows and ends with a SELECT is answered as one.
        isReading &&= answered.command === 'SELECT' && !statement.scanned.isChanging;
        return answerOf(statement, answered);
      });
      signal?.throwIfAborted();
      await (isReading ? this.#end(session) : this.#commit(session));
      return result;
    } catch (error) {
      await rollBack(session);
      throw error;
    } finally {
      this.#options.pool.giveBack(session);
    }
  }

  async #answer(session: PostgresSession, { scanned, params }: PlannedStatement, signal: AbortSignal | undefined): Promise<PostgresResult> {
    try {
      return await session.send(scanned.text, params, { timeoutMs: this.#limitMs(), signal });
    } catch (error) {
      throw isFault(error, 'refused', 'denied') ? describeFault(error, this.#options) : error;
    }
  }

  /** Not ended by a signal: whoever asked must learn what came of it. */
  async #commit(session: PostgresSession): Promise<void> {
    durablePoint('commit:before');
    try {
      await this.#end(session);
    } catch (error) {
      if (!(error instanceof PostgresFault) || isCertainlyUndone(error)) throw error;
      throw outcomeUnknown({ path: this.name, reason: error.message }, error);
    }
    durablePoint('commit:after');
  }

  async #end(session: PostgresSession): Promise<void> {
    const { command } = await session.send('COMMIT', [], { timeoutMs: this.#limitMs() });
    // The server undoes a transaction that failed, and calls that a success.
    if (command !== 'COMMIT') throw databaseFailed({ path: this.name, action: 'write', reason: 'the transaction was undone' });
  }

  async #described<Result>(call: () => Promise<Result>): Promise<Result> {
    try {
      return await call();
    } catch (error) {
      throw error instanceof PostgresFault ? describeFault(error, this.#options) : error;
    }
  }

  #limitMs(): number {
    const { statementTimeoutMs } = this.#options;
    return statementTimeoutMs + Math.min(statementTimeoutMs, MAX_ANSWER_MS);
  }

  #during<Value>(piece: () => Value): Value {
    this.#inWork = true;
    try {
      return piece();
    } finally {
      this.#inWork = false;
    }
  }
}

function answerOf({ purpose }: PlannedStatement, { rows, command, rowCount }: PostgresResult): Answer {
  if (purpose === 'rows') return { rows, changes: 0 };
  return { rows: [], changes: CHANGING_COMMANDS.has(command) ? (rowCount ?? 0) : 0 };
}

async function rollBack(session: PostgresSession): Promise<void> {
  if (session.isBroken) return;
  try {
    await session.send('ROLLBACK', [], { timeoutMs: MAX_ANSWER_MS });
  } catch {
    // The server undoes it when the connection is gone. What made it fail is what the caller is told.
    session.destroy();
  }
}
