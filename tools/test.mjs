/**
 * `npm test [-- arguments of vitest]`: makes the checkout ready, runs the tests, and leaves their counts in
 * `reports/tests.json`. The exit code is 0 only when tests ran and none failed.
 */
import { spawn } from 'node:child_process';
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from './setup/host.mjs';
import { setUp } from './setup.mjs';

const COUNTS = join(ROOT, 'reports/tests.json');
const FORWARDED = ['SIGINT', 'SIGTERM', 'SIGHUP'];

process.exitCode = await test(process.argv.slice(2));

async function test(argv) {
  // Counts of an earlier run must never pass for those of this one.
  rmSync(COUNTS, { force: true });
  if (!(await setUp({ tests: true }))) return 1;
  const code = await runVitest(argv);
  return code === 0 && !ranAny() ? 1 : code;
}

function runVitest(argv) {
  const vitest = join(ROOT, 'node_modules/vitest/vitest.mjs');
  const child = spawn(process.execPath, [vitest, 'run', ...argv], { cwd: ROOT, stdio: ['ignore', 'inherit', 'inherit'] });
  for (const signal of FORWARDED) process.on(signal, () => child.kill(signal));
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code) => resolve(code ?? 1));
  });
}

function ranAny() {
  try {
    const { passed, failed } = JSON.parse(readFileSync(COUNTS, 'utf8'));
    if (passed + failed > 0) return true;
    process.stderr.write('test: no test ran\n');
  } catch (error) {
    process.stderr.write(`test: ${COUNTS} cannot be read: ${error.message}\n`);
  }
  return false;
}
