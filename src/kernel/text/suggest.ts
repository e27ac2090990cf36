/** Longer words are no typing mistakes, and comparing them takes time that grows with the square. */
const MAX_WORD_LENGTH = 100;

/** The candidate closest to `word` by edit distance, or nothing when none is near. Ties go to the first. */
export function nearest(word: string, candidates: Iterable<string>): string | undefined {
  if (word.length > MAX_WORD_LENGTH) return undefined;
  // With every letter replaced nothing of the word is left to recognise.
  const limit = Math.min(Math.max(1, Math.floor(word.length / 3)), word.length - 1);
  let best: string | undefined;
  let bestDistance = limit + 1;
  for (const candidate of candidates) {
    if (Math.abs(candidate.length - word.length) >= bestDistance) continue;
    const distance = editDistance(word, candidate);
    if (distance >= bestDistance) continue;
    best = candidate;
    bestDistance = distance;
  }
  return best;
}

/** `; did you mean "x"?` or nothing. */
export function didYouMean(word: string, candidates: Iterable<string>): string {
  const found = nearest(word, candidates);
  return found === undefined ? '' : `; did you mean ${JSON.stringify(found)}?`;
}

/** Insertions, deletions, substitutions and swaps of neighbours, each one step. */
function editDistance(a: string, b: string): number {
  let beforeLast: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, column) => column);
  for (let row = 1; row <= a.length; row++) {
    const current = [row];
    for (let column = 1; column <= b.length; column++) {
      current.push(cheapest({ a, b, row, column, beforeLast, last, current }));
    }
    beforeLast = last;
    last = current;
  }
  return last[b.length] ?? 0;
}

interface Cell {
  readonly a: string;
  readonly b: string;
  readonly row: number;
  readonly column: number;
  readonly beforeLast: readonly number[];
  readonly last: readonly number[];
  readonly current: readonly number[];
}

function cheapest({ a, b, row, column, beforeLast, last, current }: Cell): number {
  const same = a[row - 1] === b[column - 1] ? 0 : 1;
  const step = Math.min(at(last, column) + 1, at(current, column - 1) + 1, at(last, column - 1) + same);
  const swapped = row > 1 && column > 1 && a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1];
  return swapped ? Math.min(step, at(beforeLast, column - 2) + 1) : step;
}

function at(values: readonly number[], index: number): number {
  return values[index] ?? Number.POSITIVE_INFINITY;
}
