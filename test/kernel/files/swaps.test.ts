import { join } from 'node:path';
import { expect } from 'vitest';
import { bundledProgram } from '../../support/bundle.ts';
import { raceWithSwaps } from '../../support/racing-folder.ts';
import { seededRandom } from '../../support/seeded-random.ts';
import { withoutProc, testUnless } from '../../support/needs.ts';

const program = bundledProgram(join(import.meta.dirname, 'programs/swap-links.ts'));

// FC-05 and F16 in small; the whole count is in test/faults.
testUnless(withoutProc, 'no swap of a folder or file for a link leads outside', async () => {
  const raced = await raceWithSwaps({ program: program.file, swaps: 90, endings: ['done'], random: seededRandom(1).next });
  expect(raced.leaks).toEqual([]);
  expect(raced.swaps).toBeGreaterThanOrEqual(90);
});
