import { basename, dirname, join } from 'node:path';
import { describeSystemError } from '../errors/index.ts';
import { lstatPath, namesIn, unlinkPath } from './calls.ts';
import { durablePoint } from './durable-point.ts';
import { refuseHeld } from './held.ts';
import { placeAt, TEMPORARY_NAME, type Place } from './place.ts';

/**
 * Removes a file, or a link itself, durably. Throws `file-held`, `not-a-file` (a folder), and what the system refuses,
 * with the path.
 */
export async function removeDurably(path: string): Promise<'removed' | 'missing'> {
  try {
    return await removeIn(placeAt(dirname(path)), basename(path), unlinkPath);
  } catch (error) {
    throw describeSystemError(error, { action: 'remove', path });
  }
}

/** As `removeDurably`, with the call that fits what is there. Throws `file-held` and what the system throws. */
export async function removeIn(place: Place, name: string, remove: (path: string) => Promise<void>): Promise<'removed' | 'missing'> {
  try {
    refuseHeld(join(place.path, name), await lstatPath(place.at(name), { bigint: true }));
    durablePoint('remove:before');
    await remove(place.at(name));
    durablePoint('remove:after');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    return 'missing';
  }
  await place.sync();
  return 'removed';
}

/**
 * Removes temporary files that killed writers left in a folder, those last written before `before` (nanoseconds since
 * 1970): a younger one may belong to a writer that lives. Returns how many. Throws what the system refuses.
 *
 * @example
 * await removeLeftovers('/project/.state', { before: clock.wall() - 3600n * 10n ** 9n });
 */
export async function removeLeftovers(folder: string, { before }: { readonly before: bigint }): Promise<number> {
  try {
    const names = (await namesIn(folder)).filter((name) => TEMPORARY_NAME.test(name));
    const removed = await Promise.all(names.map((name) => removeIfOld(join(folder, name), before)));
    return removed.filter(Boolean).length;
  } catch (error) {
    throw describeSystemError(error, { action: 'tidy', path: folder });
  }
}

async function removeIfOld(path: string, before: bigint): Promise<boolean> {
  try {
    const stats = await lstatPath(path, { bigint: true });
    if (!stats.isFile() || stats.mtimeNs >= before) return false;
    await unlinkPath(path);
    return true;
  } catch (error) {
    // Its writer or another tidier was quicker.
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false;
    throw error;
  }
}
