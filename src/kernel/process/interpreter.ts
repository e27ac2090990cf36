import { statSync } from 'node:fs';
import type { ProgramRequest } from './contract.ts';
import { findProgram, firstBytes } from './program.ts';
import { startFailure, type StartFailure } from './start-failure.ts';

const FIRST_LINE = /^#![ \t]*([^\s]+)/;

/** Why a script could not be executed although it was found: the interpreter that it names does not exist. */
export function interpreterProblem(request: ProgramRequest): StartFailure | undefined {
  const found = findProgram(request);
  if ('reason' in found) return undefined;
  const interpreter = FIRST_LINE.exec(firstBytes(found.file)?.toString('latin1') ?? '')?.[1];
  if (interpreter === undefined || !interpreter.startsWith('/') || exists(Buffer.from(interpreter, 'latin1'))) return undefined;
  return startFailure('missing-interpreter', { program: found.file });
}

/** By its bytes, which need not be UTF-8. */
function exists(path: Buffer): boolean {
  return statSync(path, { throwIfNoEntry: false }) !== undefined;
}
