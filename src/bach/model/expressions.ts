import type { Findings } from './findings.ts';
import { convert, evaluate, isKnown, itemsOf, listOf, STRING, type Expression, type Scope, type Type, type Value } from './hcl/index.ts';

const LIST_OF_STRINGS = listOf(STRING);

/** What one attribute is read with: where it stands in messages, what it may see, and who hears of faults. */
export interface Reading {
  /** Begins each message: `target "shell/test" workdir`. */
  readonly subject: string;
  readonly scope: Scope;
  readonly findings: Findings;
}

/** The value of an expression; nothing after its faults or those of what it names were told, nothing for null. */
export function valueOf(expression: Expression, { scope, findings }: Reading): Value | undefined {
  const { value, diagnostics } = evaluate(expression, scope);
  for (const diagnostic of diagnostics) findings.decode(diagnostic);
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
