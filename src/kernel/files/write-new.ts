import { basename, dirname, join } from 'node:path';
import { describeSystemError } from '../errors/index.ts';
import { linkPath, unlinkPath } from './calls.ts';
import { durablePoint } from './durable-point.ts';
import { alreadyExists } from './errors.ts';
import { placeAt, withTemporary, type NewContent, type Place } from './place.ts';
import type { ReplaceOptions } from './replace.ts';

/**
 * Makes a file that was not there, whole and durably: of several that try, one succeeds, and no reader or crash sees
 * a part of it. The file system must have hard links.
 * Throws `already-exists` for anything at `path`, also a link that leads nowhere, and what `replaceFile` throws.
 *
 * @example
 * await writeNew('/project/.state/origin.json', JSON.stringify(origin));
 */
export async function writeNew(path: string, data: string | Uint8Array, options: ReplaceOptions = {}): Promise<void> {
  try {
    await writeNewIn(placeAt(dirname(path)), basename(path), { data, mode: options.mode ?? 0o600 });
  } catch (error) {
    throw describeSystemError(error, { action: 'create', path });
  }
}

/** As `writeNew`. Throws `already-exists` and what the system throws. */
export async function writeNewIn(place: Place, name: string, content: NewContent): Promise<void> {
  await withTemporary(place, content, async (temporary) => {
    // A rename would put it over a file that another process made meanwhile.
    durablePoint('create:before');
    await linkNew(place, temporary, name);
    durablePoint('create:after');
    await unlinkPath(place.at(temporary));
  });
  await place.sync();
}

async function linkNew(place: Place, temporary: string, name: string): Promise<void> {
  try {
    await linkPath(place.at(temporary), place.at(name));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    throw alreadyExists({ path: join(place.path, name) }, error);
  }
}
