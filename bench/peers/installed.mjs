import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';

const MODULES = join(import.meta.dirname, 'node_modules');
const INSTALL_LIMIT_MS = 300_000;
/** Of each peer, the file that its users' package manager links as its command. */
const ENTRIES = { just: '.bin/just', turbo: '.bin/turbo', nx: '.bin/nx', moon: '.bin/moon' };

let isTried = false;

/** The folder with the packages of the peers. */
export const PEER_MODULES = MODULES;

/** The start of a command line; `undefined` when the peer is not there and could not be installed. */
export function findPeer(name) {
  installOnce();
  const file = join(MODULES, ENTRIES[name]);
  return existsSync(file) ? [file] : undefined;
}

/** Without the scripts of packages: none of the peers needs one to run. */
function installOnce() {
  if (isTried) return;
  isTried = true;
  if (existsSync(join(MODULES, '.package-lock.json'))) return;
  console.log('installing the peers');
  const argv = ['ci', '--prefix', import.meta.dirname, '--ignore-scripts', '--no-audit', '--no-fund'];
  const { status, error, stderr } = spawnSync('npm', argv, { encoding: 'utf8', timeout: INSTALL_LIMIT_MS });
  if (error !== undefined || status !== 0) console.log(`the peers could not be installed: ${error?.message ?? stderr.trim().split('\n').at(-1)}`);
}
