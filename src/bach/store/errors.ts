import { defineError } from '../../kernel/errors/index.ts';

export const missingBachfile = defineError<{ file: string }>({
  code: 'missing-bachfile',
  message: ({ file }) => `${file}: no such file`,
  remedy: 'run bach in the folder of a Bachfile, or name one with --file',
});

export const rootNotAFolder = defineError<{ path: string }>({
  code: 'root-not-a-directory',
  message: ({ path }) => `project root ${path} is not a directory`,
  remedy: 'set root of the project block to an existing folder',
});

export const homeNotSet = defineError<{ root: string }>({
  code: 'home-not-set',
  message: ({ root }) => `project root ${JSON.stringify(root)} needs HOME, which is not set`,
  remedy: 'set HOME, or write the root without ~',
});

export const badEnvironmentFile = defineError<{ file: string; line: number; reason: string }>({
  code: 'bad-env-file',
  message: ({ file, line, reason }) => `${file}:${line}: ${reason}`,
  remedy: 'write each line as KEY=value, in UTF-8',
});

export const runNotFound = defineError<{ id: string }>({
  code: 'run-not-found',
  message: ({ id }) => `not found: run ${JSON.stringify(id)}`,
  remedy: 'see the runs there are with: bach runs list --runs-limit 0',
});

export const stateRemoved = defineError<{ path: string }>({
  code: 'state-removed',
  message: ({ path }) => `${path} was removed or replaced while the run was on, and the record of the run went with it`,
  remedy: 'leave the state alone while bach runs; run it again to have it recorded',
});

export const runDirectoryTaken = defineError<{ path: string }>({
  code: 'run-directory-taken',
  message: ({ path }) => `${path}: something stands there already`,
  remedy: 'let targets write below their own $RUN_DIRECTORY only',
});

export const runLockTaken = defineError<{ path: string }>({
  code: 'run-lock-taken',
  message: ({ path }) => `${path}: another process holds the lock of this new run`,
  remedy: 'start the run again',
});

export const damagedRow = defineError<{ id: string; column: string; value: string }>({
  code: 'damaged-state',
  message: ({ id, column, value }) => `run ${JSON.stringify(id)} has an unreadable ${column}: ${JSON.stringify(value)}`,
  remedy: 'keep a copy of the state database and report it; the logs beside it are whole',
});
