import { statSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import { describeSystemError } from '../errors/index.ts';
import { renamePath } from './calls.ts';
import { durablePoint } from './durable-point.ts';
import { refuseHeld } from './held.ts';
import { placeAt, withTemporary, type NewContent, type Place } from './place.ts';

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
  try {
    refuseHeld(path, statSync(path, { bigint: true, throwIfNoEntry: false }));
    await replaceIn(placeAt(dirname(path)), basename(path), { data, mode: options.mode ?? 0o600 });
  } catch (error) {
    throw describeSystemError(error, { action: 'write', path });
  }
}

/** As `replaceFile`; whether the old file is held is for the caller to ask. Throws what the system throws. */
export async function replaceIn(place: Place, name: string, content: NewContent): Promise<void> {
  await withTemporary(place, content, async (temporary) => {
    durablePoint('rename:before');
    await renamePath(place.at(temporary), place.at(name));
    durablePoint('rename:after');
  });
  await place.sync();
}
