import { defineError } from '../errors/index.ts';

export const dashPath = defineError<{ path: string }>({
  code: 'dash-path',
  means: 'A path that starts with a dash was to be given to a program, which would read it as an option.',
  message: ({ path }) => `path ${JSON.stringify(path)} starts with a dash, so a program would read it as an option`,
  remedy: ({ path }) => `write it as ${JSON.stringify(`./${path}`)}`,
});

export const nulPath = defineError<{ path: string }>({
  code: 'nul-in-path',
  means: 'A path holds a NUL byte, at which the system would cut it.',
  message: ({ path }) => `path ${JSON.stringify(path)} contains a NUL byte, which no file name can have`,
  remedy: 'remove the NUL byte from the path',
});
