import { randomBytes } from 'node:crypto';
import { statSync } from 'node:fs';
import { open, rename, unlink, type FileHandle } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { describeSystemError } from '../errors/index.ts';
import { durablePoint } from './durable-point.ts';
import { refuseHeld } from './held.ts';

export interface ReplaceOptions {
  /** Permissions of the new file, less the umask. Default 0600. */
  readonly mode?: number;
}

/**
 * Puts a file in place whole and durably: readers and a crash see the old content or the new one, never a part.
 * A symbolic link at `path` is replaced, not followed. When it fails the old file is as it was and nothing is left
 * beside it; only when the last step fails (making the rename durable) may the new content already stand.
 * Throws `disk-full`, `permission-denied`, `read-only`, `not-found` (no such folder) and the like, with the path.
 *
 * @example
 * await replaceFile('/project/.state/plan.json', JSON.stringify(plan), { mode: 0o644 });
 */
export async function replaceFile(path: string, data: string | Uint8Array, options: ReplaceOptions = {}): Promise<void> {
  const folder = dirname(path);
  const temporary = join(folder, `.drover-${randomBytes(8).toString('hex')}.tmp`);
  try {
    refuseHeld(path, statSync(path, { bigint: true, throwIfNoEntry: false }));
    await moveInto({ path, temporary, data, mode: options.mode ?? 0o600 });
    await syncFolder(folder);
  } catch (error) {
    throw describeSystemError(error, { action: 'write', path });
  }
}

interface Replacement {
  readonly path: string;
  readonly temporary: string;
  readonly data: string | Uint8Array;
  readonly mode: number;
}

async function moveInto({ path, temporary, data, mode }: Replacement): Promise<void> {
  try {
    await fill(await open(temporary, 'wx', mode), data);
    durablePoint('rename:before');
    await rename(temporary, path);
    durablePoint('rename:after');
  } catch (error) {
    // The failure that made us clean up is the one to report.
    await unlink(temporary).catch(() => undefined);
    throw error;
  }
}

async function fill(handle: FileHandle, data: string | Uint8Array): Promise<void> {
  try {
    await handle.writeFile(data);
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** Exported for its test. */
export async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r');
  try {
    await syncIfPossible(handle);
  } finally {
    await handle.close();
  }
}

async function syncIfPossible(handle: FileHandle): Promise<void> {
  try {
    await handle.sync();
  } catch (error) {
    // Some network and virtual file systems cannot sync a folder; there the rename is as durable as it gets.
    if ((error as NodeJS.ErrnoException).code !== 'EINVAL') throw error;
  }
}
