/** Beneath what a line of the journal takes, with room for what stands around the value. */
const MAX_BYTES = 8 * 2 ** 20 - 2 ** 16;
const MAX_DEPTH = 90;
const MAX_VALUES = 90_000;

/** Tells why a value cannot be recorded. It never leaves this room. */
export class NotRecordable extends Error {}

/**
 * A copy of a JSON value that the step log takes and gives back as it is; whoever made the value may change it then.
 * Throws `NotRecordable`, and what reading the value throws.
 */
export function recordable(value: unknown): unknown {
  return new Copying().copy(value, 0);
}

class Copying {
  #values = 0;
  #bytes = 0;

  copy(value: unknown, depth: number): unknown {
    this.#values += 1;
    if (this.#values > MAX_VALUES) throw new NotRecordable(`has more than ${MAX_VALUES} values`);
    if (typeof value === 'string') return this.#text(value);
    if (typeof value === 'number' && !Number.isFinite(value)) throw new NotRecordable(`has a number that is ${value}`);
    this.#count(typeof value === 'number' ? `${value}`.length : 0);
    if (value === null || typeof value === 'boolean' || typeof value === 'number') return value;
    if (typeof value !== 'object') throw new NotRecordable(`has a value of type ${typeof value}`);
    if (depth === MAX_DEPTH) throw new NotRecordable(`is deeper than ${MAX_DEPTH} levels`);
    return Array.isArray(value) ? this.#elements(value, depth) : this.#members(value, depth);
  }

  #elements(values: readonly unknown[], depth: number): unknown {
    if (values.length > MAX_VALUES) throw new NotRecordable(`has more than ${MAX_VALUES} values`);
    if (Reflect.ownKeys(values).length > values.length + 1) throw new NotRecordable('has names on a list');
    return Array.from(values, (value) => this.copy(value, depth + 1));
  }

  #members(value: object, depth: number): unknown {
    const prototype: unknown = Object.getPrototypeOf(value);
    if (prototype !== null && prototype !== Object.prototype) throw new NotRecordable('has an object of a class');
    const members = Object.entries(value);
    if (Reflect.ownKeys(value).length > members.length) throw new NotRecordable('has hidden properties');
    return Object.fromEntries(members.map(([name, member]) => [this.#text(name), this.copy(member, depth + 1)]));
  }

  #text(text: string): string {
    // Before it is written out.
    this.#count(text.length > MAX_BYTES ? text.length : Buffer.byteLength(JSON.stringify(text)));
    return text;
  }

  #count(bytes: number): void {
    // A colon or a comma, and the brackets.
    this.#bytes += bytes + 6;
    if (this.#bytes > MAX_BYTES) throw new NotRecordable(`has more than ${MAX_BYTES} bytes`);
  }
}
