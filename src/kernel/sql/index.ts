export { connectSqlite, type Connection } from './connection.ts';
export type { Database, Row, RunResult, SqlValue, Statements } from './contract.ts';
export type { Migration, Schema } from './migrate.ts';
export { openDatabase, type OpenOptions } from './open.ts';
export { describeSqliteError, isSqliteBusy } from './sqlite-error.ts';
