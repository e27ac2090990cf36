import { defineError } from '../../../kernel/errors/index.ts';

export const inputOutside = defineError<{ path: string; root: string }>({
  code: 'input-outside-root',
  means: 'Inputs are files of the project: a path or a pattern that leaves the project root is none.',
  message: ({ path, root }) => `input ${JSON.stringify(path)} must stay under the project root ${root}`,
  remedy: 'name files below the project root, or set root of the project block to a folder that holds them',
});

export const malformedInput = defineError<{ path: string; fault: string }>({
  code: 'malformed-input-pattern',
  means: 'A pattern among the inputs is not one of the forms * ? [a-z] [^a-z] \\x and **, each within one name of a path.',
  message: ({ path, fault }) => `input ${JSON.stringify(path)} is a malformed pattern: it ${fault}`,
  remedy: 'correct the pattern; a backslash makes the next letter stand for itself',
});

export const inputChanging = defineError<{ path: string }>({
  code: 'input-changing',
  means: 'A file was written to each time file_hash read it, so that no one content of it could be told.',
  message: ({ path }) => `${path} kept changing while it was read`,
  remedy: 'wait until nothing writes to the file, then run the command again',
});

export const inputIsState = defineError<{ path: string }>({
  code: 'input-is-state',
  means: 'State of programs beside the sources changes while targets run, so it is never an input.',
  message: ({ path }) => `${JSON.stringify(path)} names state, which is never an input`,
  remedy: 'name sources instead',
});

export const inputDenied = defineError<{ sentence: string }>({
  code: 'input-denied',
  means: 'Something that file_hash should read cannot be read by this user, has a name that is not UTF-8, or is behind a link that leads out of the project.',
  message: ({ sentence }) => sentence,
  remedy: 'let this user read it, rename it, or name other files',
});
