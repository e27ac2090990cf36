import { describe, expect, test } from 'vitest';
import { parseExpression } from '../../../../../src/bach/model/hcl/syntax/index.ts';

const LARGEST_EXPONENT = 2 ** 31 - 2;

describe('a number', () => {
  test.each([
    '0',
    '007',
    '1.50',
    '1.e5',
    '1E+05',
    '9'.repeat(5000),
    `0.${'0'.repeat(5000)}1`,
    `1e${LARGEST_EXPONENT}`,
    '0.1e2147483647',
    '1e-2147483649',
    '0e2147483650',
    '0.00e9223372036854775807',
  ])('%.30s is taken as it is written', (text) => {
    const { expression, diagnostics } = parseExpression(text);
    expect(diagnostics).toEqual([]);
    expect(expression).toEqual({ kind: 'number', text, start: 0, end: text.length });
  });

  test.each([
    '1..2',
    '1.2.3',
    '1e5.5',
    '1e5e5',
    '1.2e3.4e5',
    `1e${LARGEST_EXPONENT + 1}`,
    '8e2147483645',
    '1e-2147483650',
    '1e9999999999',
    '0e9223372036854775808',
    `${'9'.repeat(4000)}e2147483000`,
  ])('%.30s is refused', (text) => {
    const { expression, diagnostics } = parseExpression(text);
    expect(diagnostics).toMatchObject([{ summary: 'Invalid number literal', span: { start: 0, end: text.length } }]);
    expect(expression).toMatchObject({ kind: 'number', text });
  });

  test('is refused where it stands for an index, too', () => {
    expect(parseExpression('a.1e9999999999').diagnostics).toMatchObject([{ span: { start: 2, end: 14 } }]);
    expect(parseExpression('a[1e9999999999]').diagnostics).toMatchObject([{ span: { start: 2, end: 14 } }]);
    expect(parseExpression('a.*.b.1e9999999999').diagnostics).toMatchObject([{ span: { start: 6, end: 18 } }]);
  });

  test('that is refused leaves the rest of the file as it is', () => {
    const { diagnostics } = parseExpression('[1..2, 3, 4..5]');
    expect(diagnostics.map(({ span }) => span.start)).toEqual([1, 10]);
  });
});
