import type { ValueType } from './value-type.ts';

/** One key of the configuration, declared once; `Value` includes `undefined` where nothing is set by default. */
export interface ConfigKey<Value> {
  /** Dotted, as in the file: `notify.webhook.url`. */
  readonly name: string;
  /** One sentence for a person. */
  readonly means: string;
  readonly type: ValueType<Exclude<Value, undefined>>;
  readonly fallback: Value;
  /**
   * What comes out when the user has `own` and the project's file asks for `asked`: never more than `own` allows.
   * A key without it is refused in a project's file.
   */
  narrow?(own: Value, asked: Exclude<Value, undefined>): Value;
  /** How the value is shown where it may give away a secret. */
  mask?(value: Exclude<Value, undefined>): string;
}

/** Declares a key, so that its value has a type wherever it is read. */
export function declareKey<Value>(key: ConfigKey<Value>): ConfigKey<Value> {
  return key;
}

/** `notify.webhook.url` is `DROVER_NOTIFY_WEBHOOK_URL` in the environment. */
export function variableOf({ name }: ConfigKey<unknown>): string {
  return `DROVER_${name.replaceAll('.', '_').toUpperCase()}`;
}

/** As it may be shown: `undefined` when nothing is set. */
export function shownValue<Value>({ type, mask }: ConfigKey<Value>, value: Value) {
  if (value === undefined) return undefined;
  const given = value as Exclude<Value, undefined>;
  return mask === undefined ? type.toPlain(given) : mask(given);
}
