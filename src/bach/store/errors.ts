import { defineError } from '../../kernel/errors/index.ts';

export const missingBachfile = defineError<{ file: string }>({
  code: 'missing-bachfile',
  means: 'There is no Bachfile at the path; without --file it is looked for in the current folder only.',
  message: ({ file }) => `${file}: no such file`,
  remedy: 'run bach in the folder of a Bachfile, or name one with --file',
});

export const rootNotAFolder = defineError<{ path: string }>({
  code: 'root-not-a-directory',
  means: 'The root of the project block does not lead to a folder.',
  message: ({ path }) => `project root ${path} is not a directory`,
  remedy: 'set root of the project block to an existing folder',
});

export const homeNotSet = defineError<{ root: string }>({
  code: 'home-not-set',
  means: 'The root of the project block begins with ~, and HOME, which says what that is, is not set.',
  message: ({ root }) => `project root ${JSON.stringify(root)} needs HOME, which is not set`,
  remedy: 'set HOME, or write the root without ~',
});

export const badEnvironmentFile = defineError<{ file: string; line: number; reason: string }>({
  code: 'bad-env-file',
  means: 'A line of .env or of the file of --env-file is not KEY=value, or not UTF-8.',
  message: ({ file, line, reason }) => `${file}:${line}: ${reason}`,
  remedy: 'write each line as KEY=value, in UTF-8',
});

export const runNotFound = defineError<{ id: string }>({
  code: 'run-not-found',
  means: 'No run with this id is recorded in the state of this project.',
  message: ({ id }) => `not found: run ${JSON.stringify(id)}`,
  remedy: 'see the runs there are with: bach runs list --runs-limit 0',
});

export const stateRemoved = defineError<{ path: string }>({
  code: 'state-removed',
  means: 'The state folder was removed or replaced while a run was on. The run went on, and its record is lost.',
  message: ({ path }) => `${path} was removed or replaced while the run was on, and the record of the run went with it`,
  remedy: 'leave the state alone while bach runs; run it again to have it recorded',
});

export const runDirectoryTaken = defineError<{ path: string }>({
  code: 'run-directory-taken',
  means: 'The folder of a new run or of a target is taken by something that this run did not make.',
  message: ({ path }) => `${path}: something stands there already`,
  remedy: 'let targets write below their own $RUN_DIRECTORY only',
});

export const runLockTaken = defineError<{ path: string }>({
  code: 'run-lock-taken',
  means: 'Another process took the lock of a run that was only just begun.',
  message: ({ path }) => `${path}: another process holds the lock of this new run`,
  remedy: 'start the run again',
});

export const damagedRow = defineError<{ id: string; column: string; value: string }>({
  code: 'damaged-state',
  means: 'A row of the state database holds a value that no version of bach writes.',
  message: ({ id, column, value }) => `run ${JSON.stringify(id)} has an unreadable ${column}: ${JSON.stringify(value)}`,
  remedy: 'keep a copy of the state database and report it; the logs beside it are whole',
});

export const damagedCacheRow = defineError<{ key: string; column: string; value: string }>({
  code: 'damaged-cache-row',
  means: 'A row of the cache in the state database holds a value that no version of bach writes.',
  message: ({ key, column, value }) => `the cache of ${JSON.stringify(key)} has an unreadable ${column}: ${JSON.stringify(value)}`,
  remedy: 'keep a copy of the state database and report it; the logs beside it are whole',
});

export const starterFileExists = defineError<{ paths: readonly string[] }>({
  code: 'starter-file-exists',
  means: 'bach init makes files only where there are none. Nothing was written.',
  message: ({ paths }) => paths.map((path) => `refusing to overwrite existing file ${path}`).join('\n'),
  remedy: 'keep what is there, or name another place with --file',
});

export const stagedFilesMissing = defineError<{ paths: readonly string[] }>({
  code: 'staged-files-missing',
  means: 'The program that should write the starter files ended well, and did not leave them where they were expected. Nothing was installed.',
  message: ({ paths }) => `missing input: init provider completed but staged files are missing: ${paths.join(', ')}`,
  remedy: 'run the command again, or use "bach init" without --provider',
});

export const stagedFileUnusable = defineError<{ path: string; reason: string }>({
  code: 'staged-file-unusable',
  means: 'A file that the provider of bach init left is empty or no text. Nothing was installed.',
  message: ({ path, reason }) => `invalid input: init provider staged ${path}, which ${reason}`,
  remedy: 'run the command again, or use "bach init" without --provider',
});

export const initIsRunning = defineError<{ root: string }>({
  code: 'init-is-running',
  means: 'Another bach init waits for its provider in the same folder; both would use the same files.',
  message: ({ root }) => `another bach init is at work in ${root}`,
  remedy: 'wait until it has ended',
});
