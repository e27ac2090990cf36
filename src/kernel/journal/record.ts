import type { JournalRecord } from './contract.ts';
import { journalRecordRefused } from './errors.ts';
import { CHECKSUM_FIELD, REPAIR_KIND, WRITER_FIELD } from './line.ts';

/** Deep enough for any record of ours; a circle ends here too. */
const MAX_DEPTH = 100;

interface Fault {
  readonly place: string;
  readonly reason: string;
}

/** The text between the braces of a record. Throws `journal-record-refused` with the place in the record. */
export function membersOf(record: JournalRecord, path: string): string {
  const fault = reservedFault(record) ?? faultIn(record, { place: '', depth: 0 });
  if (fault !== undefined) throw journalRecordRefused({ path, ...fault });
  return JSON.stringify(record).slice(1, -1);
}

/** As `membersOf`, for the record that marks torn bytes. */
export function repairMembers(fields: JournalRecord, path: string): string {
  const members = membersOf(fields, path);
  const kind = `"kind":"${REPAIR_KIND}"`;
  return members === '' ? kind : `${kind},${members}`;
}

function reservedFault(record: JournalRecord): Fault | undefined {
  if (!isPlainObject(record)) return { place: '', reason: 'is not a plain object' };
  const reserved = [WRITER_FIELD, CHECKSUM_FIELD].find((name) => Object.hasOwn(record, name));
  if (reserved !== undefined) return { place: reserved, reason: 'belongs to the journal' };
  if (record['kind'] === REPAIR_KIND) return { place: 'kind', reason: `${REPAIR_KIND} belongs to the journal` };
  return undefined;
}

function faultIn(value: unknown, at: { readonly place: string; readonly depth: number }): Fault | undefined {
  const { place, depth } = at;
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return undefined;
  if (typeof value === 'number') return Number.isFinite(value) ? undefined : { place, reason: `is ${value}` };
  if (typeof value !== 'object') return { place, reason: `is of type ${typeof value}` };
  if (depth === MAX_DEPTH) return { place: place.slice(0, 100), reason: `is deeper than ${MAX_DEPTH} levels` };
  if (Array.isArray(value)) return firstFault(Array.from(value.keys(), (key) => [`${place}[${key}]`, value[key]] as const), depth);
  if (!isPlainObject(value)) return { place, reason: 'is not a plain object' };
  const inside = place === '' ? '' : `${place}.`;
  return firstFault(Object.entries(value).map(([key, each]) => [`${inside}${key}`, each] as const), depth);
}

function firstFault(members: readonly (readonly [place: string, value: unknown])[], depth: number): Fault | undefined {
  for (const [place, value] of members) {
    const fault = faultIn(value, { place, depth: depth + 1 });
    if (fault !== undefined) return fault;
  }
  return undefined;
}

function isPlainObject(value: unknown): value is JournalRecord {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  // An object of another realm has that realm's prototype, which is the end of its chain too.
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}
