import { join } from 'node:path';
import { expect, test } from 'vitest';
import { bundledProgram } from '../support/bundle.ts';
import { faultCount, seeded } from '../support/fault-counts.ts';
import { personCommits, queueScene, runQueue, violationsOf } from '../support/landing-queue.ts';
import { seededRandom, type Random } from '../support/seeded-random.ts';

const program = bundledProgram(join(import.meta.dirname, '../workspace/programs/queue.ts'));
const CHANGES = 3;
const MOST_KILLS = 4;
/** Of a queue of three changes, about. */
const POINTS = 90;

async function raceOnce(random: Random, name: string): Promise<void> {
  const scene = await queueScene(random, CHANGES);
  for (let kill = 0; kill < MOST_KILLS; kill += 1) {
    if (!runQueue(scene, program.file, { DROVER_CRASH_AT: String(1 + random.below(POINTS)) }).killed) break;
    if (random.chance(0.6)) personCommits(scene, `between-${kill}`);
  }
  runQueue(scene, program.file);
  expect({ name, violations: violationsOf(scene) }).toEqual({ name, violations: [] });
}

// Each queue is some processes of Node and a hundred of git.
test(
  'F20: changes that land while their destination moves and their lander is killed',
  seeded('F20', async (seed) => {
    const random = seededRandom(seed);
    const queues = faultCount({ ci: 30, full: 500 }) / CHANGES;
    for (let at = 0; at < queues; at += 1) await raceOnce(random, `queue ${at}`);
  }),
);
