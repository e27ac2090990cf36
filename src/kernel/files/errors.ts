import { defineError } from '../errors/index.ts';

interface AtPath {
  readonly path: string;
}

export const fileHeld = defineError<AtPath>({
  code: 'file-held',
  message: ({ path }) => `${path} is in use by this process as a database or a lock; opening it here would break its locks`,
  remedy: 'name another file, or end the command that uses this one',
});

export const notARegularFile = defineError<AtPath>({
  code: 'not-a-regular-file',
  message: ({ path }) => `${path} is a pipe, a socket or a device`,
  remedy: 'name a regular file',
});

export const fileTooLarge = defineError<AtPath & { size: number; maxBytes: number }>({
  code: 'file-too-large',
  message: ({ path, size, maxBytes }) => `${path} has ${size} bytes, more than the ${maxBytes} that are read`,
  remedy: 'make the file smaller',
});

export const pathOutside = defineError<AtPath & { root: string }>({
  code: 'path-outside',
  message: ({ path, root }) => `path ${JSON.stringify(path)} leads outside ${root}`,
  remedy: ({ root }) => `name a path below ${root}; symbolic links count by what they lead to`,
});
