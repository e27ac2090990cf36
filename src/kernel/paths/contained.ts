import { cleanPath, joinPath } from './clean.ts';
import { relativePath } from './relative.ts';

/** Whether a path stays below a root, judged by its text. */
export type Containment =
  | {
      readonly inside: true;
      /** Cleaned; absolute when the root is. */
      readonly path: string;
      /** Cleaned, from the root; `.` for the root itself. */
      readonly relative: string;
    }
  | {
      readonly inside: false;
      /** `nul-byte`: no file can have this name. `outside-root`: it climbs out, or is absolute elsewhere. */
      readonly reason: 'nul-byte' | 'outside-root';
    };

/**
 * Checks the text of a path that a user, an agent or a file named. Relative paths start at `root`; an absolute one
 * must lie below it, and so never does below a relative root. Symbolic links are not seen here: before the disk is
 * touched, `resolveInside` of `kernel/files` looks at them.
 *
 * @example
 * containedPath('/house', 'logs/../out'); // { inside: true, path: '/house/out', relative: 'out' }
 * containedPath('.', '../secret'); // { inside: false, reason: 'outside-root' }
 */
export function containedPath(root: string, userPath: string): Containment {
  if (userPath.includes('\0')) return { inside: false, reason: 'nul-byte' };
  const path = userPath.startsWith('/') ? cleanPath(userPath) : joinPath(cleanPath(root), userPath);
  const relative = relativePath(root, path);
  if (relative === undefined || relative === '..' || relative.startsWith('../')) {
    return { inside: false, reason: 'outside-root' };
  }
  return { inside: true, path, relative };
}
