import { closeSync, constants, fsyncSync, openSync } from 'node:fs';
import { describeSystemError } from '../errors/index.ts';
import { openDescriptor, statDescriptor, syncDescriptor } from './calls.ts';
import { closeDescriptor } from './held.ts';

/**
 * Makes durable what a file holds, or which names a folder has; links are followed.
 * Throws `not-found`, `system-error` and the like, with the path.
 *
 * @example
 * if (createFolderExclusive(run) === 'created') await syncPath(dirname(run));
 */
export async function syncPath(path: string): Promise<void> {
  try {
    await syncAt(path);
  } catch (error) {
    throw describeSystemError(error, { action: 'sync', path });
  }
}

/**
 * As `syncPath`, and waits for the disk: for the start of a program, when nothing else goes on. It spares the threads that
 * Node starts for the first call that does not wait.
 *
 * @example
 * if (createFolderExclusive(run) === 'created') syncFolderNow(dirname(run));
 */
export function syncFolderNow(path: string): void {
  try {
    // A folder is never held, so that it can be closed by itself.
    const descriptor = openSync(path, constants.O_RDONLY | constants.O_DIRECTORY);
    try {
      fsyncSync(descriptor);
    } finally {
      closeSync(descriptor);
    }
  } catch (error) {
    if (!isUnsyncable(error)) throw describeSystemError(error, { action: 'sync', path });
  }
}

/** As `syncPath`. Throws what the system throws. */
export async function syncAt(path: string): Promise<void> {
  const descriptor = await openDescriptor(path, 'r');
  const stats = await statDescriptor(descriptor);
  try {
    await whereFoldersSync(() => syncDescriptor(descriptor));
  } finally {
    closeDescriptor(descriptor, stats);
  }
}

/** Some network and virtual file systems cannot sync a folder; there a new name is as durable as it gets. */
export async function whereFoldersSync(sync: () => Promise<void>): Promise<void> {
  try {
    await sync();
  } catch (error) {
    if (!isUnsyncable(error)) throw error;
  }
}

function isUnsyncable(error: unknown): boolean {
  return (error as NodeJS.ErrnoException).code === 'EINVAL';
}
