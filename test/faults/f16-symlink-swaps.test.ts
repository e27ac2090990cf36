import { join } from 'node:path';
import { expect } from 'vitest';
import { bundledProgram } from '../support/bundle.ts';
import { faultCount, seeded } from '../support/fault-counts.ts';
import { raceWithSwaps } from '../support/racing-folder.ts';
import { seededRandom } from '../support/seeded-random.ts';
import { withoutProc, testUnless } from '../support/needs.ts';

const program = bundledProgram(join(import.meta.dirname, '../kernel/files/programs/swap-links.ts'));

// Each swap is given the time to be met by an operation: some seconds for a thousand.
testUnless(withoutProc, 'F16: no swapped link leads a read, a write or a rename outside', seeded('F16', async (seed) => {
  const swaps = faultCount({ ci: 1000, full: 10_000 });
  // The race is run: some come through, some meet a link.
  const endings = ['done', 'symlink-refused'];
  const raced = await raceWithSwaps({ program: program.file, swaps, endings, random: seededRandom(seed).next });
  process.stdout.write(`F16: ${raced.swaps} swaps, ${JSON.stringify(raced.endings)}\n`);
  expect(raced.leaks).toEqual([]);
  expect(raced.swaps).toBeGreaterThanOrEqual(swaps);
}));
