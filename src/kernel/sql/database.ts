import { isDroverError, type DroverError } from '../errors/index.ts';
import { durablePoint } from '../files/index.ts';
import type { Clock } from '../time/index.ts';
import type { Connection } from './connection.ts';
import type { Database, Row, RunResult, SqlValue, Statements } from './contract.ts';
import type { RawStatement } from './driver.ts';
import { databaseClosed, databaseFailed, databaseUnsynced, transactionNested, transactionNotSynchronous } from './errors.ts';
import { rollBack } from './migrate.ts';
import type { OpenFiles } from './open-files.ts';
import { retryWhileBusy } from './retry.ts';
import { describeSqliteError, isSqliteBusy, isSqliteDiskError, isSqliteError } from './sqlite-error.ts';
import { PlannedStatement } from './statement.ts';
import { plainInteger } from './values.ts';

const MAX_CACHED_STATEMENTS = 200;

interface DatabaseFields {
  readonly path: string;
  readonly access: Database['access'];
  readonly connection: Connection;
  /** Looked at before anything is stored; a reader has none. */
  readonly files?: OpenFiles;
  readonly clock: Pick<Clock, 'mono'>;
  readonly busyTimeoutMs: number;
  readonly exactIntegers?: boolean;
}

/** The life of one connection that `openDatabase` has prepared. */
export class SqliteDatabase implements Database {
  readonly path: string;
  readonly access: Database['access'];
  readonly #connection: Connection;
  readonly #files: OpenFiles | undefined;
  readonly #patience: Pick<DatabaseFields, 'clock' | 'busyTimeoutMs'>;
  readonly #statements = new Map<string, RawStatement>();
  readonly #exactIntegers: boolean;
  #inTransaction = false;
  #closed = false;
  #refusal: DroverError | undefined;
  /** What ended the open transaction before its end. */
  #undoneBy: unknown;

  constructor({ path, access, connection, files, clock, busyTimeoutMs, exactIntegers = false }: DatabaseFields) {
    this.path = path;
    this.access = access;
    this.#connection = connection;
    this.#files = files;
    this.#patience = { clock, busyTimeoutMs };
    this.#exactIntegers = exactIntegers;
  }

  run(sql: string, params: readonly SqlValue[] = []): RunResult {
    return this.#described('write', () => {
      const statement = planned('effect', sql, params);
      if (this.#inTransaction || this.access !== 'write') return this.#run(statement);
      this.#requireInPlace();
      durablePoint('commit:before');
      const result = this.#run(statement);
      durablePoint('commit:after');
      return result;
    });
  }

  query(sql: string, params: readonly SqlValue[] = []): readonly Row[] {
    return this.#described('read', () => {
      const statement = planned('rows', sql, params);
      if (!this.#inTransaction && statement.scanned.isChanging) this.#requireInPlace();
      return this.#query(statement);
    });
  }

  tx<Result>(work: (statements: Statements) => Result): Result {
    return this.#described('write', () => this.#tx(work));
  }

  async txRetry<Result>(work: (statements: Statements) => Result, options: { readonly signal?: AbortSignal } = {}): Promise<Result> {
    try {
      return await retryWhileBusy(() => this.#tx(work), { ...this.#patience, signal: options.signal, isBusy: isSqliteBusy });
    } catch (error) {
      throw describeSqliteError(error, { path: this.path, action: 'write' });
    }
  }

  close(): void {
    if (this.#closed) return;
    this.#closed = true;
    this.#statements.clear();
    // Where statements outlive the connection, so would the lock of an open transaction.
    if (this.#inTransaction) rollBack(this.#connection);
    this.#connection.close();
  }

  #described<Result>(action: 'read' | 'write', work: () => Result): Result {
    try {
      return work();
    } catch (error) {
      throw describeSqliteError(error, { path: this.path, action });
    }
  }

  #tx<Result>(work: (statements: Statements) => Result): Result {
    if (this.#inTransaction) throw transactionNested({ path: this.path });
    this.#asked((connection) => connection.exec(this.access === 'write' ? 'BEGIN IMMEDIATE' : 'BEGIN'));
    this.#inTransaction = true;
    try {
      const result = work({
        run: (sql, params) => this.#run(planned('effect', sql, params)),
        query: (sql, params) => this.#query(planned('rows', sql, params)),
      });
      if (isPromise(result)) throw transactionNotSynchronous({ path: this.path });
      this.#commit();
      return result;
    } catch (error) {
      rollBack(this.#connection);
      throw error;
    } finally {
      this.#inTransaction = false;
      this.#undoneBy = undefined;
    }
  }

  #commit(): void {
    const commit = (): void => this.#asked((connection) => connection.exec('COMMIT'));
    if (this.access !== 'write') return commit();
    this.#requireInPlace();
    durablePoint('commit:before');
    commit();
    durablePoint('commit:after');
  }

  #run({ scanned, params }: PlannedStatement): RunResult {
    const { changes } = this.#asked((connection) => this.#statement(connection, scanned.text).run(...params));
    return { changes: Number(changes) };
  }

  #query({ scanned, params }: PlannedStatement): readonly Row[] {
    const rows = this.#asked((connection) => this.#statement(connection, scanned.text).all(...params));
    return this.#exactIntegers ? rows.map(withPlainIntegers) : (rows as Row[]);
  }

  #statement(connection: Connection, sql: string): RawStatement {
    const known = this.#statements.get(sql);
    if (known !== undefined) return known;
    const statement = connection.prepare(sql);
    if (this.#exactIntegers) statement.setReadBigInts(true);
    this.#forgetOldest();
    this.#statements.set(sql, statement);
    return statement;
  }

  #forgetOldest(): void {
    if (this.#statements.size < MAX_CACHED_STATEMENTS) return;
    for (const oldest of this.#statements.keys()) {
      this.#statements.delete(oldest);
      return;
    }
  }

  /** What was not stored in the file at the path would be lost; nothing before it in the same opening is to be trusted. */
  #requireInPlace(): void {
    this.#requireUsable();
    try {
      this.#files?.requireInPlace();
    } catch (error) {
      if (isDroverError(error)) this.#refusal = error;
      throw error;
    }
  }

  #requireUsable(): void {
    if (this.#closed) throw databaseClosed({ path: this.path });
    if (this.#refusal !== undefined) throw this.#refusal;
    if (this.#undoneBy !== undefined) throw this.#undoneBy;
  }

  #asked<Result>(ask: (connection: Connection) => Result): Result {
    this.#requireUsable();
    try {
      return ask(this.#connection);
    } catch (error) {
      throw this.#noted(error);
    }
  }

  #noted(error: unknown): unknown {
    // After a failed sync the system calls the pages clean; a later one would succeed and prove nothing.
    if (this.access === 'write' && isSqliteDiskError(error)) this.#refusal = databaseUnsynced({ path: this.path }, error);
    if (this.#refusal !== undefined) return this.#refusal;
    const told = isSqliteError(error) ? error : databaseFailed({ path: this.path, action: 'use', reason: String(error) }, error);
    if (this.#inTransaction && !this.#isTransactionOpen()) this.#undoneBy = told;
    return told;
  }

  /** Some errors end it, and each statement after that would be stored alone. Neither library says so by itself. */
  #isTransactionOpen(): boolean {
    try {
      this.#connection.exec('BEGIN');
    } catch {
      // None is begun inside another.
      return true;
    }
    rollBack(this.#connection);
    return false;
  }
}

function planned(purpose: PlannedStatement['purpose'], sql: string, params: readonly SqlValue[] = []): PlannedStatement {
  return new PlannedStatement({ dialect: 'sqlite', purpose, sql, params });
}

function withPlainIntegers(row: unknown): Row {
  return Object.fromEntries(Object.entries(row as Row).map(([column, value]) => [column, plainInteger(value)]));
}

function isPromise(value: unknown): boolean {
  return typeof value === 'object' && value !== null && 'then' in value && typeof value.then === 'function';
}
