import { describe, expect, test } from 'vitest';
import {
  parseExpression,
  parseHcl,
  parseTemplate,
  variablesOf,
} from '../../../../../src/bach/model/hcl/syntax/index.ts';
import { heightOf } from '../../../../support/hcl/trees.ts';

const DEEP = 10_000;

/** Characters; at this size a square would already take minutes. */
const HOSTILE = 300_000;

interface Nest {
  readonly name: string;
  readonly open: string;
  readonly close: string;
  /** Where in `open` the bracket stands that is reported. */
  readonly at: number;
}

const NESTS: readonly Nest[] = [
  { name: 'parentheses', open: '(', close: ')', at: 0 },
  { name: 'tuples', open: '[', close: ']', at: 0 },
  { name: 'objects', open: '{a=', close: '}', at: 0 },
  { name: 'calls', open: 'f(', close: ')', at: 1 },
  { name: 'indexes', open: 'x[', close: ']', at: 1 },
  { name: 'comprehensions', open: '[for x in ', close: ':x]', at: 0 },
  { name: 'object comprehensions', open: '{for x in ', close: ':x=>x}', at: 0 },
  { name: 'interpolations', open: '"${', close: '}"', at: 1 },
  { name: 'heredocs', open: '<<E\n${', close: '}\nE\n', at: 4 },
  { name: 'middles of conditionals', open: 'x?', close: ':x', at: 1 },
];

describe('nesting', () => {
  test.each(NESTS)('of $name goes 200 deep', ({ open, close }) => {
    const { expression, diagnostics } = parseExpression(`${open.repeat(200)}1${close.repeat(200)}`);
    expect(diagnostics).toEqual([]);
    expect(heightOf(expression)).toBeGreaterThan(200);
  });

  test.each(NESTS)('of $name is one error at the 201st opener', ({ open, close, at }) => {
    for (const depth of [201, DEEP]) {
      for (const text of [`a=${open.repeat(depth)}1${close.repeat(depth)}\n`, `a=${open.repeat(depth)}`]) {
        const { diagnostics } = parseHcl(text);
        expect(diagnostics).toMatchObject([{ summary: 'Nesting too deep' }]);
        expect(diagnostics[0]?.span.start).toBe(2 + 200 * open.length + at);
      }
    }
  });

  test('of blocks goes 200 deep, and is one error at the next brace', () => {
    const nested = (depth: number): string => 'a {\n'.repeat(depth) + '}\n'.repeat(depth);
    expect(parseHcl(nested(200)).diagnostics).toEqual([]);
    for (const text of [nested(201), nested(DEEP), 'a {\n'.repeat(DEEP)]) {
      const { diagnostics } = parseHcl(text);
      expect(diagnostics).toMatchObject([{ summary: 'Nesting too deep', span: { start: 802, end: 803 } }]);
    }
  });

  test('counts blocks and brackets together', () => {
    const text = (depth: number): string => `${'a {\n'.repeat(100)}b=${'['.repeat(depth)}${']'.repeat(depth)}\n${'}\n'.repeat(100)}`;
    expect(parseHcl(text(100)).diagnostics).toEqual([]);
    expect(parseHcl(text(101)).diagnostics).toMatchObject([{ summary: 'Nesting too deep', span: { start: 502 } }]);
  });

  test('of directives goes 200 deep, and is one error at the next', () => {
    const nested = (depth: number): string => `a="${'%{if x}'.repeat(depth)}${'%{endif}'.repeat(depth)}"\n`;
    expect(parseHcl(nested(200)).diagnostics).toEqual([]);
    for (const depth of [201, DEEP]) {
      expect(parseHcl(nested(depth)).diagnostics).toMatchObject([
        { summary: 'Nesting too deep', span: { start: 3 + 200 * '%{if x}'.length } },
      ]);
    }
  });

  test('of splats goes 200 deep, and is one error at the next', () => {
    expect(parseHcl(`a=x${'[*]'.repeat(200)}`).diagnostics).toEqual([]);
    for (const depth of [201, DEEP]) {
      expect(parseHcl(`a=x${'[*]'.repeat(depth)}`).diagnostics).toMatchObject([
        { summary: 'Nesting too deep', span: { start: 3 + 200 * 3 + 1 } },
      ]);
    }
  });

  test('does not add up over siblings', () => {
    const item = '['.repeat(150) + ']'.repeat(150);
    expect(parseHcl(`a = [${`${item},`.repeat(300)}]\nb = ${item}\nc {\n  d = ${item}\n}\n`).diagnostics).toEqual([]);
  });

  test('is bounded in expressions and templates that stand alone', () => {
    expect(parseExpression('('.repeat(DEEP)).diagnostics).toMatchObject([{ span: { start: 200 } }]);
    expect(parseTemplate('${"'.repeat(DEEP)).diagnostics).toMatchObject([{ span: { start: 600 } }]);
  });
});

describe('a chain without brackets', () => {
  const chains: readonly (readonly [name: string, make: (links: number) => string])[] = [
    ['of operators', (links) => `1${'+1'.repeat(links)}`],
    ['of mixed operators', (links) => `1${'*1+1'.repeat(links / 2)}`],
    ['of negations', (links) => `${'!'.repeat(links)}x`],
    ['of signs', (links) => `${'-!'.repeat(links / 2)}x`],
    ['of attributes', (links) => `x${'.y'.repeat(links)}`],
    ['of indexes', (links) => `x${'[0]'.repeat(links)}`],
    ['of legacy indexes', (links) => `x${'.0.y'.repeat(links / 2)}`],
    ['of splats', (links) => `x${'.*[0]'.repeat(links / 2)}`],
    ['of conditionals', (links) => `${'x?y:'.repeat(links)}z`],
  ];

  test.each(chains)('%s may be long', (_, make) => {
    const { expression, diagnostics } = parseExpression(make(900));
    expect(diagnostics).toEqual([]);
    expect(heightOf(expression)).toBeGreaterThan(400);
    expect(heightOf(expression)).toBeLessThanOrEqual(1000);
  });

  test.each(chains)('%s is one error when it is too long', (_, make) => {
    for (const links of [2500, 10_000]) {
      const { expression, diagnostics } = parseExpression(make(links));
      expect(diagnostics).toMatchObject([{ severity: 'error', summary: 'Expression too deep' }]);
      expect(expression.kind).toBe('invalid');
    }
  });

  test('of 100,000 links is one error, too, and so is one that nothing ends', () => {
    expect(parseExpression(`${'!'.repeat(100_000)}x`).diagnostics).toMatchObject([{ summary: 'Expression too deep' }]);
    expect(parseExpression('!'.repeat(100_000)).diagnostics).toMatchObject([{ summary: 'Missing expression' }]);
    expect(parseExpression('1+'.repeat(100_000)).diagnostics).toMatchObject([{ summary: 'Missing expression' }]);
  });

  test('is counted together with the brackets around it', () => {
    const chain = `1${'+1'.repeat(900)}`;
    expect(parseExpression(`${'('.repeat(90)}${chain}${')'.repeat(90)}`).diagnostics).toEqual([]);
    expect(parseExpression(`${'('.repeat(150)}${chain}${')'.repeat(150)}`).diagnostics).toMatchObject([
      { summary: 'Expression too deep' },
    ]);
  });

  test('is counted for itself in each attribute and each item', () => {
    const chain = `1${'+1'.repeat(900)}`;
    expect(parseHcl(`a = ${chain}\nb = ${chain}\nc = [${chain}, ${chain}]\n`).diagnostics).toEqual([]);
  });

  test('as tall as it may be can be walked by recursion', () => {
    const { expression } = parseExpression(`${'('.repeat(190)}x${'.y'.repeat(780)}${')'.repeat(190)}`);
    expect(variablesOf(expression)).toHaveLength(1);
  });
});

describe('a large text', () => {
  /** Takes seconds where the machine is busy, because of its size. */
  test('of 16 MB loads', () => {
    const count = 200_000;
    const lines = Array.from({ length: count }, (_, index) => `name_${index} = ["value ${index}", var.x] # ${'.'.repeat(40)}\n`);
    const text = lines.join('');
    expect(text.length).toBeGreaterThan(15_000_000);
    const { body, diagnostics, source } = parseHcl(text);
    expect(diagnostics).toEqual([]);
    expect(body.attributes).toHaveLength(count);
    expect(source.position(text.length)).toEqual({ line: count + 1, column: 1, byte: text.length });
  });

  /** Read in time that grows with the square of the length, these would run into the limit for a test. */
  test.each([
    '"',
    'a="\n',
    '"${',
    '<<E\n',
    'a=<<E\n',
    '/* ',
    '1..',
    '[',
    '}',
    'a b ',
    '\n',
    'a=[\n',
    '"$',
    'é',
    '\u0301',
    '\r',
    'a{}\n',
    'a=x[1 2\n',
    'a=1\n',
    'a "x" ',
    '[for ',
    'a="${x\n',
    '%{if x}',
    'a=<<-E\n  x\n',
  ])('of %j again and again is read in one go', (unit) => {
    const { diagnostics, source } = parseHcl(unit.repeat(Math.ceil(HOSTILE / unit.length)));
    expect(diagnostics.length).toBeLessThanOrEqual(100);
    for (const { span } of diagnostics) source.range(span);
  });

  test.each([
    ['brackets that do not match', '[)'.repeat(4 * HOSTILE)],
    ['digits', `a=${'1'.repeat(HOSTILE)}e5`],
    ['escapes', `a="${'\\n'.repeat(HOSTILE)}"`],
    ['wrong escapes', `a="${'\\q'.repeat(HOSTILE)}"`],
    ['interpolations', `a="${'${x} '.repeat(HOSTILE / 5)}"`],
    ['items', `a=[${'1,'.repeat(HOSTILE / 2)}]`],
    ['spaces before a strip marker', `a="${' '.repeat(HOSTILE)}\${~ x}"`],
    ['newlines in open brackets', `a=${'('.repeat(190)}${'\n'.repeat(HOSTILE)}`],
    ['stripped lines', `a=<<E\n${' x ${~ 1 ~} \n'.repeat(HOSTILE / 15)}E\n`],
    ['one line with a wide character', `a="${'é'.repeat(HOSTILE)}" b`],
  ])('of %s is read in one go', (_, text) => {
    const { diagnostics, source } = parseHcl(text);
    for (const { span } of diagnostics) expect(source.range(span).start.line).toBeGreaterThan(0);
  });
});
