import { realpathSync, statSync, type BigIntStats } from 'node:fs';
import { databaseRemoved } from './errors.ts';

interface OpenFile {
  readonly path: string;
  readonly device: bigint;
  readonly inode: bigint;
}

/**
 * The files of an open database as they stood at their paths, to find out that one of them stands there no more: SQLite
 * goes on writing into a removed file, and the next process makes another one.
 */
export class OpenFiles {
  readonly #path: string;
  readonly #files: OpenFile[] = [];
  #isFilled = false;

  /** Begins with the file itself; to be called before it is opened, so that what is opened is no other. */
  constructor(path: string) {
    this.#path = path;
    this.#watch(path);
  }

  /** Takes in the files beside the database; to be called when it is open and settled. */
  watchSidecars(): void {
    // A database that has something is never empty again; the log beside it may be.
    this.#isFilled = statsOf(this.#path)?.size !== 0n;
    const real = realpathSync(this.#path);
    for (const beside of ['-wal', '-shm']) this.#watch(`${real}${beside}`);
  }

  /** Throws `database-removed`. */
  requireInPlace(): void {
    for (const { path, device, inode } of this.#files) {
      const found = statsOf(path);
      const isEmptied = path === this.#path && this.#isFilled && found?.size === 0n;
      // No other file has the same inode for as long as this one is open.
      if (isEmptied || found?.ino !== inode || found.dev !== device) throw databaseRemoved({ path });
    }
  }

  #watch(path: string): void {
    const stats = statsOf(path);
    // A system without shared memory has no log beside the database.
    if (stats !== undefined) this.#files.push({ path, device: stats.dev, inode: stats.ino });
  }
}

function statsOf(path: string): BigIntStats | undefined {
  return statSync(path, { bigint: true, throwIfNoEntry: false });
}
