import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { bundledProgram } from '../support/bundle.ts';
import { faultCount, seeded } from '../support/fault-counts.ts';
import { replaceFromMany } from '../support/replacing-writers.ts';
import { seededRandom } from '../support/seeded-random.ts';
import { tempFolder } from '../support/temp-folder.ts';

const folder = tempFolder();
const program = bundledProgram(join(import.meta.dirname, '../kernel/files/programs/replace-state.ts'));
const WRITERS = 10;
const TIMES = 1000;

// 10,000 replacements, each synced twice: up to a minute on a slow disk.
test('FC-17: ten processes replace one file a thousand times each and are killed at random', seeded('FC-17', async (seed) => {
  const kills = faultCount({ ci: 60, full: 600 });
  const path = folder.at('state.json');
  writeFileSync(path, JSON.stringify({ writer: 0, count: 0, text: 'x'.repeat(3000) }));
  const found = await replaceFromMany({ program: program.file, path, writers: WRITERS, times: TIMES, kills, random: seededRandom(seed).next });
  process.stdout.write(`FC-17: ${found.kills} kills, ${found.reads} reads\n`);
  expect(found).toMatchObject({ torn: [], backwards: [] });
  expect(found.kills).toBeGreaterThan(kills / 3);
  expect([...found.acknowledged.values()]).toEqual(Array.from({ length: WRITERS }, () => TIMES));
  // All others were superseded; the last one of some writer stands.
  expect(found.last.count).toBe(TIMES);
  expect(readdirSync(folder.path).length - 1).toBeLessThanOrEqual(found.kills);
}));
