import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  parseExpression,
  parseHcl,
  parseTemplate,
  SourceText,
  variablesOf,
} from '../../../../../src/bach/model/hcl/syntax/index.ts';
import { edit, edited } from '../../../../support/hcl/generator.ts';
import { SAMPLES } from '../../../../support/hcl/samples.ts';
import { expressionsIn, spansIn } from '../../../../support/hcl/trees.ts';

const SEED = 20_260_416;

describe('a text that random edits have broken', () => {
  const mutations = fc
    .tuple(fc.constantFrom(...SAMPLES), fc.array(edit, { minLength: 1, maxLength: 6 }))
    .map(([text, edits]) => edited(text, edits));

  test('is read to its end 10,000 times, with every place inside it and in order', () => {
    for (const text of fc.sample(mutations, { numRuns: 10_000, seed: SEED })) {
      const { body, diagnostics } = parseHcl(text);
      const spans = [...spansIn(body), ...spansIn(diagnostics)];
      const astray = spans.filter(({ start, end }) => start < 0 || end < start || end > text.length);
      if (astray.length > 0) expect({ text, astray }).toEqual({ text, astray: [] });
    }
  });

  test('can be searched and shown', () => {
    for (const text of fc.sample(mutations, { numRuns: 1000, seed: SEED + 1 })) {
      const { body, diagnostics, source } = parseHcl(text);
      for (const { span } of diagnostics) expect(source.range(span).start.line).toBeGreaterThan(0);
      for (const expression of expressionsIn(body)) expect(variablesOf(expression)).toBeInstanceOf(Array);
    }
  });

  test('is an expression or a template with its errors, too', () => {
    for (const text of fc.sample(mutations, { numRuns: 2000, seed: SEED + 2 })) {
      for (const { expression, diagnostics } of [parseExpression(text), parseTemplate(text)]) {
        const spans = [...spansIn(expression), ...spansIn(diagnostics)];
        expect(spans.every(({ start, end }) => start >= 0 && start <= end && end <= text.length)).toBe(true);
      }
    }
  });
});

test('any string at all is read, halves of surrogate pairs included', () => {
  const units = fc.array(fc.oneof(fc.nat(0xffff), fc.nat(0x7f)), { maxLength: 60 });
  fc.assert(
    fc.property(units, (codes) => {
      const text = String.fromCharCode(...codes);
      const { diagnostics } = parseHcl(text);
      const source = new SourceText(text);
      for (const { span } of diagnostics) source.range(span);
    }),
    { seed: SEED, numRuns: 3000 },
  );
});

