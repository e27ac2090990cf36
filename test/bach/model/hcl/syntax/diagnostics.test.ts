import { describe, expect, test } from 'vitest';
import { parseExpression, parseHcl } from '../../../../../src/bach/model/hcl/syntax/index.ts';
import { BROKEN } from '../../../../support/hcl/broken-texts.ts';

const TEXTS = Object.values(BROKEN).flatMap((rows) => rows.map(([text]) => text));

describe('the first error', () => {
  describe.each(Object.entries(BROKEN))('%s', (summary, rows) => {
    test.each(rows)('%j at %s', (text, place) => {
      const [first] = found(text);
      expect(first).toMatchObject({ place, summary });
    });
  });

  test('has a sentence that is its own', () => {
    const details = TEXTS.flatMap((text) => parseHcl(text).diagnostics.map(({ detail }) => detail));
    expect(details.filter((detail) => !/^\S.*\.$/s.test(detail))).toEqual([]);
  });
});

describe('the sentence of an error', () => {
  test.each([
    ['a = ', 'Found the end of the file where an expression must start.'],
    ['a = ]', 'Found "]" where an expression must start.'],
    ['a = \n', 'Found a newline where an expression must start.'],
    ['a = f(1 2)', 'Found "2" where "," or ")" is expected.'],
    ['a = 1\na = 2', 'The argument "a" is set twice here; keep one.'],
    ['a = x.0.1', '".0.1" could be two indexes or one; write [0][1].'],
    ['a = 1 & 2', 'There are no bitwise operators, so "&" has no meaning. Logic is written "&&".'],
    ['a = \u0007', 'The character U+0007 has no meaning here.'],
    ['a = \u20ac', 'The character "€" (U+20AC) has no meaning here.'],
    ['a = \u201cx\u201d', 'Curly quotes quote nothing; strings stand in straight ones (").'],
    ["a = 'x'", 'An apostrophe quotes nothing; strings stand in double quotes (").'],
    ['a "${b}" {}', 'Found "${" where a label holds nothing but text; "$${" and "%%{" stand for "${" and "%{".'],
    ['a = "\\u12"', '"\\u12" must have 4 hexadecimal digits.'],
    ['a = "\\ud800"', '"\\ud800" is not a character that a text can hold.'],
    ['a = %', 'Found "%" where an expression must start.'],
    [`a = b ${'c'.repeat(100)}`, `Found "${'c'.repeat(20)}" where a newline must end the argument.`],
  ])('%j', (text, detail) => {
    expect(parseHcl(text).diagnostics[0]?.detail).toBe(detail);
  });

  test('says what follows an expression that was meant to be all', () => {
    expect(parseExpression('a b').diagnostics).toEqual([
      {
        severity: 'error',
        summary: 'Extra characters after expression',
        detail: 'Found "b" behind the end of the expression.',
        span: { start: 2, end: 3 },
      },
    ]);
  });
});

describe('a file with several errors', () => {
  test.each([
    ['an error in each of three lines', 'a = ]\nb = 1\nc = 1 2\nd = )\n', ['1:5', '3:7', '4:5']],
    ['a broken item between sound ones', 'a = 1\n= 2\nb = f(\n1 2\n)\nc = x y\n', ['2:1', '4:3', '6:7']],
    ['errors inside a block and behind it', 'a {\n  b = ]\n  c = \n}\nd = *\n', ['2:7', '3:7', '5:5']],
    ['a bracket that the end of its block leaves open', 'a {\n  b = [1, 2\n  c = 3\n}\nd = ]\n', ['3:3', '5:5']],
    ['a call that the end of its block leaves open', 'a {\n  b = f(1\n}\nd = ]\n', ['3:1', '4:5']],
    ['an object over several lines', 'a = {\n  b = 1\n  c 2\n  d = [\n}\ne = ]\n', ['3:5', '6:5']],
    ['a block in one line', 'a { b = ] }\nc = ]\n', ['1:9', '2:5']],
    ['two arguments in one line', 'a { b = 1, c = 2 }\nd = ]\n', ['1:10', '2:5']],
    ['a block without a brace', 'a b\nc = ]\n', ['1:4', '2:5']],
    ['a brace too many', 'a = 1\n}\nb = ]\n', ['2:1', '3:5']],
    ['an escape and a missing newline', 'a = "\\q" b\nc = "\\w"\n', ['1:6', '1:10', '2:6']],
    ['a quoted name', '"a" = 1\nb = ]\n', ['1:1', '2:5']],
    ['a heredoc behind an error', 'a = ] <<E\nb = ]\nE\nc = ]\n', ['1:5', '4:5']],
    ['an interpolation that goes wrong', 'a = "x ${1 2} y"\nb = ]\n', ['1:12', '2:5']],
    ['a directive that goes wrong', 'a = "%{ if x y }${]}%{ endif }"\nb = ]\n', ['1:14', '2:5']],
    ['a name set three times', 'a = 1\na = 2\na = 3\n', ['2:1', '3:1']],
  ])('%s', (_, text, places) => {
    expect(found(text).map(({ place }) => place)).toEqual(places);
  });

  test('keeps what is sound', () => {
    const { body } = parseHcl('a = 1\nb = ]\nc {\n  d = 2\n  e = f(\n}\ng {}\n');
    expect(body.attributes.map(({ name }) => name)).toEqual(['a', 'b']);
    expect(body.blocks.map(({ type }) => type)).toEqual(['c', 'g']);
    expect(body.blocks[0]?.body.attributes.map(({ name, expression }) => [name, expression.kind])).toEqual([
      ['d', 'number'],
      ['e', 'call'],
    ]);
  });

  test('keeps the first of two attributes with one name', () => {
    const { body } = parseHcl('a = 1\na = true\n');
    expect(body.attributes.map(({ expression }) => expression.kind)).toEqual(['number']);
  });

  test('keeps both indexes of the form that is refused', () => {
    expect(parseHcl('a = x.0.1').body.attributes[0]?.expression).toMatchObject({
      kind: 'index',
      key: { text: '1' },
      target: { kind: 'index', key: { text: '0' } },
    });
  });

  test('reports a character once, and not again as a missing expression', () => {
    expect(found("a = 'x'\nb = 'y'\n").map(({ place, summary }) => [place, summary])).toEqual([
      ['1:5', 'Invalid character'],
      ['2:5', 'Invalid expression'],
    ]);
  });

  test('says nothing about what stands behind a quote that its line does not close', () => {
    const text = 'a = ]\nb = "x\nc = "y"\nd = ]\ne = "z"\n';
    expect(found(text).map(({ place, summary }) => [place, summary])).toEqual([
      ['2:7', 'Invalid multi-line string'],
      ['1:5', 'Invalid expression'],
    ]);
  });

  test('stops after a hundred', () => {
    expect(parseHcl('a = ]\n'.repeat(500)).diagnostics).toHaveLength(100);
    expect(parseHcl('a = 1\n'.repeat(500)).diagnostics).toHaveLength(100);
    const characters = Array.from({ length: 300 }, (_, index) => String.fromCodePoint(0x2190 + index)).join('');
    expect(parseHcl(characters).diagnostics).toHaveLength(100);
  });
});

interface Found {
  readonly place: string;
  readonly summary: string;
}

function found(text: string): readonly Found[] {
  const { diagnostics, source } = parseHcl(text);
  return diagnostics.map(({ summary, span }) => {
    const { line, column } = source.position(span.start);
    return { place: `${line}:${column}`, summary };
  });
}
