import type { Expression, Span } from '../ast.ts';
import { childrenOf } from './children.ts';

/** Where a tree passes `limit` levels, found without recursion; undefined where it does not. */
export function exceedsHeight(root: Expression, limit: number): Span | undefined {
  let level: readonly Expression[] = [root];
  for (let depth = 1; level.length > 0; depth += 1) {
    if (depth > limit) return level[0];
    level = level.flatMap((expression) => childrenOf(expression));
  }
  return undefined;
}
