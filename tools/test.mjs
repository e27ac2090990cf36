/**
 * `npm test [-- arguments of vitest]`: makes the checkout ready, runs the tests, and leaves their counts in
 * `reports/tests.json`. `npm run test:faults [-- --full]` does the same with the fault matrix, whose counts go to
 * `reports/faults.json`; `--full` injects each fault as often as the whole matrix says, which takes hours.
 * The exit code is 0 only when tests ran and none failed, and when the whole suite took every branch that it must.
 */
import { spawn } from 'node:child_process';
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from './setup/host.mjs';
import { setUp } from './setup.mjs';
import { SUITES } from './suites.mjs';

const FORWARDED = ['SIGINT', 'SIGTERM', 'SIGHUP'];

process.exitCode = await test(process.argv.slice(2));

async function test(argv) {
  const suite = SUITES.find(({ flag }) => flag !== undefined && argv.includes(flag)) ?? SUITES[0];
  const isFull = argv.includes('--full');
  if (isFull && suite.flag === undefined) {
    process.stderr.write('test: --full belongs to the fault matrix: npm run test:faults -- --full\n');
    return 2;
  }
  // Counts of an earlier run must never pass for those of this one.
  rmSync(join(ROOT, suite.counts), { force: true });
  if (!(await setUp({ tests: true }))) return 1;
  const rest = argv.filter((word) => word !== suite.flag && word !== '--full');
  // A part of the suite leaves branches out that the whole one takes.
  const coverage = suite.flag === undefined && rest.length === 0 ? ['--coverage'] : [];
  const code = await runVitest(['--config', suite.config, ...coverage, ...rest], isFull ? { DROVER_FAULTS: 'full' } : {});
  return code === 0 && !ranAny(suite) ? 1 : code;
}

function runVitest(argv, variables) {
  const vitest = join(ROOT, 'node_modules/vitest/vitest.mjs');
  const options = { cwd: ROOT, env: { ...process.env, ...variables }, stdio: ['ignore', 'inherit', 'inherit'] };
  const child = spawn(process.execPath, [vitest, 'run', ...argv], options);
  for (const signal of FORWARDED) process.on(signal, () => child.kill(signal));
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code) => resolve(code ?? 1));
  });
}

function ranAny({ counts }) {
  try {
    const { passed, failed } = JSON.parse(readFileSync(join(ROOT, counts), 'utf8'));
    if (passed + failed > 0) return true;
    process.stderr.write('test: no test ran\n');
  } catch (error) {
    process.stderr.write(`test: ${counts} cannot be read: ${error.message}\n`);
  }
  return false;
}
