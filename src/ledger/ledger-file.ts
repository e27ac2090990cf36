import { isDroverError } from '../kernel/errors/index.ts';
import type { Database, Row, SqlValue, Statements } from '../kernel/sql/index.ts';

type Open = () => Promise<Database>;

/** Opens the file of the ledger, which is opened anew whenever it was taken away. */
export async function openLedgerFile(open: Open): Promise<LedgerFile> {
  return new LedgerFile(open, await open());
}

/**
 * The database of the ledger. What was in a file that is gone can be had again from the systems' own files, so a write
 * that finds it gone goes into a new one.
 */
export class LedgerFile {
  readonly #open: Open;
  #db: Database;
  #opening: Promise<void> | undefined;

  constructor(open: Open, db: Database) {
    this.#open = open;
    this.#db = db;
  }

  get path(): string {
    return this.#db.path;
  }

  query(sql: string, params?: readonly SqlValue[]): readonly Row[] {
    return this.#db.query(sql, params);
  }

  async write<Result>(work: (tx: Statements) => Result): Promise<Result> {
    const db = this.#db;
    try {
      return await db.txRetry(work);
    } catch (error) {
      if (!isDroverError(error) || error.code !== 'database-removed') throw error;
      await this.#openAnewAfter(db);
      return this.#db.txRetry(work);
    }
  }

  close(): void {
    this.#db.close();
  }

  /** Once, however many writes found it gone. */
  async #openAnewAfter(gone: Database): Promise<void> {
    if (this.#db !== gone) return;
    this.#opening ??= this.#openAnew(gone).finally(() => {
      this.#opening = undefined;
    });
    await this.#opening;
  }

  async #openAnew(gone: Database): Promise<void> {
    this.#db = await this.#open();
    gone.close();
  }
}
