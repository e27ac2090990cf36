import { lstatSync, readlinkSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describeSystemError } from '../errors/index.ts';
import { containedPath } from '../paths/index.ts';
import { pathOutside } from './errors.ts';

/** As many as Linux follows. */
const MAX_LINKS = 40;

/**
 * The place on the disk that a path means, all symbolic links followed, checked to lie inside `root`. The end of the
 * path need not exist yet; a link that leads to nothing is followed all the same.
 * Throws `path-outside` with the path as it was given, `symlink-refused` for a loop of links, and what the system
 * refuses. The answer holds as long as nobody swaps a folder for a link.
 *
 * @example
 * resolveInside('/project', 'logs/today.txt'); // '/project/logs/today.txt'
 */
export function resolveInside(root: string, path: string): string {
  const lexical = containedPath(resolve(root), path);
  if (!lexical.inside) throw pathOutside({ path, root });
  const real = followLinks(lexical.path, path);
  if (!containedPath(followLinks(resolve(root), root), real).inside) throw pathOutside({ path, root });
  return real;
}

/** `named` is what a message calls it. */
function followLinks(absolute: string, named: string): string {
  let place = '/';
  let links = 0;
  const ahead = namesIn(absolute);
  for (let name = ahead.shift(); name !== undefined; name = ahead.shift()) {
    const next = join(place, name);
    const target = linkTarget(next, named);
    if (target === undefined) {
      place = next;
      continue;
    }
    links += 1;
    if (links > MAX_LINKS) throw describeSystemError({ code: 'ELOOP' }, { action: 'follow', path: named });
    if (target.startsWith('/')) place = '/';
    ahead.unshift(...namesIn(target));
  }
  return place;
}

function namesIn(path: string): string[] {
  return path.split('/').filter((name) => name !== '');
}

/** Where the link at `path` points, or `undefined` when there is no link. */
function linkTarget(path: string, named: string): string | undefined {
  try {
    const stats = lstatSync(path, { throwIfNoEntry: false });
    return stats?.isSymbolicLink() === true ? readlinkSync(path) : undefined;
  } catch (error) {
    throw describeSystemError(error, { action: 'follow', path: named });
  }
}
