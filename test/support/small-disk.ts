import { execFileSync } from 'node:child_process';
import { closeSync, mkdtempSync, openSync, realpathSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';

/** A file system of a few megabytes that a test can fill. */
export interface SmallDisk {
  readonly folder: string;
  /** Takes all space there is; files that exist may still grow within their last page. */
  fill(): void;
  /** Gives it back. */
  free(): void;
}

/** Why this machine lets us mount none, for `testUnless`, or `undefined`. */
export function whyNoSmallDisk(): string | undefined {
  const folder = mkdtempSync(join(tmpdir(), 'drover-mount-'));
  try {
    mount(folder, 1);
    unmount(folder);
    return undefined;
  } catch {
    // Not root, no mount, another system: each of them is the same answer.
    return 'a small disk needs root and tmpfs';
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Mounts one for the running test; it is gone when the test ends. */
export function smallDisk(megabytes: number): SmallDisk {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'drover-disk-')));
  mount(folder, megabytes);
  onTestFinished(() => {
    unmount(folder);
    rmSync(folder, { recursive: true, force: true });
  });
  const filler = join(folder, 'filler');
  return {
    folder,
    fill: () => fillFile(filler),
    free: () => rmSync(filler, { force: true }),
  };
}

function fillFile(path: string): void {
  const descriptor = openSync(path, 'a');
  try {
    for (const size of [2 ** 20, 4096]) fillBy(descriptor, Buffer.alloc(size, 1));
  } finally {
    closeSync(descriptor);
  }
}

function fillBy(descriptor: number, block: Buffer): void {
  try {
    while (writeSync(descriptor, block) === block.length);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
  }
}

function mount(folder: string, megabytes: number): void {
  execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m`, 'drover-test', folder], { stdio: 'ignore' });
}

/** Lazily, since a failed test may have files open there. */
function unmount(folder: string): void {
  execFileSync('umount', ['-l', folder], { stdio: 'ignore' });
}
