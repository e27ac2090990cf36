import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { hasProgram, ROOT, run } from './host.mjs';

const APT_GET = ['apt-get', '-o', 'Acquire::Retries=3'];

/**
 * Looks for the programs that some tests need (`tools/needs.json`). On a machine of CI they are installed; anywhere
 * else the line that installs them is printed and their tests are skipped, because a test run changes no machine.
 */
export function provideTestPrograms() {
  const needs = JSON.parse(readFileSync(join(ROOT, 'tools/needs.json'), 'utf8'));
  const missing = Object.keys(needs).filter((program) => !hasProgram(program));
  if (missing.length === 0) return true;
  const packages = [...new Set(missing.flatMap((program) => needs[program].debian.split(' ')))];
  if (process.env.CI === 'true' && process.getuid?.() === 0) return installPackages(packages);
  for (const program of missing) {
    process.stderr.write(`setup: ${program} is missing; skipped are the tests that need it: ${needs[program].tests}\n`);
  }
  process.stderr.write(`setup: on Debian: sudo apt-get install --yes ${packages.join(' ')}\n`);
  return true;
}

function installPackages(packages) {
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  const commands = [['update'], ['install', '--yes', '--no-install-recommends', ...packages]];
  if (commands.every((command) => run([...APT_GET, ...command], { env }) === 0)) return true;
  process.stderr.write('setup: the Debian packages that tests need were not installed\n');
  return false;
}
