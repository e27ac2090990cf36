import { isDroverError } from '../errors/index.ts';
import type { Clock } from '../time/index.ts';
import type { Database, Row, RunResult, SqlValue, Statements } from './contract.ts';
import { runOf } from './drive.ts';
import { databaseClosed, transactionNested } from './errors.ts';
import { retryWhileBusy } from './retry.ts';
import { describeSqliteError, isSqliteBusy } from './sqlite-error.ts';
import { PlannedStatement, transactionFor } from './statement.ts';
import { CLOSING_WAIT_MS, type Answer, type CallOptions, type Sql, type Work } from './store-contract.ts';
import { UnderWay } from './under-way.ts';
import { integerBound } from './values.ts';

interface Patience {
  readonly clock: Pick<Clock, 'mono'>;
  readonly busyTimeoutMs: number;
}

const dialect = 'sqlite';
const TRANSACTION = transactionFor(dialect);

/** A store on a SQLite file. A transaction runs from its first statement to its last without a turn of the loop. */
export class SqliteStore implements Sql {
  readonly dialect = dialect;
  readonly name: string;
  readonly #database: Database;
  readonly #patience: Patience;
  readonly #underWay = new UnderWay();
  #closing: Promise<void> | undefined;
  #inWork = false;

  constructor(database: Database, patience: Patience) {
    this.name = database.path;
    this.#database = database;
    this.#patience = patience;
  }

  query(sql: string, params: readonly SqlValue[] = [], options: CallOptions = {}): Promise<readonly Row[]> {
    return this.#call(async () => {
      const statement = new PlannedStatement({ dialect, purpose: 'rows', sql, params });
      // Alone it needs no transaction, and as a reader it does not wait for a writer.
      const { rows } = await this.#patiently(options, () => perform(this.#database, statement));
      return rows;
    });
  }

  run(sql: string, params: readonly SqlValue[] = [], options: CallOptions = {}): Promise<RunResult> {
    return this.#call(async () => {
      const statement = new PlannedStatement({ dialect, purpose: 'effect', sql, params });
      const { changes } = await this.#patiently(options, () => perform(this.#database, statement));
      return { changes };
    });
  }

  tx<Result>(work: Work<Result>, { signal }: CallOptions = {}): Promise<Result> {
    return this.#call(() => {
      const during = <Value>(piece: () => Value): Value => this.#during(piece);
      const run = runOf({ work, transaction: TRANSACTION, name: this.name, isRefusal: isDroverError, during });
      const attempt = (statements: Statements): Result => run.now((statement) => this.#performInside(statements, statement));
      return this.#database.txRetry(attempt, signal === undefined ? {} : { signal });
    });
  }

  close(): Promise<void> {
    this.#closing ??= this.#underWay.ended(CLOSING_WAIT_MS).then(() => this.#database.close());
    return this.#closing;
  }

  async #call<Result>(call: () => Promise<Result>): Promise<Result> {
    if (this.#closing !== undefined) throw databaseClosed({ path: this.name });
    if (this.#inWork) throw transactionNested({ path: this.name });
    return this.#underWay.start(call);
  }

  #patiently<Result>({ signal }: CallOptions, work: () => Result): Promise<Result> {
    return retryWhileBusy(work, { ...this.#patience, signal, isBusy: isDescribedBusy });
  }

  #during<Value>(piece: () => Value): Value {
    this.#inWork = true;
    try {
      return piece();
    } finally {
      this.#inWork = false;
    }
  }

  /** A refusal is described for the work to see it; being busy stays as it is, for the transaction to be tried again. */
  #performInside(statements: Statements, statement: PlannedStatement): Answer {
    try {
      return perform(statements, statement);
    } catch (error) {
      throw isSqliteBusy(error) ? error : describeSqliteError(error, { path: this.name, action: 'write' });
    }
  }
}

function perform(statements: Statements, { purpose, scanned, params }: PlannedStatement): Answer {
  const bound = params.map(integerBound);
  if (purpose === 'rows') return { rows: statements.query(scanned.text, bound), changes: 0 };
  const { changes } = statements.run(scanned.text, bound);
  // After any other statement SQLite still tells the rows that an earlier one changed.
  return { rows: [], changes: scanned.isChanging ? changes : 0 };
}

function isDescribedBusy(error: unknown): boolean {
  return isDroverError(error) && error.code === 'database-busy';
}
