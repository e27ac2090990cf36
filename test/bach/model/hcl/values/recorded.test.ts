import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import {
  entriesOf,
  floatText,
  itemsOf,
  toPlain,
  typeOf,
  typeText,
  type Plain,
  type Value,
} from '../../../../../src/bach/model/hcl/values/index.ts';
import { evaluateText } from '../../../../support/hcldec/evaluate-text.ts';

interface Recorded {
  readonly values: readonly { readonly text: string; readonly type: string; readonly value: Plain }[];
  readonly errors: readonly { readonly text: string; readonly summaries: readonly string[] }[];
}

/** What HashiCorp's HCL 2.14.1 with cty 1.12.1 gave for generated expressions in the scope of these tests. */
const RECORDED = JSON.parse(readFileSync(join(import.meta.dirname, 'recorded.json'), 'utf8')) as Recorded;

/** As recorded: a number is an object that holds its text, so that no digit is lost in JSON. */
function recordedForm(value: Value): Plain {
  if (value.kind === 'number') return { number: floatText(value.float) };
  const items = itemsOf(value);
  if (items !== undefined) return items.map(recordedForm);
  const entries = entriesOf(value);
  if (entries === undefined) return toPlain(value);
  return Object.fromEntries([...entries].map(([key, each]) => [key, recordedForm(each)]));
}

describe('as recorded from the reference implementation', () => {
  test.each(RECORDED.values)('$text', ({ text, type, value }) => {
    const evaluated = evaluateText(text);
    expect(evaluated.diagnostics).toEqual([]);
    expect(recordedForm(evaluated.value)).toEqual(value);
    expect(typeText(typeOf(evaluated.value))).toBe(type);
  });

  test.each(RECORDED.errors)('$text fails', ({ text, summaries }) => {
    const found = evaluateText(text).diagnostics.map(({ summary }) => summary);
    expect([...new Set(found)].sort()).toEqual(summaries);
  });
});
