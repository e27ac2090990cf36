import { createRequire } from 'node:module';
import type { SqlValue } from './contract.ts';

/** The part of the DatabaseSync interface that is used here; both libraries have it. */
interface RawDatabase {
  exec(sql: string): void;
  prepare(sql: string): RawStatement;
  close(): void;
}

export interface RawStatement {
  run(...params: readonly SqlValue[]): { readonly changes: number | bigint };
  all(...params: readonly SqlValue[]): unknown[];
  /** Integers are read as bigint, instead of as numbers or, past 2^53, not at all. */
  setReadBigInts(enabled: boolean): void;
}

export type SqliteLibraryName = 'node' | 'package';

interface DatabaseModule {
  readonly DatabaseSync: new (path: string, options: { readonly readOnly: boolean }) => RawDatabase;
  /** Copies a database page by page, without keeping the thread for long. */
  readonly backup: (source: RawDatabase, path: string, options: { readonly rate: number }) => Promise<number>;
}

export interface SqliteLibrary extends DatabaseModule {
  /**
   * Whether closing a connection ends its statements. Where it does not, the file stays open until they are collected
   * as garbage, or the process ends.
   */
  readonly closesStatements: boolean;
}

let library: SqliteLibrary | undefined;

/**
 * The one SQLite library of this process: two of them would break each other's locks. Node's own where it is complete,
 * and loaded only when a database is first opened.
 */
export function sqliteLibrary(): SqliteLibrary {
  library ??= nodeLibrary() ?? packagedLibrary();
  return library;
}

/** Which library this process has, for a thread that it starts. */
export function sqliteLibraryName(): SqliteLibraryName {
  return sqliteLibrary().closesStatements ? 'node' : 'package';
}

/** For a thread, before it opens anything: takes the library that the thread took which started it. */
export function useSqliteLibrary(name: SqliteLibraryName): void {
  library ??= name === 'package' ? packagedLibrary() : sqliteLibrary();
}

function nodeLibrary(): SqliteLibrary | undefined {
  const restore = muteSqliteWarning();
  try {
    const found = process.getBuiltinModule?.('node:sqlite') as DatabaseModule | undefined;
    return found && isComplete(found) ? { DatabaseSync: found.DatabaseSync, backup: found.backup, closesStatements: true } : undefined;
  } finally {
    restore();
  }
}

function isComplete(found: DatabaseModule): boolean {
  return typeof found.backup === 'function' && opensUris(found);
}

/** Node's first releases of it take a URI for a name, and then nothing can be read without locks. */
function opensUris({ DatabaseSync }: DatabaseModule): boolean {
  try {
    new DatabaseSync('file:uri?mode=memory', { readOnly: true }).close();
    return true;
  } catch {
    // It looked for a file of that name.
    return false;
  }
}

function packagedLibrary(): SqliteLibrary {
  const { DatabaseSync, backup } = createRequire(import.meta.url)('@photostructure/sqlite') as DatabaseModule;
  return { DatabaseSync, backup, closesStatements: false };
}

/** Loading Node's library warns that it is experimental, which says nothing to a user; other warnings pass. */
function muteSqliteWarning(): () => void {
  const emitWarning = process.emitWarning;
  const quiet = (warning: string | Error, ...rest: readonly unknown[]): void => {
    if (rest[0] === 'ExperimentalWarning' && String(warning).startsWith('SQLite')) return;
    Reflect.apply(emitWarning, process, [warning, ...rest]);
  };
  process.emitWarning = quiet;
  return () => {
    process.emitWarning = emitWarning;
  };
}
