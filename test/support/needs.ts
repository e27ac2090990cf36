import { accessSync, constants, existsSync, readFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { beforeEach, test } from 'vitest';

const ROOT = join(import.meta.dirname, '../..');
const NEEDS = JSON.parse(readFileSync(join(ROOT, 'tools/needs.json'), 'utf8')) as Record<string, { debian: string }>;

/** A test that is counted as skipped, with the reason, where `program` is not installed. */
export function testNeeding(program: string, name: string, run: () => void | Promise<void>): void {
  testUnless(reasonWithout(program), name, run);
}

/** Reasons of tests that look at what only Linux has. */
export const notOnLinux = process.platform === 'linux' ? undefined : 'only Linux has what this looks at';
export const withoutProc = existsSync('/proc/self/fd') ? undefined : 'there is no /proc/self/fd here';

/** Every test of the group that calls this counts as skipped when there is a reason, and runs when there is none. */
export function skipGroup(reason: string | undefined): void {
  beforeEach((context) => {
    if (reason !== undefined) context.skip(reason);
  });
}

/** A test that is counted as skipped when there is a reason, and runs when that is `undefined`. */
export function testUnless(reason: string | undefined, name: string, run: () => void | Promise<void>): void {
  test(name, async (context) => {
    if (reason !== undefined) context.skip(reason);
    await run();
  });
}

function reasonWithout(program: string): string | undefined {
  const need = NEEDS[program];
  // The table is what setup installs from in CI: a program that is not in it would be skipped there for ever.
  if (need === undefined) throw new Error(`${program} is not in tools/needs.json`);
  if (isOnPath(program)) return undefined;
  return `${program} is not installed (Debian: apt-get install ${need.debian})`;
}

function isOnPath(program: string): boolean {
  return (process.env['PATH'] ?? '').split(delimiter).some((folder) => {
    try {
      accessSync(join(folder, program), constants.X_OK);
      return true;
    } catch {
      // Absent or not executable: the next folder may have it.
      return false;
    }
  });
}
