import type { Column, ObjectColumn, Table } from './column.ts';

/** The value that `pack` was given. The text must be one of `pack`: nothing of it is checked. */
export function unpack(text: string): unknown {
  return rowOf(JSON.parse(text) as Table)[0];
}

function rowOf({ length, groups }: Table): readonly unknown[] {
  const [only] = groups;
  if (only !== undefined && only.places === undefined) return valuesOf(only.column, only.count);
  const row: unknown[] = Array.from({ length });
  for (const { places = [], count, column } of groups) {
    const values = valuesOf(column, count);
    let index = 0;
    for (const place of places) row[place] = values[index++];
  }
  return row;
}

function valuesOf(column: Column, count: number): readonly unknown[] {
  switch (column.kind) {
    case 'none':
      return repeated(undefined, count);
    case 'same':
      return repeated(column.value, count);
    case 'each':
      return column.values;
    case 'list':
      return lists(column.items, count);
    case 'object':
      return column.bare ? objects(column, count).map(bare) : objects(column, count);
    case 'map':
      return column.maps.map(({ keys, values }) => mapOf(rowOf(keys), rowOf(values)));
    case 'set':
      return column.sets.map((set) => new Set(rowOf(set)));
  }
}

function lists(items: readonly Column[], count: number): readonly unknown[] {
  const columns = items.map((item) => valuesOf(item, count));
  return Array.from({ length: count }, (_, index) => columns.map((column) => column[index]));
}

/**
 * What is the same in all of them is copied as one. The template comes from the JSON parser and has a value of the right
 * sort at each key: an object that is built key by key, or whose fields change their sort, is ten times as slow.
 */
function objects({ template, none, fields }: ObjectColumn, count: number): readonly Record<string, unknown>[] {
  const columns = fields.map(([key, column]) => ({ key, values: valuesOf(column, count) }));
  const first: Record<string, unknown> = template;
  for (const key of none) first[key] = undefined;
  for (const { key, values } of columns) first[key] = values[0];
  if (columns.length === 0) return repeated(first, count);
  const made = Array.from({ length: count }, () => ({ ...first }));
  for (const { key, values } of columns) setEach(made, key, values);
  return made;
}

function bare(object: Record<string, unknown>): unknown {
  return Object.assign(Object.create(null) as object, object);
}

function setEach(made: readonly Record<string, unknown>[], key: string, values: readonly unknown[]): void {
  let index = 0;
  for (const object of made) object[key] = values[index++];
}

function repeated<Value>(value: Value, count: number): readonly Value[] {
  return Array.from({ length: count }, () => value);
}

function mapOf(keys: readonly unknown[], values: readonly unknown[]): ReadonlyMap<unknown, unknown> {
  const map = new Map<unknown, unknown>();
  let index = 0;
  for (const key of keys) map.set(key, values[index++]);
  return map;
}
