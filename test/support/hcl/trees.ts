import type { Body, Expression, Span, TemplatePart } from '../../../src/bach/model/hcl/index.ts';
import { childrenOf } from '../../../src/bach/model/hcl/syntax/children.ts';

/** An expression and all below it. */
export function allExpressions(root: Expression): readonly Expression[] {
  return [root, ...childrenOf(root).flatMap(allExpressions)];
}

/** Every expression in a body and in the blocks inside. */
export function expressionsIn(body: Body): readonly Expression[] {
  const own = body.attributes.flatMap(({ expression }) => allExpressions(expression));
  return [...own, ...body.blocks.flatMap((block) => expressionsIn(block.body))];
}

/** Every span in a value, whatever kind of node it belongs to, parents before children. */
export function spansIn(value: unknown): readonly Span[] {
  if (typeof value !== 'object' || value === null) return [];
  const own = isSpan(value) ? [value] : [];
  return [...own, ...Object.values(value).flatMap(spansIn)];
}

/** A copy in which every offset counts from `origin`. */
export function movedTo<Tree>(tree: Tree, origin: number): Tree {
  return JSON.parse(
    JSON.stringify(tree, (key, value: unknown) =>
      (key === 'start' || key === 'end') && typeof value === 'number' ? value - origin : value,
    ),
  ) as Tree;
}

/** The text of a template whose interpolations hold numbers only; undefined for any other expression. */
export function plainText(expression: Expression): string | undefined {
  if (expression.kind !== 'template') return undefined;
  const texts = expression.parts.map(partText);
  return texts.includes(undefined) ? undefined : texts.join('');
}

function partText(part: TemplatePart): string | undefined {
  if (part.kind === 'text') return part.value;
  return part.kind === 'interpolation' && part.expression.kind === 'number' ? part.expression.text : undefined;
}

/** The nesting of a tree, with every node counted that a recursive walk would enter. */
export function heightOf(root: Expression): number {
  let height = 0;
  for (let level = [root]; level.length > 0; height += 1) level = level.flatMap((each) => [...childrenOf(each)]);
  return height;
}

export function isSpan(value: object): value is Span {
  return 'start' in value && 'end' in value && typeof value.start === 'number' && typeof value.end === 'number';
}
