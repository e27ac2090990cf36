import { parse } from '@cdktn/hcl2json';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseHcl } from '../../../../../src/bach/model/hcl/syntax/index.ts';
import { evaluate, toPlain } from '../../../../../src/bach/model/hcl/values/index.ts';
import { SCOPE } from '../../../../support/hcldec/evaluate-text.ts';

const digits = fc.stringMatching(/^[1-9][0-9]{0,24}$/);
const numbers = fc
  .tuple(fc.constantFrom('', '-'), digits, fc.option(digits), fc.option(fc.integer({ min: -200, max: 200 })))
  .map(([sign, whole, fraction, exponent]) => sign + whole + (fraction === null ? '' : `.${fraction}`) + (exponent === null ? '' : `e${exponent}`));
// The other side gives a text with a dollar or a percent sign back as a template again.
const strings = fc.string({ unit: 'grapheme' }).filter((text) => !/[$%]/.test(text));
const quoted = strings.map((text) => JSON.stringify(text).replace(/\\([bf])/g, '\\u0000').replaceAll('\u007f', '\\u007f'));
const words = fc.stringMatching(/^[a-z][a-z0-9_]{0,8}$/).filter((word) => word !== 'for');

const { literal } = fc.letrec<{ literal: string }>((tie) => ({
  literal: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    numbers,
    quoted,
    fc.constantFrom('true', 'false', 'null'),
    fc.array(tie('literal'), { maxLength: 4 }).map((items) => `[${items.join(', ')}]`),
    fc.dictionary(words, tie('literal'), { maxKeys: 4 }).map((entries) => {
      const items = Object.entries(entries).map(([key, value]) => `${key} = ${value}`);
      return `{ ${items.join(', ')} }`;
    }),
  ),
}));

test('literals have the values that the reference implementation gives them', async () => {
  const texts = fc.sample(literal, { seed: 20_240_609, numRuns: 400 });
  const source = texts.map((text, index) => `a${index} = ${text}\n`).join('');
  const theirs: unknown = await parse('generated.tf', source);
  const { body, diagnostics } = parseHcl(source);
  expect(diagnostics).toEqual([]);
  expect(body.attributes).toHaveLength(texts.length);
  const ours = body.attributes.map(({ name, expression }) => [name, toPlain(evaluate(expression, SCOPE).value)] as const);
  expect(Object.fromEntries(ours)).toEqual(theirs);
});
