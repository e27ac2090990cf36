import type { Body } from '../ast.ts';

/** The same tree with all its offsets moved: for a text that stands behind others. */
export function movedBody(body: Body, by: number): Body {
  return by === 0 ? body : (moved(body, by) as Body);
}

/** Every offset of the tree is a number named `start` or `end`, and nothing else is. */
function moved(node: unknown, by: number): unknown {
  if (Array.isArray(node)) return node.map((each) => moved(each, by));
  if (typeof node !== 'object' || node === null) return node;
  const copy: Record<string, unknown> = { ...node };
  for (const key in copy) {
    const value = copy[key];
    if (typeof value === 'object') copy[key] = moved(value, by);
    else if ((key === 'start' || key === 'end') && typeof value === 'number') copy[key] = value + by;
  }
  return copy;
}
