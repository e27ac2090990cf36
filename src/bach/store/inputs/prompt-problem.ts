import { statSync } from 'node:fs';
import { isDroverError } from '../../../kernel/errors/index.ts';
import { resolveInside } from '../../../kernel/files/index.ts';

/** How the message about a faulty prompt file ends; nothing for a regular file that lies in the project, links followed. */
export function promptProblem(path: string, root: string): string | undefined {
  try {
    const real = resolveInside(root, path);
    return statSync(real, { throwIfNoEntry: false })?.isFile() === true ? undefined : 'must be a regular file';
  } catch (error) {
    // Whatever the system refuses on the way, there is no file that could be read.
    return isDroverError(error) && error.code === 'path-outside' ? 'must stay within project root' : 'must be a regular file';
  }
}
