import { defineError, isDroverError, type DroverError } from './define-error.ts';

interface SystemFailure {
  readonly path: string;
  readonly action: string;
}

const about = ({ action, path }: SystemFailure, reason: string): string => `cannot ${action} ${path}: ${reason}`;

const SYSTEM_ERRORS = new Map([
  ['ENOSPC', systemError('disk-full', 'no space left on the device', 'free some space, then run the command again')],
  ['EDQUOT', systemError('disk-full', 'the disk quota is used up', 'free some space, then run the command again')],
  ['EACCES', systemError('permission-denied', 'permission denied', 'check the owner and the mode of this path')],
  ['EPERM', systemError('permission-denied', 'operation not permitted', 'check the owner and the mode of this path')],
  ['EROFS', systemError('read-only', 'the file system is read-only', 'use a project folder that can be written')],
  ['ENOENT', systemError('not-found', 'no such file or directory', 'check the path')],
  ['EISDIR', systemError('not-a-file', 'it is a directory', 'name a regular file')],
  ['ENOTDIR', systemError('not-a-directory', 'a part of the path is not a directory', 'check the path')],
  ['ELOOP', systemError('symlink-refused', 'a symbolic link stands in the way', 'replace the link by what it leads to')],
  ['EMFILE', systemError('too-many-open-files', 'too many open files', 'raise the limit with ulimit -n')],
  ['ENAMETOOLONG', systemError('name-too-long', 'the name is too long', 'use a shorter name')],
]);

const otherSystemError = defineError<SystemFailure & { reason: string }>({
  code: 'system-error',
  message: (details) => about(details, details.reason),
  remedy: 'check the path and try again',
});

function systemError(code: string, reason: string, remedy: string) {
  return defineError<SystemFailure>({ code, message: (details) => about(details, reason), remedy });
}

/**
 * Turns what the operating system threw into an error with a code, the path and a remedy.
 * `action` is a verb phrase: `read`, `write`, `create`.
 */
export function describeSystemError(error: unknown, failure: SystemFailure): DroverError {
  if (isDroverError(error)) return error;
  const code = (error as NodeJS.ErrnoException | null)?.code;
  const known = code === undefined ? undefined : SYSTEM_ERRORS.get(code);
  if (known !== undefined) return known(failure, error);
  const reason = code ?? (error instanceof Error ? error.message : String(error));
  return otherSystemError({ ...failure, reason }, error);
}
