import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT, run } from './host.mjs';
import { withLock } from './lock.mjs';

/** Held while anything of the checkout is made. */
export const SETUP_LOCK = join(ROOT, '.setup.lock');

/** Installs what is locked unless it is there. Resolves to false, with the reason on standard error, when that failed. */
export async function provideDependencies() {
  return dependenciesMatch() || (await withLock(SETUP_LOCK, () => dependenciesMatch() || installDependencies()));
}

/**
 * True when `node_modules` is what the lock file says. npm keeps what it installed in a lock file of its own;
 * comparing the two also notices an install that was cut short, and accepts one that a person made.
 */
export function dependenciesMatch(root = ROOT) {
  const installed = packagesOf(join(root, 'node_modules', '.package-lock.json'));
  const wanted = packagesOf(join(root, 'package-lock.json'));
  if (installed === undefined || wanted === undefined) return false;
  return Object.entries(wanted).every(([path, entry]) => path === '' || isInstalled(entry, installed[path]));
}

/** Installs exactly what the lock file says, development tools included; false when npm could not. */
export function installDependencies() {
  const npm = process.env.npm_execpath;
  const program = npm?.endsWith('.js') && existsSync(npm) ? [process.execPath, npm] : ['npm'];
  // Options of the npm that called us, such as those of `npm pack --dry-run`, are not meant for this one.
  const env = { ...process.env, npm_config_dry_run: 'false', npm_config_global: 'false', npm_config_json: 'false' };
  if (run([...program, 'ci', '--include=dev'], { env }) === 0) return true;
  process.stderr.write('setup: npm ci failed; see its message above\n');
  return false;
}

function packagesOf(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8')).packages;
  } catch {
    // Missing or cut short: npm has not finished an install here.
    return undefined;
  }
}

/** A package for another kind of machine is optional and stays away. */
function isInstalled(wanted, installed) {
  if (installed === undefined) return wanted.optional === true || wanted.peer === true;
  return installed.version === wanted.version && installed.integrity === wanted.integrity;
}
