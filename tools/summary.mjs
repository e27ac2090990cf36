/**
 * Prints what the suites left in `reports/`: each skipped test with its reason and, as the last line,
 * `N passed, N failed` over all suites that exist. Exits 1 when a test failed, when none ran, or when the counts of a
 * suite are not there.
 */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from './setup/host.mjs';
import { SUITES } from './suites.mjs';

process.exitCode = summarize(SUITES.filter(({ folder }) => folder === 'test' || existsSync(join(ROOT, folder))));

function summarize(suites) {
  const all = suites.map(({ counts }) => ({ file: counts, counts: readCounts(counts) }));
  const missing = all.find(({ counts }) => counts === undefined);
  if (missing !== undefined) {
    process.stdout.write(`${missing.file} cannot be read: the tests did not run to their end\n`);
    return 1;
  }
  const skipped = all.flatMap(({ counts }) => counts.skipped);
  process.stdout.write(`\n${skipped.length} skipped${skipped.length === 0 ? '' : ':'}\n`);
  for (const { name, reason } of skipped) process.stdout.write(`  ${name}: ${reason}\n`);
  const [passed, failed] = [sum(all, 'passed'), sum(all, 'failed')];
  process.stdout.write(`${passed} passed, ${failed} failed\n`);
  return failed === 0 && all.every(({ counts }) => counts.passed > 0) ? 0 : 1;
}

function sum(all, field) {
  return all.reduce((total, { counts }) => total + counts[field], 0);
}

function readCounts(file) {
  try {
    return JSON.parse(readFileSync(join(ROOT, file), 'utf8'));
  } catch {
    // No file: the tests were stopped, or never started.
    return undefined;
  }
}
