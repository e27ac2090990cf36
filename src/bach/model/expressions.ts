import type { Findings } from './findings.ts';
import {
  BOOL,
  convert,
  entriesOf,
  evaluate,
  isKnown,
  itemsOf,
  listOf,
  mapOf,
  NUMBER,
  STRING,
  toPlain,
  type Expression,
  type Scope,
  type Span,
  type Type,
  type Value,
} from './hcl/index.ts';

const LIST_OF_STRINGS = listOf(STRING);
const MAP_OF_STRINGS = mapOf(STRING);

/** What one attribute is read with: where it stands in messages, what it may see, and who hears of faults. */
export interface Reading {
  /** Begins each message: `target "shell/test" workdir`. */
  readonly subject: string;
  readonly scope: Scope;
  readonly findings: Findings;
  /** What has no value when the expression names what is not there, and then begins the message: `env "A"`. */
  readonly defines?: string;
}

const NAMES_NOTHING: ReadonlySet<string> = new Set(['Unknown variable', 'Unsupported attribute']);

/** The value of an expression; nothing after its faults or those of what it names were told, nothing for null. */
export function valueOf(expression: Expression, { scope, findings, defines }: Reading): Value | undefined {
  const { value, diagnostics } = evaluate(expression, scope);
  for (const diagnostic of diagnostics) {
    if (defines !== undefined && NAMES_NOTHING.has(diagnostic.summary)) findings.unresolved(defines, diagnostic);
    else findings.decode(diagnostic);
  }
  const failed = diagnostics.some(({ severity }) => severity === 'error');
  return failed || value.kind === 'null' || !isKnown(value) ? undefined : value;
}

/** A string; numbers and booleans are taken as their text, as HCL does. */
export function stringOf(expression: Expression, reading: Reading): string | undefined {
  const value = typedValue(expression, STRING, reading);
  return value === undefined ? undefined : textOf(value, expression, reading);
}

/** A list of strings. */
export function stringsOf(expression: Expression, reading: Reading): readonly string[] | undefined {
  const items = itemsOf(typedValue(expression, LIST_OF_STRINGS, reading) ?? { kind: 'unknown' });
  if (items === undefined) return undefined;
  const texts = items.map((item) => textOf(item, expression, reading));
  const complete = texts.filter((text) => text !== undefined);
  return complete.length === texts.length ? complete : undefined;
}

/** A text with the place where it is written. */
export interface PlacedText {
  readonly text: string;
  readonly span: Span;
}

/** As `stringsOf`, each entry with its own place where the list is written out. */
export function placedStringsOf(expression: Expression, reading: Reading): readonly PlacedText[] | undefined {
  if (expression.kind === 'tuple') {
    return expression.items.flatMap((item) => {
      const text = entryOf(item, reading);
      return text === undefined ? [] : [{ text, span: item }];
    });
  }
  return stringsOf(expression, reading)?.map((text) => ({ text, span: expression }));
}

/** Null is no text, and an entry that stands alone is told at its own place. */
function entryOf(item: Expression, reading: Reading): string | undefined {
  if (item.kind !== 'null') return stringOf(item, reading);
  return textOf({ kind: 'unknown' }, item, reading);
}

export function booleanOf(expression: Expression, reading: Reading): boolean | undefined {
  const value = typedValue(expression, BOOL, reading);
  return value?.kind === 'bool' ? value.truth : undefined;
}

/** The nearest double. */
export function numberOf(expression: Expression, reading: Reading): number | undefined {
  const value = typedValue(expression, NUMBER, reading);
  const plain = value && toPlain(value);
  return typeof plain === 'number' ? plain : undefined;
}

/** An object whose values are strings, in key order. */
export function stringMapOf(expression: Expression, reading: Reading): ReadonlyMap<string, string> | undefined {
  const entries = entriesOf(typedValue(expression, MAP_OF_STRINGS, reading) ?? { kind: 'unknown' });
  if (entries === undefined) return undefined;
  const texts = [...entries].map(([name, value]) => [name, textOf(value, expression, reading)] as const);
  return new Map(texts.filter((pair): pair is readonly [string, string] => pair[1] !== undefined));
}

function typedValue(expression: Expression, type: Type, reading: Reading): Value | undefined {
  const value = valueOf(expression, reading);
  if (value === undefined) return undefined;
  const converted = convert(value, type);
  if (converted.kind !== 'failure') return converted;
  reading.findings.decode({
    severity: 'error',
    summary: 'Incorrect attribute value type',
    detail: `${reading.subject}: ${converted.message}`,
    span: expression,
  });
  return undefined;
}

/** No program, path or variable can carry a NUL, so none gets past here; a null in a list is no string. */
function textOf(value: Value, expression: Expression, { subject, findings }: Reading): string | undefined {
  if (value.kind === 'string' && !value.text.includes('\0')) return value.text;
  const fault = value.kind === 'string' ? 'must not contain a NUL character' : 'must not contain null';
  findings.error(expression, `${subject}: ${fault}`);
  return undefined;
}
