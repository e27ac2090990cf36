import { defineError } from '../errors/index.ts';

interface AtPath {
  readonly path: string;
}

export const fileHeld = defineError<AtPath>({
  code: 'file-held',
  means: 'A file that this process uses as a database or a lock was to be opened as a plain file, which would drop its locks.',
  message: ({ path }) => `${path} is in use by this process as a database or a lock; opening it here would break its locks`,
  remedy: 'name another file, or end the command that uses this one',
});

export const tooManyHolds = defineError<AtPath>({
  code: 'too-many-holds',
  means: 'One process registers at most 4,096 database and lock files at a time, so that it can keep their locks safe.',
  message: ({ path }) => `${path} cannot be registered: this process has too many databases and locks open`,
  remedy: 'end the command and start it again with less work at once',
});

export const alreadyExists = defineError<AtPath>({
  code: 'already-exists',
  means: 'A file was to be made anew, and something stands at its path already. It was left as it is.',
  message: ({ path }) => `${path} exists already`,
  remedy: 'name another path, or look at what is there',
});

/** `free` and `reserve` in MiB. */
export const diskReserve = defineError<AtPath & { free: number; reserve: number }>({
  code: 'disk-reserve',
  means: 'The disk has less space left than is kept for work that was begun. Nothing new is begun there, so that what runs can be written to its end.',
  message: ({ path, free, reserve }) => `${path}: ${free} MiB are free, and ${reserve} MiB are kept for work that was begun`,
  remedy: 'make room on this file system, then start the run again',
});

export const fileChanging = defineError<AtPath>({
  code: 'file-changing',
  means: 'A file was written to each time it was read, so that no one content of it could be told.',
  message: ({ path }) => `${path} kept changing while it was read`,
  remedy: 'wait until nothing writes to the file, then run the command again',
});

export const shortWrite = defineError<AtPath & { size: number; expected: number }>({
  code: 'short-write',
  means: 'The system took fewer bytes than it was given, so the write counts as failed.',
  message: ({ path, size, expected }) => `cannot write ${path}: ${size} of ${expected} bytes were taken`,
  remedy: 'look for a full or failing disk, then run the command again',
});

export const pathMoved = defineError<AtPath>({
  code: 'path-moved',
  means: 'A folder was moved or replaced while something below it was used; what was done may have gone elsewhere.',
  message: ({ path }) => `${path} was moved or replaced while it was in use`,
  remedy: 'look for what replaced the folder, then run the command again',
});

export const undecodableName = defineError<AtPath>({
  code: 'undecodable-name',
  means: 'A path holds half of a character pair, which the system would store as another name than the one given.',
  message: ({ path }) => `path ${JSON.stringify(path)} is not valid Unicode, so no file has exactly this name`,
  remedy: 'correct the path',
});

export const folderClosed = defineError<AtPath>({
  code: 'folder-closed',
  means: 'Something was asked of a folder after it was closed. That is a fault of the program.',
  message: ({ path }) => `${path} was used after it was closed`,
  remedy: 'report this with the command that you ran',
});

export const notARegularFile = defineError<AtPath>({
  code: 'not-a-regular-file',
  means: 'A regular file was expected, and a pipe, a socket or a device stands there, which could be waited for without end.',
  message: ({ path }) => `${path} is a pipe, a socket or a device`,
  remedy: 'name a regular file',
});

export const fileTooLarge = defineError<AtPath & { size: number; maxBytes: number }>({
  code: 'file-too-large',
  means: 'A file has more bytes than its kind is read with, so that no file can fill the memory.',
  message: ({ path, size, maxBytes }) => `${path} has ${size} bytes, more than the ${maxBytes} that are read`,
  remedy: 'make the file smaller',
});

export const pathOutside = defineError<AtPath & { root: string }>({
  code: 'path-outside',
  means: 'A path leads out of the folder that it has to stay in, by its text or through symbolic links.',
  message: ({ path, root }) => `path ${JSON.stringify(path)} leads outside ${root}`,
  remedy: ({ root }) => `name a path below ${root}; symbolic links count by what they lead to`,
});
