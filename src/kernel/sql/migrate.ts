import { durablePoint } from '../files/index.ts';
import type { Clock } from '../time/index.ts';
import { formatRfc3339Nano } from '../time/index.ts';
import type { Connection } from './connection.ts';
import { databaseForeign, databaseNewer } from './errors.ts';
import type { Dialect } from './store-contract.ts';

/** One change of a database, applied once and never edited afterwards. */
export interface Migration {
  readonly id: string;
  /** One or more statements without `BEGIN` and `COMMIT`; two texts where the databases need different ones. */
  readonly sql: string | { readonly sqlite: string; readonly postgres: string };
}

/** The changes that make up a database, oldest first, and the table that records which were applied. */
export interface Schema {
  readonly table: string;
  readonly migrations: readonly Migration[];
  /** On PostgreSQL, the schema that holds the tables of this store alone; made when it is missing. Default `public`. */
  readonly namespace?: string;
}

export interface SchemaState {
  /** No tables at all: new, or made by a process that has not come further yet. */
  readonly isEmpty: boolean;
  /** What is still to be applied, in order. */
  readonly pending: readonly Migration[];
}

interface Target {
  readonly connection: Connection;
  readonly path: string;
  readonly schema: Schema;
}

/** Looks without changing anything. Throws `database-foreign`, `database-newer`, and what SQLite throws. */
export function schemaState({ connection, path, schema }: Target): SchemaState {
  const tables = tableNames(connection);
  const isOurs = tables.includes(schema.table);
  if (tables.length > 0 && !isOurs) throw databaseForeign({ path, table: schema.table });
  const applied = isOurs ? appliedIds({ connection, path, schema }) : new Set<string>();
  return { isEmpty: tables.length === 0, pending: pendingMigrations({ path, schema, applied }) };
}

/** What is not yet applied, in order. Throws `database-newer` when something was that this version does not know. */
export function pendingMigrations(found: {
  readonly path: string;
  readonly schema: Schema;
  readonly applied: ReadonlySet<string>;
}): readonly Migration[] {
  const { path, schema, applied } = found;
  const known = new Set(schema.migrations.map(({ id }) => id));
  for (const id of applied) {
    if (!known.has(id)) throw databaseNewer({ path, migration: id });
  }
  return schema.migrations.filter(({ id }) => !applied.has(id));
}

/** The text of a change for one of the databases. */
export function migrationText({ sql }: Migration, dialect: Dialect): string {
  return typeof sql === 'string' ? sql : sql[dialect];
}

/**
 * Applies one change with its record in one transaction. It looks again under the write lock, so that of several
 * processes one applies it and the others find it done. Throws as `schemaState`.
 */
export function applyMigration(target: Target, migration: Migration, clock: Pick<Clock, 'wall'>): void {
  const { connection, schema } = target;
  connection.exec('BEGIN IMMEDIATE');
  try {
    if (schemaState(target).pending.includes(migration)) {
      const table = quotedName(schema.table);
      connection.exec(`CREATE TABLE IF NOT EXISTS ${table} (id TEXT PRIMARY KEY, applied_at TEXT NOT NULL)`);
      connection.exec(migrationText(migration, 'sqlite'));
      const appliedAt = formatRfc3339Nano(clock.wall());
      connection.prepare(`INSERT INTO ${table} (id, applied_at) VALUES (?, ?)`).run(migration.id, appliedAt);
    }
    durablePoint('migration:before');
    connection.exec('COMMIT');
    durablePoint('migration:after');
  } catch (error) {
    rollBack(connection);
    throw error;
  }
}

/** Ends a transaction that failed; SQLite may have ended it by itself. */
export function rollBack(connection: Connection): void {
  try {
    connection.exec('ROLLBACK');
  } catch {
    // There is none any more. What made it fail is what the caller reports.
  }
}

function tableNames(connection: Connection): readonly string[] {
  const rows = connection.prepare("SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\'");
  return rows.all().map((row) => textOf(row, 'name'));
}

function appliedIds({ connection, path, schema }: Target): ReadonlySet<string> {
  const table = quotedName(schema.table);
  const columns = connection.prepare(`PRAGMA table_info(${table})`).all();
  // A table of this name with other columns was made by another program.
  if (!columns.some((column) => textOf(column, 'name') === 'id')) throw databaseForeign({ path, table: schema.table });
  return new Set(connection.prepare(`SELECT id FROM ${table}`).all().map((row) => textOf(row, 'id')));
}

function textOf(row: unknown, column: string): string {
  return String((row as Readonly<Record<string, unknown>>)[column]);
}

export function quotedName(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}
