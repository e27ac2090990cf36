import { connectSqlite } from '../../../src/kernel/sql/index.ts';

/** Runs SQL past the doors, which refuse what acts on a file or a connection as a whole. */
export function execOn(path: string, sql: string): void {
  const connection = connectSqlite(path);
  connection.exec(sql);
  connection.close();
}
