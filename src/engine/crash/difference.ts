/** Says where two JSON values differ first, or nothing. */
export function firstDifference(expected: unknown, got: unknown, path = ''): string | undefined {
  if (isBranch(expected) && isBranch(got) && Array.isArray(expected) === Array.isArray(got)) {
    for (const key of new Set([...Object.keys(expected), ...Object.keys(got)])) {
      const difference = firstDifference(expected[key], got[key], path === '' ? key : `${path}.${key}`);
      if (difference !== undefined) return difference;
    }
    return undefined;
  }
  if (JSON.stringify(expected) === JSON.stringify(got)) return undefined;
  return `${path}: expected ${JSON.stringify(expected)}, got ${JSON.stringify(got)}`;
}

function isBranch(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}
