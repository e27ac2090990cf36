import { fstatSync, openSync } from 'node:fs';
import { describeSystemError } from '../errors/index.ts';
import { closeDescriptor } from './held.ts';
import { refuseUnlessRegular } from './kind.ts';

/**
 * Makes an empty file of mode 0600 unless one is there; an existing one is never opened, so that its locks stay.
 * Throws `symlink-refused`, `not-a-file`, `not-a-regular-file`, and what the system refuses, with the path.
 */
export function ensurePrivateFile(path: string): void {
  try {
    const descriptor = openSync(path, 'wx', 0o600);
    // Another thread may have found it and locked it already.
    closeDescriptor(descriptor, fstatSync(descriptor, { bigint: true }));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw describeSystemError(error, { action: 'create', path });
    refuseUnlessRegular(path);
  }
}
