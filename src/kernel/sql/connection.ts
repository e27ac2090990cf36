import { realpathSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { holdFile, type Hold } from '../files/index.ts';
import { sqliteLibrary, type RawStatement } from './driver.ts';

/** An open file with its locks registered in `kernel/files`. Its methods throw what SQLite throws. */
export interface Connection {
  /** Runs statements without rows. What only used this is closed for certain when `close` returns. */
  exec(sql: string): void;
  prepare(sql: string): RawStatement;
  /** Registers the files beside the database that carry locks too; called once they exist. */
  holdSidecars(): void;
  /** Copies what is stored into another file, in pieces, also while others write. */
  copyTo(path: string): Promise<void>;
  close(): void;
}

export interface ConnectionOptions {
  readonly readOnly?: boolean;
  /** Without locks and without anything beside the file; only for a file that nobody writes. */
  readonly immutable?: boolean;
}

const PRUNE_EVERY = 500;
const PAGES_AT_A_TIME = 256;

/** Opens `path` (absolute) and sets nothing. Throws what SQLite throws. */
export function connectSqlite(path: string, { readOnly = false, immutable = false }: ConnectionOptions = {}): Connection {
  const { DatabaseSync, backup, closesStatements } = sqliteLibrary();
  const raw = new DatabaseSync(immutable ? `${pathToFileURL(path).href}?immutable=1` : path, { readOnly });
  const holds: (Hold | undefined)[] = [holdFile(path)];
  const statements = new LivingStatements();
  return {
    exec: (sql) => raw.exec(sql),
    prepare(sql) {
      const statement = raw.prepare(sql);
      if (!closesStatements) statements.add(statement);
      return statement;
    },
    holdSidecars() {
      // SQLite puts them beside the file that a link in the path leads to.
      const real = realpathSync(path);
      holds.push(holdFile(`${real}-wal`), holdFile(`${real}-shm`));
    },
    async copyTo(copy) {
      await backup(raw, copy, { rate: PAGES_AT_A_TIME });
    },
    close() {
      raw.close();
      for (const hold of holds) hold?.release(() => statements.areGone());
    },
  };
}

/** The statements that keep a closed connection open. */
class LivingStatements {
  #references: WeakRef<RawStatement>[] = [];

  add(statement: RawStatement): void {
    this.#references.push(new WeakRef(statement));
    if (this.#references.length % PRUNE_EVERY === 0) this.#prune();
  }

  areGone(): boolean {
    this.#prune();
    return this.#references.length === 0;
  }

  #prune(): void {
    this.#references = this.#references.filter((reference) => reference.deref() !== undefined);
  }
}
