import type { Expression, For, TemplateFor, TemplatePart } from '../ast.ts';
import { childrenOf } from './children.ts';
import { traversalOf, type Traversal } from './traversal-of.ts';

/** Every traversal that an expression reads, in source order. Names bound by a `for` are left out where they hold. */
export function variablesOf(expression: Expression): readonly Traversal[] {
  const found: Traversal[] = [];
  collect(expression, { found, bound: new Set() });
  return found;
}

interface Search {
  readonly found: Traversal[];
  readonly bound: ReadonlySet<string>;
}

function collect(expression: Expression, search: Search): void {
  const traversal = traversalOf(expression);
  if (traversal !== undefined) {
    if (!search.bound.has(traversal.root)) search.found.push(traversal);
    return;
  }
  if (expression.kind === 'for') return collectFor(expression, search);
  if (expression.kind === 'template') return collectParts(expression.parts, search);
  for (const child of childrenOf(expression)) collect(child, search);
}

function collectFor(expression: For, search: Search): void {
  collect(expression.collection, search);
  const inside = binding(expression, search);
  for (const child of childrenOf(expression).slice(1)) collect(child, inside);
}

function collectParts(parts: readonly TemplatePart[], search: Search): void {
  for (const part of parts) {
    if (part.kind === 'interpolation') collect(part.expression, search);
    if (part.kind === 'template-if') {
      collect(part.condition, search);
      collectParts(part.whenTrue, search);
      collectParts(part.whenFalse, search);
    }
    if (part.kind === 'template-for') {
      collect(part.collection, search);
      collectParts(part.body, binding(part, search));
    }
  }
}

function binding({ keyName, valueName }: For | TemplateFor, { found, bound }: Search): Search {
  const names = keyName === undefined ? [valueName] : [keyName, valueName];
  return { found, bound: new Set([...bound, ...names]) };
}
