import { parseRfc3339 } from '../../../kernel/time/index.ts';
import { invalidField, isObject, type Metadata, type ProtocolFault } from '../../model/index.ts';

const LONGEST_IDENTITY = 1000;
const CANNOT_BE_STORED = /\0|\p{Surrogate}/u;

/**
 * Reads an object field by field. A null is a field that is missing; a field that is not known, or is of another type,
 * throws a `ProtocolFault` that names it.
 */
export class Fields {
  readonly #where: string;
  readonly #value: Readonly<Record<string, unknown>>;

  /** `where` is what the object is called in front of its fields; empty for the parameters themselves. */
  constructor(where: string, value: unknown, known: readonly string[]) {
    this.#where = where;
    if (!isObject(value)) throw invalidField(where, `${where === '' ? 'params' : where} must be an object`);
    this.#value = value;
    const unknown = Object.keys(value).find((name) => !known.includes(name));
    if (unknown !== undefined) throw invalidField(this.at(unknown), `unknown field ${JSON.stringify(this.at(unknown))}`);
  }

  at(name: string): string {
    return this.#where === '' ? name : `${this.#where}.${name}`;
  }

  has(name: string): boolean {
    return Object.hasOwn(this.#value, name) && this.#value[name] !== null;
  }

  raw(name: string): unknown {
    return this.has(name) ? this.#value[name] : undefined;
  }

  /** Empty where it is missing. */
  text(name: string): string {
    const value = this.raw(name) ?? '';
    if (typeof value !== 'string') throw this.#wrong(name, 'a string');
    if (CANNOT_BE_STORED.test(value)) throw this.#wrong(name, 'a string without NUL and half characters');
    return value;
  }

  requiredText(name: string): string {
    const value = this.text(name);
    if (value === '') throw invalidField(this.at(name), `${this.at(name)} is required`);
    return value;
  }

  /** What a row is found by. */
  identity(name: string): string {
    const value = this.requiredText(name);
    if (value.length > LONGEST_IDENTITY) throw this.#wrong(name, `a string of at most ${LONGEST_IDENTITY} characters`);
    return value;
  }

  constant(name: string, expected: string): void {
    if (this.requiredText(name) !== expected) throw invalidField(this.at(name), `${this.at(name)} must be ${JSON.stringify(expected)}`);
  }

  oneOf<Value extends string>(name: string, values: readonly Value[]): Value {
    const text = this.requiredText(name);
    const found = values.find((value) => value === text);
    if (found === undefined) throw this.#wrong(name, `one of ${values.join(', ')}`);
    return found;
  }

  flag(name: string): boolean {
    const value = this.raw(name);
    if (value === undefined) throw invalidField(this.at(name), `${this.at(name)} is required`);
    if (typeof value !== 'boolean') throw this.#wrong(name, 'true or false');
    return value;
  }

  /** Nanoseconds since 1970; an empty text is a time that has not come. */
  time(name: string): bigint | undefined {
    const text = this.text(name);
    if (text === '') return undefined;
    const time = parseRfc3339(text);
    if (time === undefined) throw this.#wrong(name, 'a time in RFC 3339');
    return time;
  }

  requiredTime(name: string): bigint {
    this.requiredText(name);
    return this.time(name) ?? 0n;
  }

  integer(name: string): number | undefined {
    const value = this.raw(name);
    if (value === undefined) return undefined;
    if (typeof value === 'number' && Number.isSafeInteger(value)) return value;
    throw this.#wrong(name, 'a whole number');
  }

  /** How many are wanted at most; 0, as when it is missing, for all. */
  limit(): number {
    const limit = this.integer('limit') ?? 0;
    if (limit < 0) throw this.#wrong('limit', 'a whole number, 0 or more');
    return limit;
  }

  metadata(name = 'metadata'): Metadata {
    const value = this.raw(name) ?? {};
    if (!isObject(value)) throw this.#wrong(name, 'an object');
    return value;
  }

  /** The values of an object by their names. */
  entries(name: string): readonly (readonly [string, unknown])[] {
    return Object.entries(this.metadata(name)).map(([key, value]) => {
      if (key === '' || CANNOT_BE_STORED.test(key)) throw this.#wrong(name, 'an object with names that are not empty and without NUL');
      return [key, value];
    });
  }

  list(name: string): readonly unknown[] {
    const value = this.raw(name) ?? [];
    if (!Array.isArray(value)) throw this.#wrong(name, 'a list');
    return value;
  }

  #wrong(name: string, wanted: string): ProtocolFault {
    return invalidField(this.at(name), `${this.at(name)} must be ${wanted}`);
  }
}
