import { defineError } from './define-error.ts';

export interface SystemFailure {
  readonly path: string;
  /** A verb phrase: `read`, `write`, `create`. */
  readonly action: string;
}

interface Refusal extends SystemFailure {
  readonly reason: string;
}

const message = ({ action, path, reason }: Refusal): string => `cannot ${action} ${path}: ${reason}`;

/** What the operating system refuses, by the code that users see. */
export const SYSTEM_ERRORS = {
  'disk-full': defineError<Refusal>({
    code: 'disk-full',
    means: 'There was no room for what had to be written, on the device or within the quota. What was acknowledged before is whole, and work goes on as soon as there is room.',
    message,
    remedy: 'free some space, then run the command again',
  }),
  'permission-denied': defineError<Refusal>({
    code: 'permission-denied',
    means: 'The system does not let this user read, write or search the path.',
    message,
    remedy: 'check the owner and the mode of this path',
  }),
  'read-only': defineError<Refusal>({
    code: 'read-only',
    means: 'The path lies on a file system that takes no writes, and something has to be stored there.',
    message,
    remedy: 'use a project folder that can be written',
  }),
  'not-found': defineError<Refusal>({
    code: 'not-found',
    means: 'Nothing is at the path, or a folder above it does not exist.',
    message,
    remedy: 'check the path',
  }),
  'not-a-file': defineError<Refusal>({
    code: 'not-a-file',
    means: 'A directory is where a regular file was expected.',
    message,
    remedy: 'name a regular file',
  }),
  'not-a-directory': defineError<Refusal>({
    code: 'not-a-directory',
    means: 'A part of the path that has to be a directory is something else.',
    message,
    remedy: 'check the path',
  }),
  'symlink-refused': defineError<Refusal>({
    code: 'symlink-refused',
    means: 'A symbolic link stands where only a real file or folder is used, since a link could lead what is written to another place.',
    message,
    remedy: 'replace the link by what it leads to',
  }),
  'too-many-open-files': defineError<Refusal>({
    code: 'too-many-open-files',
    means: 'This process may not open another file.',
    message,
    remedy: 'raise the limit with ulimit -n',
  }),
  'name-too-long': defineError<Refusal>({
    code: 'name-too-long',
    means: 'The file system takes no name of this length; most take 255 bytes.',
    message,
    remedy: 'use a shorter name',
  }),
  'system-error': defineError<Refusal>({
    code: 'system-error',
    means: 'The operating system refused something for a reason that drover has no advice for; the reason is in the message.',
    message,
    remedy: 'check the path and try again',
  }),
} as const;
