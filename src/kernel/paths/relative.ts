import { partsOf } from './clean.ts';

/**
 * How to reach `target` from the folder `base`, cleaned, as Go's `filepath.Rel` gives it; `.` when they are the same.
 * Returns `undefined` where the texts alone cannot tell: one is absolute and the other is not, or `base` climbs
 * above the place that both start from.
 *
 * @example
 * relativePath('/house/a', '/house/b/c'); // '../b/c'
 */
export function relativePath(base: string, target: string): string | undefined {
  if (base.startsWith('/') !== target.startsWith('/')) return undefined;
  const from = partsOf(base);
  const to = partsOf(target);
  const shared = sharedLength(from, to);
  if (from[shared] === '..') return undefined;
  const steps = [...from.slice(shared).map(() => '..'), ...to.slice(shared)];
  return steps.length === 0 ? '.' : steps.join('/');
}

function sharedLength(a: readonly string[], b: readonly string[]): number {
  const different = a.findIndex((part, index) => part !== b[index]);
  return different < 0 ? a.length : different;
}
