const VARIABLE = 'DROVER_FAULT_SEED';
const DAY_MS = 86_400_000;

/** One for the whole file, also where midnight comes in the middle of it. */
const SEED = readSeed();

/**
 * How often a fault is injected: the count of CI, or the whole count when the suite runs with `--full`.
 *
 * @example
 * const flips = faultCount({ ci: 1_000, full: 10_000 });
 */
export function faultCount({ ci, full }: { readonly ci: number; readonly full: number }): number {
  return process.env['DROVER_FAULTS'] === 'full' ? full : ci;
}

/**
 * A test in which something is drawn: it gets a seed that rotates daily, prints it, and names in every failure the
 * variable that replays it.
 *
 * @example
 * test('F6: no deadline is early', seeded('F6', (seed) => runPlans(seededRandom(seed))));
 */
export function seeded(row: string, run: (seed: number) => void | Promise<void>): () => Promise<void> {
  return async () => {
    process.stdout.write(`${row}: seed ${SEED}\n`);
    try {
      await run(SEED);
    } catch (error) {
      // Unless it names a seed of its own, with which it comes sooner.
      if (error instanceof Error && !error.message.includes(VARIABLE)) error.message += `\n\nreplay with: ${replayOf(SEED)}`;
      throw error;
    }
  };
}

/** How a run of the suite repeats what was drawn from the seed. */
export function replayOf(seed: number): string {
  return `${VARIABLE}=${seed}`;
}

function readSeed(): number {
  const given = process.env[VARIABLE];
  const seed = given === undefined ? Math.floor(Date.now() / DAY_MS) : Number(given);
  if (!Number.isSafeInteger(seed) || seed < 0) throw new RangeError(`${VARIABLE} is no seed: ${given}`);
  return seed;
}
