import { accessSync, constants, statSync } from 'node:fs';
import { isAbsolute } from 'node:path';
import type { ProgramRequest } from './contract.ts';
import { startFailure, type StartFailure } from './start-failure.ts';

/** What Linux takes as one argument or one `NAME=value`. */
const LONGEST_STRING = 131_071;
const LONE_SURROGATE = /\p{Surrogate}/u;

/**
 * What no program can be given, whatever the system is: looked for before anything is done, since neither the search
 * for the program nor the system tells it, and some of it would arrive as something else.
 */
export function malformed({ argv, env, cwd, marker }: ProgramRequest): StartFailure | undefined {
  const reason = argumentProblem(argv) ?? environmentProblem(env) ?? textProblem(marker, () => 'the marker') ?? markerProblem(marker);
  if (reason !== undefined) return startFailure('invalid-argument', { reason });
  const folder = textProblem(cwd, () => 'the path') ?? (isAbsolute(cwd) ? undefined : 'not an absolute path');
  return folder === undefined ? undefined : startFailure('missing-workdir', { cwd, reason: folder });
}

function argumentProblem(argv: readonly string[]): string | undefined {
  if (argv.length === 0) return 'the command is empty';
  if (argv[0] === '') return 'the name of the program is empty';
  return firstProblem(argv.entries(), ([index, argument]) => textProblem(argument, () => nameOfArgument(index, argv)));
}

/** Values may be secrets: only names are told. */
function environmentProblem(env: ProgramRequest['env']): string | undefined {
  return firstProblem(Object.entries(env), ([name, value]) => {
    if (name === '') return 'the name of an environment variable is empty';
    const called = (): string => nameOfVariable(name);
    if (name.includes('=')) return `${called()} has an equals sign in its name`;
    return textProblem(name, called) ?? textProblem(value, called);
  });
}

/** Lone surrogates have no bytes: the program would get others in their place. */
function textProblem(text: string, called: () => string): string | undefined {
  if (text.includes('\0')) return `${called()} contains a NUL byte`;
  return LONE_SURROGATE.test(text) ? `${called()} contains half a character, which has no bytes` : undefined;
}

/** The reaper is told in lines. */
function markerProblem(marker: string): string | undefined {
  return marker.includes('\n') ? 'the marker contains a line break' : undefined;
}

function firstProblem<Item>(items: Iterable<Item>, problemOf: (item: Item) => string | undefined): string | undefined {
  for (const item of items) {
    const problem = problemOf(item);
    if (problem !== undefined) return problem;
  }
  return undefined;
}

/** What is wrong with a well-formed request by itself, whatever the system says to it. */
export function checkRequest({ argv, env, cwd }: ProgramRequest): StartFailure | undefined {
  const reason =
    firstProblem(argv.entries(), ([index, argument]) => lengthProblem(argument, () => nameOfArgument(index, argv))) ??
    firstProblem(Object.entries(env), ([name, value]) => lengthProblem(`${name}=${value}`, () => nameOfVariable(name)));
  return reason === undefined ? checkWorkdir(cwd) : startFailure('argument-too-long', { reason });
}

function lengthProblem(text: string, called: () => string): string | undefined {
  const mayBeLong = text.length * 3 > LONGEST_STRING;
  if (!mayBeLong || Buffer.byteLength(text) <= LONGEST_STRING) return undefined;
  return `${called()} has ${Buffer.byteLength(text)} bytes; at most ${LONGEST_STRING} can be passed`;
}

function nameOfArgument(index: number, argv: readonly string[]): string {
  return index === 0 ? 'the name of the program' : `argument ${index} of ${argv[0]}`;
}

function nameOfVariable(name: string): string {
  return `environment variable ${JSON.stringify(name)}`;
}

function checkWorkdir(cwd: string): StartFailure | undefined {
  const reason = workdirProblem(cwd);
  return reason === undefined ? undefined : startFailure('missing-workdir', { cwd, reason });
}

function workdirProblem(cwd: string): string | undefined {
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
