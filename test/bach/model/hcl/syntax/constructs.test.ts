import { describe, expect, test } from 'vitest';
import type { Body } from '../../../../../src/bach/model/hcl/index.ts';
import { parseExpression, parseHcl, parseTemplate } from '../../../../../src/bach/model/hcl/syntax/index.ts';
import { shapeOf } from '../../../../support/hcl/shape.ts';
import { EXPRESSIONS } from '../../../../support/hcl/sound-expressions.ts';

describe('expressions', () => {
  test.each(EXPRESSIONS)('%j', (text, shape) => {
    const { expression, diagnostics } = parseExpression(text);
    expect(diagnostics).toEqual([]);
    expect(shapeOf(expression)).toBe(shape);
  });

  test('keep what is written', () => {
    expect(parseExpression('1.50e+3').expression).toMatchObject({ kind: 'number', text: '1.50e+3' });
    expect(parseExpression('true').expression).toMatchObject({ kind: 'boolean', value: true });
    expect(parseExpression('a.0').expression).toMatchObject({ kind: 'index', form: 'legacy', key: { text: '0' } });
    expect(parseExpression('a[0]').expression).toMatchObject({ kind: 'index', form: 'brackets' });
    expect(parseExpression('a.*').expression).toMatchObject({ kind: 'splat', form: 'attribute' });
    expect(parseExpression('a[*]').expression).toMatchObject({ kind: 'splat', form: 'full' });
    expect(parseExpression('{ null = 1 }').expression).toMatchObject({
      items: [{ literalKey: true, key: { kind: 'variable', name: 'null' } }],
    });
  });

  test('say where their names stand', () => {
    expect(parseExpression('a . b').expression).toMatchObject({ nameSpan: { start: 4, end: 5 }, start: 0, end: 5 });
    expect(parseExpression('a::b (c)').expression).toMatchObject({ nameSpan: { start: 0, end: 4 }, start: 0, end: 8 });
    expect(parseExpression('a[*] . b').expression).toMatchObject({
      each: [{ kind: 'attribute', name: 'b', nameSpan: { start: 7, end: 8 }, start: 5, end: 8 }],
    });
  });

  test('bring names into one form, as strings are', () => {
    expect(parseExpression('cafe\u0301.e\u0301').expression).toMatchObject({ name: 'é', target: { name: 'café' } });
    expect(parseExpression('[for e\u0301 in a : e\u0301]').expression).toMatchObject({ valueName: 'é' });
    expect(parseExpression('"e\u0301"').expression).toMatchObject({ parts: [{ value: 'é' }] });
    expect(parseExpression('e\u0301(1)').expression).toMatchObject({ kind: 'call', name: 'é' });
  });
});

describe('templates that are a whole text', () => {
  test('have text, sequences and no escapes', () => {
    const { expression, diagnostics } = parseTemplate('a "quoted" \\n\n${b} $${c} 100%');
    expect(diagnostics).toEqual([]);
    expect(expression).toMatchObject({
      kind: 'template',
      form: 'bare',
      parts: [
        { kind: 'text', value: 'a "quoted" \\n\n' },
        { kind: 'interpolation', expression: { kind: 'variable', name: 'b' } },
        { kind: 'text', value: ' ${c} 100%' },
      ],
      start: 0,
      end: 29,
    });
  });

  test('are the value itself where one interpolation is all there is', () => {
    expect(shapeOf(parseTemplate('${a}').expression)).toBe('(wrap $a)');
    expect(shapeOf(parseTemplate('').expression)).toBe('(text)');
    expect(shapeOf(parseTemplate('%{ if a }${b}%{ endif }').expression)).toBe('(text (? $a (text $b) (text)))');
  });

  test.each([
    ['${a', 'Unclosed template interpolation sequence'],
    ['${a b}', 'Extra characters after interpolation expression'],
    ['%{ if a }', 'Unexpected end of template'],
    ['%{ nope }', 'Invalid template control keyword'],
  ])('report %j', (text, summary) => {
    expect(parseTemplate(text).diagnostics.map((each) => each.summary)).toEqual([summary]);
  });
});

describe('bodies', () => {
  test.each([
    ['', ''],
    ['\n\n# only a comment', ''],
    ['a = 1', 'a'],
    ['a = 1\nb=2\n', 'a b'],
    ['a = 1 # one\nb = 2 // two\n/* three */ c = 3\n', 'a b c'],
    ['a = 1 /* one\n two */\nb = 2', 'a b'],
    ['for = 1\nnull = 2\n', 'for null'],
    ['\ta\t=\t1\r\nb = 2\r\n', 'a b'],
    ['b {}', 'b{}'],
    ['b {\n}\n', 'b{}'],
    ['b { # c\n}\n', 'b{}'],
    ['b { a = 1 }\n', 'b{a}'],
    ['b { a = [\n1\n] }', 'b{a}'],
    ['b {\n  a = 1\n  c {\n    d = 2\n  }\n}\n', 'b{a c{d}}'],
    ['b one "two" three-3 {}', 'b:one:two:three-3{}'],
    ['b"x"{}', 'b:x{}'],
    ['a = <<E\nx\nE\nb = 2\n', 'a b'],
    ['b {\n  a = <<-E\n    x\n  E\n}\n', 'b{a}'],
    ['a = {\n  b = <<E\nx\nE\n  c = 1\n}\n', 'a'],
  ])('%j', (text, outline) => {
    const { body, diagnostics } = parseHcl(text);
    expect(diagnostics).toEqual([]);
    expect(outlineOf(body)).toBe(outline);
  });

  test('have labels as text, with their form', () => {
    const { body } = parseHcl('b "a\\tb\\u00e9" "$${x} %%{y}" "e\u0301" word {}');
    expect(body.blocks[0]?.labels.map(({ value, quoted }) => [value, quoted])).toEqual([
      ['a\tbé', true],
      ['${x} %{y}', true],
      ['é', true],
      ['word', false],
    ]);
  });

  test('say where their parts stand', () => {
    const text = '\nblock "a" b {\n  name = x + y\n}\n';
    const block = parseHcl(text).body.blocks[0];
    const [attribute] = block?.body.attributes ?? [];
    const cut = ({ start, end }: { start: number; end: number }): string => text.slice(start, end);
    expect(block && cut(block)).toBe('block "a" b {\n  name = x + y\n}');
    expect(block && cut(block.header)).toBe('block "a" b');
    expect(block && cut(block.typeSpan)).toBe('block');
    expect(block?.labels.map(cut)).toEqual(['"a"', 'b']);
    expect(block && cut(block.body)).toBe('{\n  name = x + y\n}');
    expect(attribute && cut(attribute)).toBe('name = x + y');
    expect(attribute && cut(attribute.nameSpan)).toBe('name');
    expect(attribute && cut(attribute.expression)).toBe('x + y');
    expect(parseHcl(text).body).toMatchObject({ start: 0, end: text.length });
  });

  test('take a byte-order mark at the start of the file, and nowhere else', () => {
    expect(parseHcl('\ufeffa = 1').diagnostics).toEqual([]);
    expect(parseHcl('\ufeffa = 1').body.attributes[0]?.start).toBe(1);
    expect(parseHcl('a = \ufeff1').diagnostics).toHaveLength(1);
  });

  test('know one attribute under two spellings of its name', () => {
    const { diagnostics } = parseHcl('\u00e9 = 1\ne\u0301 = 2\n');
    expect(diagnostics.map(({ summary }) => summary)).toEqual(['Attribute redefined']);
  });
});

function outlineOf({ attributes, blocks }: Body): string {
  const names = attributes.map(({ name }) => name);
  const inner = blocks.map(({ type, labels, body }) => {
    const head = [type, ...labels.map(({ value }) => value)].join(':');
    return `${head}{${outlineOf(body)}}`;
  });
  return [...names, ...inner].join(' ');
}
