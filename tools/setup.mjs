/**
 * Makes a fresh clone ready: dependencies as locked, and a build. Does nothing when nothing changed.
 *
 * `node tools/setup.mjs [--tests]`: with `--tests` it also looks for the programs that some tests need.
 * Plain Node only: it runs before anything is installed.
 */
import { build, isStale } from './build.mjs';
import { dependenciesMatch, installDependencies, SETUP_LOCK } from './setup/dependencies.mjs';
import { isMain } from './setup/host.mjs';
import { withLock } from './setup/lock.mjs';
import { provideTestPrograms } from './setup/programs.mjs';

if (isMain(import.meta.url)) process.exitCode = (await setUp({ tests: process.argv.includes('--tests') })) ? 0 : 1;

/** Resolves to false, with the reason already on standard error, when the checkout could not be made ready. */
export async function setUp({ tests }) {
  if (tests && !provideTestPrograms()) return false;
  if (isReady()) return true;
  return await withLock(SETUP_LOCK, makeReady);
}

async function makeReady() {
  if (!dependenciesMatch() && !installDependencies()) return false;
  return !isStale() || (await build());
}

function isReady() {
  return dependenciesMatch() && !isStale();
}
