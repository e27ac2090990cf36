import type { Row, SqlValue, Statements } from '../kernel/sql/index.ts';
import { ledgerRowDamaged } from './errors.ts';

/** How one field stands in its column. `read` answers `undefined` for what it cannot be. */
export interface Column<Value> {
  readonly write: (value: Value) => SqlValue;
  readonly read: (value: SqlValue) => Value | undefined;
  /** An absent field is NULL. */
  readonly optional: boolean;
}

export const text: Column<string> = {
  write: (value) => value,
  read: (value) => (typeof value === 'string' ? value : undefined),
  optional: false,
};

/** Counts, milliseconds, millionths: whole numbers that a double holds exactly. */
export const whole: Column<number> = {
  write: (value) => value,
  read: (value) => (Number.isSafeInteger(Number(value)) && value !== null ? Number(value) : undefined),
  optional: false,
};

export const texts: Column<readonly string[]> = {
  write: (value) => JSON.stringify(value),
  read: (value) => (typeof value === 'string' ? listOfTexts(value) : undefined),
  optional: false,
};

/** One of the given words. */
export function oneOf<Word extends string>(...words: readonly Word[]): Column<Word> {
  return { write: (value) => value, read: (value) => words.find((word) => word === value), optional: false };
}

export function optional<Value>(column: Column<Value>): Column<Value | undefined> {
  return {
    write: (value) => (value === undefined ? null : column.write(value)),
    read: (value) => (value === null ? undefined : column.read(value)),
    optional: true,
  };
}

type Columns<Fields> = { readonly [Name in keyof Required<Fields>]: Column<Fields[Name]> };

export interface Table<Fields> {
  readonly name: string;
  /** Writes the row whole; one with the same key is replaced, so that a repeated write changes nothing. */
  put(tx: Pick<Statements, 'run'>, fields: Fields): void;
  /** Writes the row unless one with its key is there; false then. */
  add(tx: Pick<Statements, 'run'>, fields: Fields): boolean;
  /** The rows for which `condition` holds, e.g. `state = ? ORDER BY opened_at`. Throws `ledger-row-damaged`. */
  select(db: Pick<Statements, 'query'>, condition: string, params?: readonly SqlValue[]): readonly Fields[];
}

/** A table whose columns bear the names of the fields in snake case; the first column is the key. */
export function tableOf<Fields extends object>(name: string, columns: Columns<Fields>): Table<Fields> {
  const fields = Object.keys(columns) as (keyof Fields & string)[];
  const names = fields.map(snakeCase);
  const [key = ''] = names;
  const insert = `INSERT INTO ${name} (${names.join(', ')}) VALUES (${names.map(() => '?').join(', ')})`;
  const updates = names.slice(1).map((column) => `${column} = excluded.${column}`);
  const params = (row: Fields): SqlValue[] => fields.map((field) => columns[field].write(row[field]));
  return {
    name,
    put: (tx, row) => void tx.run(`${insert} ON CONFLICT (${key}) DO UPDATE SET ${updates.join(', ')}`, params(row)),
    add: (tx, row) => tx.run(`${insert} ON CONFLICT (${key}) DO NOTHING`, params(row)).changes === 1,
    select: (db, condition, values = []) =>
      db.query(`SELECT ${names.join(', ')} FROM ${name} WHERE ${condition}`, values).map((row) => fieldsOf(row)),
  };

  function fieldsOf(row: Row): Fields {
    const entries = fields.map((field) => [field, fieldOf(row, field)] as const);
    return Object.fromEntries(entries.filter(([, value]) => value !== undefined)) as Fields;
  }

  function fieldOf(row: Row, field: keyof Fields & string): unknown {
    const stored = row[snakeCase(field)] ?? null;
    const value = columns[field].read(stored);
    if (value !== undefined || (columns[field].optional && stored === null)) return value;
    throw ledgerRowDamaged({ table: name, key: String(row[key]), column: snakeCase(field), value: String(stored) });
  }
}

function snakeCase(field: string): string {
  return field.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

function listOfTexts(json: string): readonly string[] | undefined {
  try {
    const value: unknown = JSON.parse(json);
    return Array.isArray(value) && value.every((item) => typeof item === 'string') ? value : undefined;
  } catch {
    // Not JSON: the caller names the row and the column.
    return undefined;
  }
}
