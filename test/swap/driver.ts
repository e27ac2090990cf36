import { createRequire } from 'node:module';

interface SwappedStatement {
  readonly reader: boolean;
  run(...params: readonly unknown[]): { readonly changes: number };
  all(...params: readonly unknown[]): unknown[];
  safeIntegers(enabled: boolean): void;
}

interface Swapped {
  exec(sql: string): void;
  prepare(sql: string): SwappedStatement;
  backup(path: string): Promise<{ readonly totalPages: number }>;
  close(): void;
}

interface SwappedModule {
  new (path: string, options: { readonly readonly: boolean }): Swapped;
  readonly SqliteError: new () => Error;
}

const Database = createRequire(import.meta.url)('better-sqlite3') as SwappedModule;

/** Stands in the place of `src/kernel/sql/driver.ts`, with another SQLite library that is called a little otherwise. */
class SwappedDatabase {
  readonly #raw: Swapped;

  constructor(path: string, { readOnly }: { readonly readOnly: boolean }) {
    this.#raw = translated(() => new Database(path, { readonly: readOnly }));
  }

  exec(sql: string): void {
    translated(() => this.#raw.exec(sql));
  }

  prepare(sql: string) {
    const statement = translated(() => this.#raw.prepare(sql));
    return {
      run: (...params: readonly unknown[]) => translated(() => (statement.reader ? (statement.all(...params), { changes: 0 }) : statement.run(...params))),
      all: (...params: readonly unknown[]) => translated(() => (statement.reader ? statement.all(...params).map(plain) : (statement.run(...params), []))),
      setReadBigInts: (enabled: boolean) => void statement.safeIntegers(enabled),
    };
  }

  async backup(path: string): Promise<number> {
    return (await this.#raw.backup(path)).totalPages;
  }

  close(): void {
    this.#raw.close();
  }
}

const library = { DatabaseSync: SwappedDatabase, backup: (source: SwappedDatabase, path: string) => source.backup(path), closesStatements: true };

export const sqliteLibrary = (): typeof library => library;
export const sqliteLibraryName = (): 'node' => 'node';
export const useSqliteLibrary = (): void => undefined;

/** Its errors have names for codes; the texts of SQLite tell the kind as well. */
function translated<Result>(work: () => Result): Result {
  try {
    return work();
  } catch (error) {
    if (error instanceof Database.SqliteError) throw Object.assign(new Error(error.message, { cause: error }), { code: 'ERR_SQLITE_ERROR' });
    throw error;
  }
}

function plain(row: unknown): unknown {
  const values = Object.entries(row as Record<string, unknown>);
  return Object.fromEntries(values.map(([column, value]) => [column, Buffer.isBuffer(value) ? Uint8Array.from(value) : value]));
}
