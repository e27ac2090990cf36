/**
 * Prints what `reports/tests.json` holds: each skipped test with its reason and, as the last line,
 * `N passed, N failed`. Exits 1 when a test failed, when none ran, or when the file is not there.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from './setup/host.mjs';

const COUNTS = 'reports/tests.json';

process.exitCode = summarize();

function summarize() {
  const counts = readCounts();
  if (counts === undefined) {
    process.stdout.write(`${COUNTS} cannot be read: the tests did not run to their end\n`);
    return 1;
  }
  const { passed, failed, skipped } = counts;
  process.stdout.write(`\n${skipped.length} skipped${skipped.length === 0 ? '' : ':'}\n`);
  for (const { name, reason } of skipped) process.stdout.write(`  ${name}: ${reason}\n`);
  process.stdout.write(`${passed} passed, ${failed} failed\n`);
  return failed === 0 && passed > 0 ? 0 : 1;
}

function readCounts() {
  try {
    return JSON.parse(readFileSync(join(ROOT, COUNTS), 'utf8'));
  } catch {
    // No file: the tests were stopped, or never started.
    return undefined;
  }
}
