import type { DroverError } from '../errors/index.ts';
import { durablePoint } from '../files/index.ts';
import type { Clock } from '../time/index.ts';
import type { Connection } from './connection.ts';
import type { Database, Row, RunResult, SqlValue, Statements } from './contract.ts';
import type { RawStatement } from './driver.ts';
import { databaseClosed, databaseUnsynced, transactionNested, transactionNotSynchronous } from './errors.ts';
import { rollBack } from './migrate.ts';
import { retryWhileBusy } from './retry.ts';
import { describeSqliteError, isSqliteBusy, isSqliteDiskError } from './sqlite-error.ts';
import { plainInteger, storableText } from './values.ts';

const MAX_CACHED_STATEMENTS = 200;

interface DatabaseFields {
  readonly path: string;
  readonly access: Database['access'];
  readonly connection: Connection;
  readonly clock: Pick<Clock, 'mono'>;
  readonly busyTimeoutMs: number;
  readonly exactIntegers?: boolean;
}

/** The life of one connection that `openDatabase` has prepared. */
export class SqliteDatabase implements Database {
  readonly path: string;
  readonly access: Database['access'];
  readonly #connection: Connection;
  readonly #patience: Pick<DatabaseFields, 'clock' | 'busyTimeoutMs'>;
  readonly #statements = new Map<string, RawStatement>();
  readonly #exactIntegers: boolean;
  #inTransaction = false;
  #closed = false;
  #refusal: DroverError | undefined;

  constructor({ path, access, connection, clock, busyTimeoutMs, exactIntegers = false }: DatabaseFields) {
    this.path = path;
    this.access = access;
    this.#connection = connection;
    this.#patience = { clock, busyTimeoutMs };
    this.#exactIntegers = exactIntegers;
  }

  run(sql: string, params: readonly SqlValue[] = []): RunResult {
    return this.#described('write', () => {
      if (this.#inTransaction || this.access !== 'write') return this.#run(sql, params);
      durablePoint('commit:before');
      const result = this.#run(sql, params);
      durablePoint('commit:after');
      return result;
    });
  }

  query(sql: string, params: readonly SqlValue[] = []): readonly Row[] {
    return this.#described('read', () => this.#query(sql, params));
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
      const result = work({ run: (...call) => this.#run(...call), query: (...call) => this.#query(...call) });
      if (isPromise(result)) throw transactionNotSynchronous({ path: this.path });
      this.#commit();
      return result;
    } catch (error) {
      rollBack(this.#connection);
      throw error;
    } finally {
      this.#inTransaction = false;
    }
  }

  #commit(): void {
    const commit = (): void => this.#asked((connection) => connection.exec('COMMIT'));
    if (this.access !== 'write') return commit();
    durablePoint('commit:before');
    commit();
    durablePoint('commit:after');
  }

  #run(sql: string, params: readonly SqlValue[] = []): RunResult {
    const { changes } = this.#asked((connection) => this.#statement(connection, sql).run(...params.map(bindable)));
    return { changes: Number(changes) };
  }

  #query(sql: string, params: readonly SqlValue[] = []): readonly Row[] {
    const rows = this.#asked((connection) => this.#statement(connection, sql).all(...params.map(bindable)));
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

  /** After a failed sync the system calls the pages clean; a later one would succeed and prove nothing. */
  #asked<Result>(ask: (connection: Connection) => Result): Result {
    if (this.#closed) throw databaseClosed({ path: this.path });
    if (this.#refusal !== undefined) throw this.#refusal;
    try {
      return ask(this.#connection);
    } catch (error) {
      if (this.access !== 'write' || !isSqliteDiskError(error)) throw error;
      this.#refusal = databaseUnsynced({ path: this.path }, error);
      throw this.#refusal;
    }
  }
}

/** The libraries cut a text at its first NUL, one when writing and one when reading. */
function bindable(value: SqlValue): SqlValue {
  return typeof value === 'string' ? storableText(value) : value;
}

function withPlainIntegers(row: unknown): Row {
  return Object.fromEntries(Object.entries(row as Row).map(([column, value]) => [column, plainInteger(value)]));
}

function isPromise(value: unknown): boolean {
  return typeof value === 'object' && value !== null && 'then' in value && typeof value.then === 'function';
}
