import { isDroverError, type DroverError } from './define-error.ts';
import { SYSTEM_ERRORS, type SystemFailure } from './errors.ts';

interface Meaning {
  readonly code: keyof typeof SYSTEM_ERRORS;
  readonly reason: string;
}

/** What an answer of the system means to a person. */
const REASONS = new Map<string, Meaning>([
  ['ENOSPC', { code: 'disk-full', reason: 'no space left on the device' }],
  ['EDQUOT', { code: 'disk-full', reason: 'the disk quota is used up' }],
  ['EACCES', { code: 'permission-denied', reason: 'permission denied' }],
  ['EPERM', { code: 'permission-denied', reason: 'operation not permitted' }],
  ['EROFS', { code: 'read-only', reason: 'the file system is read-only' }],
  ['ENOENT', { code: 'not-found', reason: 'no such file or directory' }],
  ['EISDIR', { code: 'not-a-file', reason: 'it is a directory' }],
  ['ENXIO', { code: 'not-a-file', reason: 'it is a pipe, a socket or a device' }],
  ['ENOTDIR', { code: 'not-a-directory', reason: 'a part of the path is not a directory' }],
  ['ELOOP', { code: 'symlink-refused', reason: 'a symbolic link stands in the way' }],
  ['EMFILE', { code: 'too-many-open-files', reason: 'too many open files' }],
  ['ENAMETOOLONG', { code: 'name-too-long', reason: 'the name is too long' }],
]);

/** Node has no name for a quota that is used up, only the number: of Linux, and of macOS. */
const QUOTA_NUMBERS = [-122, -69];

/**
 * Turns what the operating system threw into an error with a code, the path and a remedy.
 * `action` is a verb phrase: `read`, `write`, `create`.
 */
export function describeSystemError(error: unknown, failure: SystemFailure): DroverError {
  if (isDroverError(error)) return error;
  const code = nameOf(error as NodeJS.ErrnoException | null);
  const known = code === undefined ? undefined : REASONS.get(code);
  if (known !== undefined) return SYSTEM_ERRORS[known.code]({ ...failure, reason: known.reason }, error);
  const reason = code ?? (error instanceof Error ? error.message : String(error));
  return SYSTEM_ERRORS['system-error']({ ...failure, reason }, error);
}

function nameOf(error: NodeJS.ErrnoException | null | undefined): string | undefined {
  const isUnnamed = /^unknown\b/i.test(String(error?.code));
  return isUnnamed && QUOTA_NUMBERS.includes(error?.errno ?? 0) ? 'EDQUOT' : error?.code;
}
