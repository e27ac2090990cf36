/** Any number of items, none included. */
export const MANY = 'many';

/** What an item has to be, or `MANY`. */
export type Wanted<Item> = typeof MANY | ((item: Item) => boolean);

/**
 * Whether a whole sequence is what is wanted. Only the last `MANY` met has to be tried anew, since a longer reach of an
 * earlier one finds nothing more; so the work never exceeds the product of both lengths.
 */
export function matchesAll<Item>(wanted: readonly Wanted<Item>[], items: readonly Item[]): boolean {
  let at = 0;
  let index = 0;
  let retry: { readonly at: number; index: number } | undefined;
  while (index < items.length) {
    const want = wanted[at];
    if (want === MANY) {
      at += 1;
      retry = { at, index };
    } else if (want?.(items[index] as Item) === true) {
      at += 1;
      index += 1;
    } else {
      if (retry === undefined) return false;
      retry.index += 1;
      ({ at, index } = retry);
    }
  }
  return wanted.slice(at).every((want) => want === MANY);
}
