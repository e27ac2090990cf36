import { describe, expect, test } from 'vitest';
import {
  parseExpression,
  traversalOf,
  variablesOf,
  type Traversal,
} from '../../../../../src/bach/model/hcl/syntax/index.ts';

describe('an expression as a reference', () => {
  test.each([
    ['shell', 'shell'],
    ['shell.build-release', 'shell .build-release'],
    ['a["b"].c[0]', 'a [b] .c [0]'],
    ['a.0.b', 'a [0] .b'],
    ['a . b', 'a .b'],
    ['a["x\\ty"]', 'a [x\ty]'],
    ['a[""]', 'a []'],
  ])('%j', (text, reference) => {
    expect(written(traversalOf(parseExpression(text).expression))).toBe(reference);
  });

  test.each([
    '1',
    '"a"',
    'true',
    'a + b',
    'f(a)',
    'f(a).b',
    '(a).b',
    'a[b]',
    'a[b].c',
    'a["x${y}"]',
    'a[*]',
    'a.*.b',
    '[a]',
    '-a',
    '{ a = b }',
    'a ? b : c',
    '"${a}"',
    'null.a',
  ])('%j is none', (text) => {
    expect(traversalOf(parseExpression(text).expression)).toBeUndefined();
  });

  test('knows where each step stands', () => {
    expect(traversalOf(parseExpression('shell.build["x"]').expression)).toEqual({
      root: 'shell',
      rootSpan: { start: 0, end: 5 },
      steps: [
        { kind: 'attribute', name: 'build', start: 5, end: 11 },
        { kind: 'index', key: { type: 'string', text: 'x' }, start: 11, end: 16 },
      ],
      start: 0,
      end: 16,
    });
  });

  test('tells a number from a text in brackets', () => {
    expect(traversalOf(parseExpression('a[0]["0"]').expression)?.steps).toMatchObject([
      { key: { type: 'number', text: '0' } },
      { key: { type: 'string', text: '0' } },
    ]);
  });
});

describe('what an expression reads', () => {
  test.each([
    ['1', []],
    ['a', ['a']],
    ['a.b[0].c', ['a .b [0] .c']],
    ['a + b.c * -d', ['a', 'b .c', 'd']],
    ['a[b.c].d', ['a', 'b .c']],
    ['a ? b : c', ['a', 'b', 'c']],
    ['f(a, [b, { c = d, (e) = 1, "${g}" = 2 }]...)', ['a', 'b', 'd', 'e', 'g']],
    ['{ a.b = c }', ['a .b', 'c']],
    ['"x${a}%{ if b }${c}%{ else }${d}%{ endif }"', ['a', 'b', 'c', 'd']],
    ['"${a.b}"', ['a .b']],
    ['<<E\n${a}\nE\n', ['a']],
    ['a[*].b[c]', ['a', 'c']],
    ['a.b.*.c[d]', ['a .b', 'd']],
    ['a[*].b[*].c[d]', ['a', 'd']],
    ['f(a).b', ['a']],
    ['a + a', ['a', 'a']],
    // Names that a loop binds are its own, inside it.
    ['[for a in b : a]', ['b']],
    ['[for a in a : a]', ['a']],
    ['[for k, v in b : "${k}${v.c}${d}" if k != e]', ['b', 'd', 'e']],
    ['{for k, v in b : k => [v, c]}', ['b', 'c']],
    ['[for a in b : [for c in a : c.d + a + e]]', ['b', 'e']],
    ['[[for a in b : a], a]', ['b', 'a']],
    ['"%{ for a in b }${a}${c}%{ endfor }${a}"', ['b', 'c', 'a']],
    ['"%{ for k, v in b }%{ if k }${v[w]}%{ endif }%{ endfor }"', ['b', 'w']],
    ['[for a in b : a[c]]', ['b', 'c']],
  ])('%j', (text, reads) => {
    const { expression, diagnostics } = parseExpression(text);
    expect(diagnostics).toEqual([]);
    expect(variablesOf(expression).map(written)).toEqual(reads);
  });
});

function written(traversal: Traversal | undefined): string | undefined {
  if (traversal === undefined) return undefined;
  const steps = traversal.steps.map((step) => (step.kind === 'attribute' ? `.${step.name}` : `[${step.key.text}]`));
  return [traversal.root, ...steps].join(' ');
}
