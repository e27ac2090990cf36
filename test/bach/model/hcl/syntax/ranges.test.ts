import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Attribute, Block, Body, Expression, Span } from '../../../../../src/bach/model/hcl/index.ts';
import { parseExpression, parseHcl } from '../../../../../src/bach/model/hcl/syntax/index.ts';
import { soundFile } from '../../../../support/hcl/generator.ts';
import { expressionsIn, isSpan, movedTo } from '../../../../support/hcl/trees.ts';

const OPTIONS = { seed: 20_260_415, numRuns: 100 };

/** A heredoc needs the newline behind its marker, which is not part of it. */
const END = '\n';

describe('the text cut at the range of a node', () => {
  test('is the same expression', () => {
    fc.assert(
      fc.property(soundFile, (text) => {
        for (const node of expressionsIn(parseHcl(text).body)) {
          const again = parseExpression(cut(text, node) + END);
          expect(again.diagnostics).toEqual([]);
          expect(again.expression).toEqual(movedTo<Expression>(node, node.start));
        }
      }),
      OPTIONS,
    );
  });

  test('is the same attribute', () => {
    fc.assert(
      fc.property(soundFile, (text) => {
        for (const node of attributesIn(parseHcl(text).body)) {
          const again = parseHcl(cut(text, node) + END);
          expect(again.diagnostics).toEqual([]);
          expect(again.body.attributes).toEqual([movedTo<Attribute>(node, node.start)]);
        }
      }),
      OPTIONS,
    );
  });

  test('is the same block', () => {
    fc.assert(
      fc.property(soundFile, (text) => {
        for (const node of blocksIn(parseHcl(text).body)) {
          const again = parseHcl(cut(text, node) + END);
          expect(again.diagnostics).toEqual([]);
          expect(again.body.blocks).toEqual([movedTo<Block>(node, node.start)]);
        }
      }),
      OPTIONS,
    );
  });

  test('is the name, the label or the marks that the range belongs to', () => {
    fc.assert(
      fc.property(soundFile, (text) => {
        const { body } = parseHcl(text);
        for (const { name, nameSpan } of attributesIn(body)) expect(cut(text, nameSpan)).toBe(name);
        for (const { type, typeSpan, header, labels, body: inner } of blocksIn(body)) {
          expect(cut(text, typeSpan)).toBe(type);
          expect(header).toEqual({ start: typeSpan.start, end: labels.at(-1)?.end ?? typeSpan.end });
          for (const label of labels) expect(cut(text, label).startsWith('"')).toBe(label.quoted);
          expect(cut(text, inner)).toMatch(/^\{.*\}$/s);
        }
      }),
      OPTIONS,
    );
  });
});

test('ranges lie within those of their parents, and the whole file holds them all', () => {
  fc.assert(
    fc.property(soundFile, (text) => {
      const { body } = parseHcl(text);
      expect(body).toMatchObject({ start: 0, end: text.length });
      expectNested(body);
    }),
    OPTIONS,
  );
});

/** Every span below a node lies within it. */
function expectNested(node: unknown, outer?: Span): void {
  if (typeof node !== 'object' || node === null) return;
  const own = isSpan(node) ? node : outer;
  if (own !== undefined && outer !== undefined) {
    expect(own.start).toBeGreaterThanOrEqual(outer.start);
    expect(own.end).toBeLessThanOrEqual(outer.end);
  }
  for (const child of Object.values(node)) expectNested(child, own);
}

function attributesIn({ attributes, blocks }: Body): readonly Attribute[] {
  return [...attributes, ...blocks.flatMap(({ body }) => attributesIn(body))];
}

function blocksIn({ blocks }: Body): readonly Block[] {
  return [...blocks, ...blocks.flatMap(({ body }) => blocksIn(body))];
}

function cut(text: string, { start, end }: Span): string {
  return text.slice(start, end);
}
