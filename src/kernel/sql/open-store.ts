import { openDatabase } from './open.ts';
import { openPostgres } from './postgres-open.ts';
import { SqliteStore } from './sqlite-store.ts';
import type { Sql } from './store-contract.ts';
import type { StoreOptions } from './store-options.ts';

/**
 * Opens a store on one of the two databases; any number of processes may do so at once, also for the first time.
 * Throws what `openDatabase` throws, on PostgreSQL with the address in the place of the path, and
 * `database-unreachable`, `database-address-invalid`.
 *
 * @example
 * const sql = await openStore({ path: '/project/.state/tasks.db', clock, schema, busyTimeoutMs: 30_000 });
 */
export async function openStore(options: StoreOptions): Promise<Sql> {
  if ('url' in options) return openPostgres(options);
  const database = await openDatabase(options.path, { ...options, exactIntegers: true });
  return new SqliteStore(database, options);
}
