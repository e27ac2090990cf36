/** What the tools need to know about the checkout and the machine. */
import { spawnSync } from 'node:child_process';
import { accessSync, constants, realpathSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The root of the checkout. */
export const ROOT = dirname(dirname(dirname(fileURLToPath(import.meta.url))));

/** True when the module is the program that node was started with. */
export function isMain(url) {
  return process.argv[1] !== undefined && realpathSync(process.argv[1]) === fileURLToPath(url);
}

export function isAlive(pid) {
  if (!Number.isInteger(pid) || pid <= 0) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // EPERM: it lives, and belongs to somebody else.
    return error.code === 'EPERM';
  }
}

/** True when a program of that name can be started through PATH. */
export function hasProgram(name) {
  return (process.env.PATH ?? '').split(delimiter).some((folder) => isExecutable(join(folder, name)));
}

function isExecutable(path) {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    // Absent or not executable: either way it cannot be started.
    return false;
  }
}

/** Runs a program with our own terminal; its standard output goes to standard error, which keeps ours clean. */
export function run(argv, options = {}) {
  const [program, ...rest] = argv;
  const result = spawnSync(program, rest, { cwd: ROOT, stdio: ['ignore', 2, 2], ...options });
  if (result.error !== undefined) throw result.error;
  return result.status ?? 1;
}
