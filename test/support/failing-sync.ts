import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll } from 'vitest';

/** Which calls fail, and on which files; `failing-sync.c` says more. */
export interface Failures {
  /** Only files whose path has this text in it. */
  readonly path: string;
  /** The number of the sync that fails, from 1. */
  readonly syncAt?: number;
  /** The number of the write from which on all fail, from 1; the first of them takes one half of its bytes. */
  readonly writeFrom?: number;
  /** Default 5, EIO. */
  readonly errno?: number;
  /** Calls fail only as long as this file is there. */
  readonly whileFile?: string;
}

/** Why there can be none, for `testUnless`, or `undefined`. */
export function whyNoFailingSync(): string | undefined {
  if (process.platform !== 'linux') return 'failing calls are preloaded on Linux alone';
  return spawnSync('gcc', ['--version']).error === undefined ? undefined : 'gcc is not installed (Debian: apt-get install gcc)';
}

/**
 * Compiles the library once before the tests of the file that calls this, where it can be compiled.
 *
 * @example
 * spawn(process.execPath, [program], { env: { ...process.env, ...library.env({ path: 'journal', syncAt: 3 }) } });
 */
export function failingSync(): { env(failures: Failures): Record<string, string> } {
  let folder = '';
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'drover-failing-'));
    if (whyNoFailingSync() !== undefined) return;
    const source = join(import.meta.dirname, 'failing-sync.c');
    execFileSync('gcc', ['-shared', '-fPIC', '-O1', '-o', join(folder, 'failing-sync.so'), source, '-ldl']);
  });
  afterAll(() => {
    rmSync(folder, { recursive: true, force: true });
  });
  return { env: (failures) => ({ LD_PRELOAD: join(folder, 'failing-sync.so'), ...environmentOf(failures) }) };
}

function environmentOf({ path, syncAt, writeFrom, errno, whileFile }: Failures): Record<string, string> {
  const given = {
    DROVER_FAIL_PATH: path,
    DROVER_FAIL_SYNC_AT: syncAt,
    DROVER_FAIL_WRITE_FROM: writeFrom,
    DROVER_FAIL_ERRNO: errno,
    DROVER_FAIL_WHILE: whileFile,
    // Calls that the kernel makes from a ring pass by the library.
    UV_USE_IO_URING: 0,
  };
  return Object.fromEntries(Object.entries(given).flatMap(([name, value]) => (value === undefined ? [] : [[name, `${value}`]])));
}
