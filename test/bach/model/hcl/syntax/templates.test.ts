import { describe, expect, test } from 'vitest';
import { parseExpression } from '../../../../../src/bach/model/hcl/syntax/index.ts';
import { TEXTS } from '../../../../support/hcl/template-texts.ts';
import { plainText } from '../../../../support/hcl/trees.ts';

describe('the text of templates', () => {
  test.each(TEXTS)('%j', (source, text) => {
    const { expression, diagnostics } = parseExpression(source);
    expect(diagnostics).toEqual([]);
    expect(plainText(expression)).toBe(text);
  });

  test('stands in parts, each with its place', () => {
    const text = '"ab${c}$${d}"';
    const { expression } = parseExpression(text);
    const parts = expression.kind === 'template' ? expression.parts : [];
    expect(parts.map(({ start, end }) => text.slice(start, end))).toEqual(['ab', '${c}', '$${d}']);
  });

  test('of a heredoc is one part up to the next sequence', () => {
    const { expression } = parseExpression('<<E\na\nb\n${c}\nd\nE\n');
    expect(expression).toMatchObject({
      form: 'heredoc',
      parts: [{ value: 'a\nb\n' }, { kind: 'interpolation' }, { value: '\nd\n' }],
    });
  });

  test('leaves nothing of a part that a strip marker has emptied', () => {
    expect(parseExpression('"  ${~ a ~}  "').expression).toMatchObject({
      kind: 'template',
      parts: [{ kind: 'interpolation' }],
    });
  });
});

describe('directives', () => {
  test('hold the parts between their markers', () => {
    const { expression } = parseExpression('"x%{ if a }y%{ else }z%{ endif }"');
    expect(expression).toMatchObject({
      parts: [
        { kind: 'text', value: 'x' },
        { kind: 'template-if', condition: { name: 'a' }, whenTrue: [{ value: 'y' }], whenFalse: [{ value: 'z' }] },
      ],
    });
  });

  test('strip the lines that they stand on', () => {
    const { expression } = parseExpression('<<E\n%{ for k, v in a ~}\n- ${v}\n%{ endfor ~}\nend\nE\n');
    expect(expression).toMatchObject({
      parts: [
        {
          kind: 'template-for',
          keyName: 'k',
          valueName: 'v',
          body: [{ value: '- ' }, { kind: 'interpolation' }, { value: '\n' }],
        },
        { kind: 'text', value: 'end\n' },
      ],
    });
  });

  test('span from the first marker to the last', () => {
    const text = '"a%{ if b }%{ for c in d }x%{ endfor }%{ endif }e"';
    const { expression } = parseExpression(text);
    const outer = expression.kind === 'template' ? expression.parts[1] : undefined;
    const inner = outer?.kind === 'template-if' ? outer.whenTrue[0] : undefined;
    expect(outer && text.slice(outer.start, outer.end)).toBe('%{ if b }%{ for c in d }x%{ endfor }%{ endif }');
    expect(inner && text.slice(inner.start, inner.end)).toBe('%{ for c in d }x%{ endfor }');
  });
});
