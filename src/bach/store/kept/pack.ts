import type { Column, Group, Leaf, ObjectColumn, Table } from './column.ts';

type Fields = Readonly<Record<string, unknown>>;

/**
 * A value of plain objects, arrays, maps, sets, and what JSON has, as a text that `unpack` makes the same value of;
 * nothing when something else is in it. Equal parts may become one and the same, so that keys of maps and what is in
 * sets have to be what JSON has.
 */
export function pack(value: unknown): string | undefined {
  return isFit(value) ? JSON.stringify(tableOf([value])) : undefined;
}

function isFit(value: unknown): boolean {
  if (value === undefined || isLeaf(value)) return true;
  if (Array.isArray(value)) return value.every(isFit);
  if (value instanceof Set) return [...value].every(isSimple);
  if (value instanceof Map) return [...value].every(([key, one]) => isSimple(key) && isFit(one));
  return isPlainObject(value) && Object.values(value).every(isFit);
}

function tableOf(values: readonly unknown[]): Table {
  const groups = new Map<string, number[]>();
  for (const [place, value] of values.entries()) {
    const shape = shapeOf(value);
    const places = groups.get(shape);
    if (places === undefined) groups.set(shape, [place]);
    else places.push(place);
  }
  return { length: values.length, groups: [...groups.values()].map((places) => groupOf(values, places)) };
}

function groupOf(values: readonly unknown[], places: readonly number[]): Group {
  const count = places.length;
  if (count === values.length) return { count, column: columnOf(values) };
  return { places, count, column: columnOf(places.map((place) => values[place])) };
}

/** Equal for values that fit into one column. */
function shapeOf(value: unknown): string {
  if (isLeaf(value)) return '.';
  if (value === undefined) return '-';
  if (Array.isArray(value)) return `[${value.map(shapeOf).join('')}]`;
  if (value instanceof Map) return 'm';
  if (value instanceof Set) return 's';
  const fields = Object.entries(value as Fields).map(([key, field]) => `${JSON.stringify(key)}${shapeOf(field)}`);
  return `${isBare(value) ? 'n' : ''}{${fields.join('')}}`;
}

/** All of one shape. */
function columnOf(values: readonly unknown[]): Column {
  const [first] = values;
  if (first === undefined) return { kind: 'none' };
  if (isLeaf(first)) return leafColumn(values as readonly Leaf[]);
  if (Array.isArray(first)) {
    const rows = values as readonly (readonly unknown[])[];
    return { kind: 'list', items: first.map((_, index) => columnOf(rows.map((row) => row[index]))) };
  }
  if (first instanceof Map) return { kind: 'map', maps: (values as readonly ReadonlyMap<unknown, unknown>[]).map(mapOf) };
  if (first instanceof Set) return { kind: 'set', sets: (values as readonly ReadonlySet<unknown>[]).map((set) => tableOf([...set])) };
  return objectColumn(values as readonly Fields[], Object.keys(first));
}

function objectColumn(rows: readonly Fields[], keys: readonly string[]): ObjectColumn {
  const columns = keys.map((key) => [key, columnOf(rows.map((row) => row[key]))] as const);
  return {
    kind: 'object',
    bare: isBare(rows[0]),
    template: Object.fromEntries(columns.map(([key, column]) => [key, column.kind === 'same' ? column.value : null])),
    none: columns.filter(([, { kind }]) => kind === 'none').map(([key]) => key),
    fields: columns.filter(([, { kind }]) => kind !== 'none' && kind !== 'same'),
  };
}

function leafColumn(values: readonly Leaf[]): Column {
  const [value = null] = values;
  return values.every((other) => isSame(other, value)) ? { kind: 'same', value } : { kind: 'each', values };
}

function mapOf(map: ReadonlyMap<unknown, unknown>) {
  return { keys: tableOf([...map.keys()]), values: tableOf([...map.values()]) };
}

function isLeaf(value: unknown): value is Leaf {
  return Array.isArray(value) ? value.every(isLeaf) : isSimple(value);
}

function isSimple(value: unknown): value is null | boolean | number | string {
  if (typeof value === 'number') return Number.isFinite(value) && !Object.is(value, -0);
  return value === null || typeof value === 'string' || typeof value === 'boolean';
}

function isSame(a: Leaf, b: Leaf): boolean {
  if (!Array.isArray(a) || !Array.isArray(b)) return a === b;
  return a.length === b.length && a.every((item, index) => isSame(item, b[index]));
}

/** A key `__proto__` would change the object that it is set in. */
function isPlainObject(value: unknown): value is Fields {
  if (typeof value !== 'object' || value === null || Object.hasOwn(value, '__proto__')) return false;
  return isBare(value) || Object.getPrototypeOf(value) === Object.prototype;
}

function isBare(value: unknown): boolean {
  return Object.getPrototypeOf(value) === null;
}
