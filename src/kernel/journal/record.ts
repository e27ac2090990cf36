import type { JournalRecord } from './contract.ts';
import { journalRecordRefused, journalRecordTooLong } from './errors.ts';
import { CHECKSUM_FIELD, MAX_LINE_BYTES, REPAIR_KIND, WRITER_FIELD } from './line.ts';

/** Deep enough for any record of ours; a circle ends here too. */
const MAX_DEPTH = 100;
/** Shared objects unfold: few of them can stand for millions of values, and the caller's thread waits meanwhile. */
const MAX_VALUES = 100_000;
/** Longest `{"w":"…#…",` and checksum around the members of a record. */
const FRAME_BYTES = 128;
const MAX_BYTES = MAX_LINE_BYTES - FRAME_BYTES;
const RESERVED: readonly (string | symbol)[] = [WRITER_FIELD, CHECKSUM_FIELD];

/**
 * The text between the braces of a record. Throws `journal-record-refused` with the place in the record, and
 * `journal-record-too-long`.
 */
export function membersOf(record: JournalRecord, path: string): string {
  return new RecordText(path).membersOf(record);
}

/** As `membersOf`, for the record that marks torn bytes. */
export function repairMembers(fields: JournalRecord, path: string): string {
  const kind = `"kind":"${REPAIR_KIND}"`;
  const members = new RecordText(path, ['kind']).membersOf(fields);
  return members === '' ? kind : `${kind},${members}`;
}

/** Writes JSON by itself, so that each property is read once and nothing of the record decides about its text. */
class RecordText {
  readonly #path: string;
  readonly #reserved: readonly (string | symbol)[];
  /** From the record to the value that is looked at. */
  readonly #place: (string | number)[] = [];
  #values = 0;
  /** A lower bound, since a character has one byte or more. */
  #bytes = 0;

  constructor(path: string, reserved: readonly string[] = []) {
    this.#path = path;
    this.#reserved = [...RESERVED, ...reserved];
  }

  membersOf(record: JournalRecord): string {
    if (!isPlainObject(record)) this.#refuse('is not a plain object');
    const reserved = Reflect.ownKeys(record).find((key) => this.#reserved.includes(key));
    if (reserved !== undefined) this.#refuseAt(String(reserved), 'belongs to the journal');
    const members = this.#objectOf(record).slice(1, -1);
    if (Buffer.byteLength(members) > MAX_BYTES) this.#refuseLength();
    return members;
  }

  #textOf(value: unknown): string {
    this.#values += 1;
    if (this.#values > MAX_VALUES) this.#refuseCount();
    if (typeof value === 'string') return this.#stringOf(value);
    if (typeof value === 'number') return this.#numberOf(value);
    if (value === null || typeof value === 'boolean') return `${value}`;
    if (typeof value !== 'object') return this.#refuse(`is of type ${typeof value}`);
    if (this.#place.length === MAX_DEPTH) return this.#refuse(`is deeper than ${MAX_DEPTH} levels`);
    return Array.isArray(value) ? this.#arrayOf(value) : this.#objectOf(value);
  }

  #stringOf(value: string): string {
    this.#bytes += value.length;
    if (this.#bytes > MAX_BYTES) this.#refuseLength();
    return JSON.stringify(value);
  }

  #numberOf(value: number): string {
    if (!Number.isFinite(value)) this.#refuse(`is ${value}`);
    return Object.is(value, -0) ? '-0' : `${value}`;
  }

  #arrayOf(values: readonly unknown[]): string {
    // Before its keys are listed.
    if (values.length > MAX_VALUES) this.#refuseCount();
    this.#refuseOthers(values, values.length + 1);
    const texts: string[] = [];
    for (let index = 0; index < values.length; index += 1) texts.push(this.#inside(index, values[index]));
    return `[${texts.join(',')}]`;
  }

  #objectOf(value: object): string {
    if (!isPlainObject(value)) return this.#refuse('is not a plain object');
    const keys = Object.keys(value);
    this.#refuseOthers(value, keys.length);
    return `{${keys.map((key) => `${this.#stringOf(key)}:${this.#inside(key, value[key])}`).join(',')}}`;
  }

  #inside(key: string | number, value: unknown): string {
    this.#place.push(key);
    if (key === 'kind' && value === REPAIR_KIND && this.#place.length === 1) this.#refuse(`${REPAIR_KIND} belongs to the journal`);
    const text = this.#textOf(value);
    this.#place.pop();
    return text;
  }

  /** What JSON passes over: symbols, hidden properties, and names on arrays. */
  #refuseOthers(value: object, count: number): void {
    const keys = Reflect.ownKeys(value);
    if (keys.length <= count) return;
    const isElement = (key: string | symbol): boolean => Array.isArray(value) && (key === 'length' || /^\d+$/.test(String(key)));
    const isShown = (key: string | symbol): boolean => !Array.isArray(value) && Object.prototype.propertyIsEnumerable.call(value, key);
    const other = keys.find((key) => typeof key === 'symbol' || !(isElement(key) || isShown(key)));
    this.#refuse(`has ${String(other)}, which JSON passes over`);
  }

  #refuse(reason: string): never {
    const place = this.#place.map((key) => (typeof key === 'number' ? `[${key}]` : `.${key}`)).join('');
    return this.#refuseAt(place.startsWith('.') ? place.slice(1) : place, reason);
  }

  #refuseAt(place: string, reason: string): never {
    throw journalRecordRefused({ path: this.#path, place: place.slice(0, 100), reason });
  }

  #refuseCount(): never {
    return this.#refuseAt('', `has more than ${MAX_VALUES} values`);
  }

  #refuseLength(): never {
    throw journalRecordTooLong({ path: this.#path, maxBytes: MAX_LINE_BYTES });
  }
}

function isPlainObject(value: unknown): value is JournalRecord {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  const prototype = Object.getPrototypeOf(value) as object | null;
  if (prototype === null || prototype === Object.prototype) return true;
  // An object of another realm has that realm's prototype, which is the end of its chain too and knows the same names.
  return Object.getPrototypeOf(prototype) === null && Object.hasOwn(prototype, 'isPrototypeOf');
}
