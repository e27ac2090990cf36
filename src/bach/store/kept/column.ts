/** What JSON itself carries: in a column it stands as it is. */
export type Leaf = null | boolean | number | string | readonly Leaf[];

/**
 * The values of one place in many things of one shape, such as the names of ten thousand targets. Apart from each other
 * they are read several times as fast as the things themselves, whose keys would stand beside each value.
 */
export type Column =
  | { readonly kind: 'none' }
  | { readonly kind: 'same'; readonly value: Leaf }
  | { readonly kind: 'each'; readonly values: readonly Leaf[] }
  | { readonly kind: 'list'; readonly items: readonly Column[] }
  | ObjectColumn
  /** Maps and sets, each by itself. */
  | { readonly kind: 'map'; readonly maps: readonly { readonly keys: Table; readonly values: Table }[] }
  | { readonly kind: 'set'; readonly sets: readonly Table[] };

export interface ObjectColumn {
  readonly kind: 'object';
  /** Objects without a prototype. */
  readonly bare: boolean;
  /** Every key in its place, with the value that all have. */
  readonly template: Readonly<Record<string, Leaf>>;
  /** Keys whose value is `undefined`. */
  readonly none: readonly string[];
  readonly fields: readonly (readonly [key: string, column: Column])[];
}

/** Values in a row, those of one shape together. */
export interface Table {
  readonly length: number;
  readonly groups: readonly Group[];
}

export interface Group {
  /** Where its values stand in the row; nothing when they are the whole row. */
  readonly places?: readonly number[];
  readonly count: number;
  readonly column: Column;
}
