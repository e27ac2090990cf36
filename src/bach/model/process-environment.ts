import { stringValue, type Value } from './hcl/index.ts';

export type ProcessVariables = Readonly<Record<string, string | undefined>>;

/** The environment of the process, which remembers what of it was looked at. */
export class ProcessEnvironment {
  /** The same for expressions, which name a variable by its bare name. */
  readonly values: ReadonlyMap<string, Value>;
  readonly #variables: ProcessVariables;
  readonly #reads = new Map<string, string | undefined>();

  constructor(variables: ProcessVariables) {
    this.#variables = variables;
    this.values = new WatchedValues(variables, (name) => this.read(name));
  }

  /** Names with their values, also those that are not set. */
  get reads(): ReadonlyMap<string, string | undefined> {
    return this.#reads;
  }

  read(name: string): string | undefined {
    const value = Object.hasOwn(this.#variables, name) ? this.#variables[name] : undefined;
    this.#reads.set(name, value);
    return value;
  }
}

/** Only single look-ups count as read: the whole list serves suggestions in messages. */
class WatchedValues extends Map<string, Value> {
  readonly #read: (name: string) => string | undefined;

  constructor(variables: ProcessVariables, read: (name: string) => string | undefined) {
    super();
    this.#read = read;
    for (const [name, value] of Object.entries(variables)) if (value !== undefined) this.set(name, stringValue(value));
  }

  override get(name: string): Value | undefined {
    this.#read(name);
    return super.get(name);
  }
}
