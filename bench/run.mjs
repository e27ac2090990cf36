// Measures the budgets of this project side by side with their floor or peer, and fails when one is missed.
// `npm run bench [-- <name> ...] [--size n ...] [--no-peers] [--prime-limit seconds]`: names are those of `PARTS`, and files
// of `bench/kernel/` and `bench/bach/` without their ending; all without a name. README.md beside this file tells more.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setUp } from '../tools/setup.mjs';
import { cachedBudgets } from './cached.mjs';
import { coldBudgets } from './cold.mjs';
import { bundledBudgets } from './bundled.mjs';
import { readOptions } from './options.mjs';
import { allMet, printMachine } from './report.mjs';
import { shapeBudgets } from './shapes.mjs';
import { startUpBudgets } from './start-up.mjs';

const PARTS = { 'start-up': startUpBudgets, cold: coldBudgets, cached: cachedBudgets, shapes: shapeBudgets };
/** Under this name the parts that measure whole programs are known together. */
const ALL_PARTS = 'programs';

const options = readOptions(process.argv.slice(2));
const folder = mkdtempSync(join(tmpdir(), 'drover-bench-'));
try {
  // An old build would be measured without a word.
  process.exitCode = (await setUp({ tests: false })) && allMet(await measured()) ? 0 : 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
}

async function measured() {
  printMachine();
  const { names } = options;
  const isWanted = (name) => names.length === 0 || names.includes(name) || names.includes(ALL_PARTS);
  const parts = Object.entries(PARTS).filter(([name]) => isWanted(name));
  return [...parts.flatMap(([, budgets]) => budgets(folder, options)), ...(await bundledBudgets(folder, names))];
}
