import { durablePoint } from '../files/index.ts';
import { formatRfc3339Nano, type Clock } from '../time/index.ts';
import type { SqlValue } from './contract.ts';
import { databaseBusy, databaseForeign } from './errors.ts';
import { migrationText, pendingMigrations, quotedName, type Migration, type Schema } from './migrate.ts';
import type { PostgresSession } from './postgres-session.ts';
import { pauseAfter } from './retry.ts';

export interface PostgresMigrating {
  readonly session: PostgresSession;
  /** The address without its password. */
  readonly name: string;
  readonly schema: Schema;
  readonly clock: Clock;
  readonly busyTimeoutMs: number;
  readonly signal?: AbortSignal | undefined;
}

/** The schema that holds the tables of a store. */
export function namespaceOf({ namespace = 'public' }: Schema): string {
  return namespace;
}

/** A change may rewrite a large table. */
const CHANGE_LIMIT_MS = 600_000;
const LIMIT_MS = 10_000;

/**
 * Applies what is still to be applied, each change in one transaction; of several processes one does it while the
 * others wait for it. Tells whether it applied anything. Throws `database-foreign`, `database-newer`, `database-busy`, and a `PostgresFault`.
 */
export async function migratePostgres(migrating: PostgresMigrating): Promise<boolean> {
  const { clock, busyTimeoutMs, signal, name } = migrating;
  const deadline = clock.mono() + busyTimeoutMs;
  let hasApplied = false;
  for (let attempt = 0; ; ) {
    const [next] = await pendingOf(migrating);
    if (next === undefined) return hasApplied;
    const outcome = await applied(migrating, next);
    hasApplied ||= outcome === 'done';
    if (outcome === 'done') continue;
    if (clock.mono() >= deadline) throw databaseBusy({ path: name });
    await pauseAfter(attempt, signal);
    attempt += 1;
  }
}

/** It looks again under the lock, so that of several processes one applies the change and the others find it done. */
async function applied(migrating: PostgresMigrating, migration: Migration): Promise<'done' | 'locked'> {
  const { session, schema } = migrating;
  await query(migrating, 'BEGIN ISOLATION LEVEL READ COMMITTED');
  try {
    // Processes that change the same tables take the same lock; other stores of the same database take others.
    const name = `${namespaceOf(schema)}.${schema.table}`;
    const [row] = await query(migrating, 'SELECT pg_try_advisory_xact_lock(hashtextextended($1, 0)) AS is_ours', [name]);
    const isOurs = row?.['is_ours'] === 1;
    const isPending = isOurs && (await pendingOf(migrating))[0]?.id === migration.id;
    if (isPending) await apply(migrating, migration);
    if (!isPending) await query(migrating, 'ROLLBACK');
    return isOurs ? 'done' : 'locked';
  } catch (error) {
    // The connection was opened for this alone and is closed by whoever opened it, which undoes the rest.
    session.destroy();
    throw error;
  }
}

async function apply(migrating: PostgresMigrating, migration: Migration): Promise<void> {
  const { session, schema, clock, signal } = migrating;
  const limit = { timeoutMs: CHANGE_LIMIT_MS, signal };
  const table = quotedName(schema.table);
  await session.script(`SET LOCAL statement_timeout TO ${CHANGE_LIMIT_MS}`, limit);
  if (!(await hasNamespace(migrating))) await session.script(`CREATE SCHEMA ${quotedName(namespaceOf(schema))}`, limit);
  await session.script(`CREATE TABLE IF NOT EXISTS ${table} (id TEXT PRIMARY KEY, applied_at TEXT NOT NULL)`, limit);
  await session.script(migrationText(migration, 'postgres'), limit);
  await session.send(`INSERT INTO ${table} (id, applied_at) VALUES ($1, $2)`, [migration.id, formatRfc3339Nano(clock.wall())], limit);
  durablePoint('migration:before');
  await session.script('COMMIT', limit);
  durablePoint('migration:after');
}

/** Asked first, since making one, even if it exists, takes rights that the user of a database need not have. */
async function hasNamespace(migrating: PostgresMigrating): Promise<boolean> {
  const found = await query(migrating, 'SELECT 1 FROM pg_namespace WHERE nspname = $1', [namespaceOf(migrating.schema)]);
  return found.length > 0;
}

/** Looks without changing anything. */
async function pendingOf(migrating: PostgresMigrating): Promise<readonly Migration[]> {
  const { schema, name } = migrating;
  const columns = await query(
    migrating,
    `SELECT c.relname AS name, EXISTS (SELECT 1 FROM pg_attribute a WHERE a.attrelid = c.oid AND a.attname = 'id') AS has_id
     FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace WHERE n.nspname = $1 AND c.relkind IN ('r', 'p')`,
    [namespaceOf(schema)],
  );
  const ours = columns.find((table) => table['name'] === schema.table);
  // A table of this name with other columns was made by another program.
  const isForeign = columns.length > 0 && ours?.['has_id'] !== 1;
  if (isForeign) throw databaseForeign({ path: name, table: schema.table });
  const rows = ours === undefined ? [] : await query(migrating, `SELECT id FROM ${quotedName(schema.table)}`);
  return pendingMigrations({ path: name, schema, applied: new Set(rows.map(({ id }) => String(id))) });
}

async function query({ session, signal }: PostgresMigrating, text: string, params: readonly SqlValue[] = []) {
  const { rows } = await session.send(text, params, { timeoutMs: LIMIT_MS, signal });
  return rows;
}
