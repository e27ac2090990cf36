/** Numbers that follow from a seed alone. */
export interface Random {
  /** From 0 up to, not including, 1. */
  next(): number;
  /** A whole number from 0 up to, not including, `below`. */
  below(below: number): number;
  chance(probability: number): boolean;
}

/** The same seed gives the same numbers (mulberry32). */
export function seededRandom(seed: number): Random {
  let state = seed >>> 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  return { next, below: (below) => Math.floor(next() * below), chance: (probability) => next() < probability };
}
