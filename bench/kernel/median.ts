/** The upper one of the two in the middle where their number is even; 0 of none. */
export function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0;
}
