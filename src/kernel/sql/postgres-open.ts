import { quotedName, type Schema } from './migrate.ts';
import { shownAddress } from './postgres-address.ts';
import { describeFault, PostgresFault } from './postgres-error.ts';
import { migratePostgres, namespaceOf } from './postgres-migrate.ts';
import { PostgresPool } from './postgres-pool.ts';
import { PostgresStore } from './postgres-store.ts';
import type { Sql } from './store-contract.ts';
import type { OpeningOptions, PostgresAddress } from './store-options.ts';

const DEFAULTS = { applicationName: 'drover', poolSize: 4, connectTimeoutMs: 10_000, statementTimeoutMs: 10_000 } as const;

type Opening = PostgresAddress & OpeningOptions;

/** As `openStore`. */
export async function openPostgres(given: Opening): Promise<Sql> {
  const name = shownAddress(given.url);
  const options = { ...DEFAULTS, ...given, name };
  const settings = settingsOf(given.schema, options.statementTimeoutMs);
  const pool = new PostgresPool({ ...options, size: options.poolSize, settings });
  try {
    await bringUpToDate(pool, options);
    return new PostgresStore({ ...options, pool });
  } catch (error) {
    await pool.close();
    throw error instanceof PostgresFault ? describeFault(error, options) : error;
  }
}

async function bringUpToDate(pool: PostgresPool, options: Opening & { readonly name: string }): Promise<void> {
  const session = await pool.take('SELECT 1', options.signal);
  try {
    const hasApplied = await migratePostgres({ ...options, session });
    // A change is any text, which may have left something behind in its connection.
    if (hasApplied) await session.end();
  } finally {
    pool.giveBack(session);
  }
}

/**
 * What every connection has, whatever the server, the database or the user have been given as defaults. A client that
 * was stopped in the middle of a transaction must not keep others out for longer than a statement may take, and who
 * waits for it tries again.
 */
function settingsOf(schema: Schema, statementTimeoutMs: number): string {
  const patienceMs = Math.max(1, Math.round(statementTimeoutMs / 2));
  return [
    `SET search_path TO ${quotedName(namespaceOf(schema))}`,
    `SET statement_timeout TO ${statementTimeoutMs}`,
    `SET idle_in_transaction_session_timeout TO ${patienceMs}`,
    `SET lock_timeout TO ${patienceMs}`,
    'SET standard_conforming_strings TO on',
    'SET bytea_output TO hex',
    'SET extra_float_digits TO 1',
    "SET datestyle TO 'ISO'",
    "SET timezone TO 'UTC'",
  ].join('; ');
}
