import type { Expression, Span } from '../ast.ts';

export type TraversalStep =
  | (Span & { readonly kind: 'attribute'; readonly name: string })
  /** A key written as a number has `number` with its digits as written, one in quotes `string`. */
  | (Span & { readonly kind: 'index'; readonly key: { readonly type: 'string' | 'number'; readonly text: string } });

/** A name and constant steps from it: `shell.build-release`, `a["b"].c[0]`. */
export interface Traversal extends Span {
  readonly root: string;
  readonly rootSpan: Span;
  readonly steps: readonly TraversalStep[];
}

/** An expression read as a reference, without evaluating it; undefined where it is anything else. */
export function traversalOf(expression: Expression): Traversal | undefined {
  const steps: TraversalStep[] = [];
  let at = expression;
  while (at.kind === 'get-attribute' || at.kind === 'index') {
    const step = stepOf(at);
    if (step === undefined) return undefined;
    steps.push(step);
    at = at.target;
  }
  if (at.kind !== 'variable') return undefined;
  const { start, end } = at;
  return { root: at.name, rootSpan: { start, end }, steps: steps.reverse(), start, end: expression.end };
}

function stepOf(expression: Extract<Expression, { kind: 'get-attribute' | 'index' }>): TraversalStep | undefined {
  const span = { start: expression.target.end, end: expression.end };
  if (expression.kind === 'get-attribute') return { kind: 'attribute', name: expression.name, ...span };
  const key = constantKey(expression.key);
  return key === undefined ? undefined : { kind: 'index', key, ...span };
}

function constantKey(key: Expression): { readonly type: 'string' | 'number'; readonly text: string } | undefined {
  if (key.kind === 'number') return { type: 'number', text: key.text };
  if (key.kind !== 'template') return undefined;
  const texts = key.parts.map((part) => (part.kind === 'text' ? part.value : undefined));
  return texts.includes(undefined) ? undefined : { type: 'string', text: texts.join('') };
}
