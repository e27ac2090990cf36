import { accessSync, constants, statSync } from 'node:fs';
import type { ProgramRequest } from './contract.ts';
import { startFailure, type StartFailure } from './start-failure.ts';

/** What Linux takes as one argument or one `NAME=value`. */
const LONGEST_STRING = 131_071;

/** What is wrong with a request by itself, whatever the system says to it. */
export function checkRequest({ argv, env, cwd }: ProgramRequest): StartFailure | undefined {
  return checkArguments(argv) ?? checkEnvironment(env) ?? checkWorkdir(cwd);
}

function checkArguments(argv: readonly string[]): StartFailure | undefined {
  if (argv[0] === '') return startFailure('invalid-argument', { reason: 'the name of the program is empty' });
  for (const [index, argument] of argv.entries()) {
    const failure = checkString(argument, () => (index === 0 ? 'the name of the program' : `argument ${index} of ${argv[0]}`));
    if (failure !== undefined) return failure;
  }
  return undefined;
}

/** Values may be secrets: only names are told. */
function checkEnvironment(env: Readonly<Record<string, string>>): StartFailure | undefined {
  for (const [name, value] of Object.entries(env)) {
    const failure = checkString(`${name}=${value}`, () => `environment variable ${JSON.stringify(name)}`);
    if (failure !== undefined) return failure;
  }
  return undefined;
}

function checkString(text: string, name: () => string): StartFailure | undefined {
  if (text.includes('\0')) return startFailure('invalid-argument', { reason: `${name()} contains a NUL byte` });
  const mayBeLong = text.length * 3 > LONGEST_STRING;
  if (!mayBeLong || Buffer.byteLength(text) <= LONGEST_STRING) return undefined;
  const reason = `${name()} has ${Buffer.byteLength(text)} bytes; at most ${LONGEST_STRING} can be passed`;
  return startFailure('argument-too-long', { reason });
}

function checkWorkdir(cwd: string): StartFailure | undefined {
  const reason = workdirProblem(cwd);
  return reason === undefined ? undefined : startFailure('missing-workdir', { cwd, reason });
}

function workdirProblem(cwd: string): string | undefined {
  if (cwd.includes('\0')) return 'the path contains a NUL byte';
  try {
    const stats = statSync(cwd, { throwIfNoEntry: false });
    if (stats === undefined) return 'no such directory';
    if (!stats.isDirectory()) return 'not a directory';
    accessSync(cwd, constants.X_OK);
    return undefined;
  } catch (error) {
    // Every reason why it cannot be entered is told by its code, e.g. EACCES or ENOTDIR on the way.
    return `cannot be entered (${(error as NodeJS.ErrnoException).code})`;
  }
}
