import { join } from 'node:path';
import { expect } from 'vitest';
import { bundledProgram } from '../support/bundle.ts';
import { faultCount, faultSeed } from '../support/fault-counts.ts';
import { raceWithSwaps } from '../support/racing-folder.ts';
import { seededRandom } from '../support/seeded-random.ts';
import { withoutProc, testUnless } from '../support/needs.ts';

const program = bundledProgram(join(import.meta.dirname, '../kernel/files/programs/swap-links.ts'));

// Each swap is given the time to be met by an operation: some seconds for a thousand.
testUnless(withoutProc, 'F16: no swapped link leads a read, a write or a rename outside', async () => {
  const seed = faultSeed();
  const swaps = faultCount({ ci: 1000, full: 10_000 });
  const { endings, ...raced } = await raceWithSwaps({ program: program.file, swaps, random: seededRandom(seed).next });
  process.stdout.write(`F16: seed ${seed}, ${swaps} swaps, ${JSON.stringify(endings)}\n`);
  expect(raced).toEqual({ swaps, leaks: [] });
  // The race was run: some came through, some met a link.
  expect(endings['done']).toBeGreaterThan(0);
  expect(endings['symlink-refused']).toBeGreaterThan(0);
});
