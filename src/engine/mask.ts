/** Takes the secrets out of a JSON value; masking twice is masking once. Made by the redaction of whoever calls. */
export type Mask = (value: unknown) => unknown;

/** What systems, handlers and people put into a record; all else is the engine's own. */
const FREE: ReadonlySet<string> = new Set(['key', 'input', 'seen', 'reason', 'receipt', 'standing']);

/** A record without secrets, also in names of its steps. */
export function maskEntry<Entry extends object>(entry: Entry, mask: Mask): Entry {
  const fields = Object.entries(entry).map(([name, value]) => [name, FREE.has(name) ? mask(value) : value] as const);
  return Object.fromEntries(fields) as Entry;
}
