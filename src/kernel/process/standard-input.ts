import { constants } from 'node:fs';
import type { ChildProcess } from 'node:child_process';
import { describeSystemError, isDroverError } from '../errors/index.ts';
import type { Input } from './contract.ts';
import { openPlainFile } from './plain-file.ts';
import { startFailure, type StartFailure } from './start-failure.ts';

/** What a program reads: nothing, a file of which it gets its own descriptor, or bytes through a pipe. */
export interface StandardInput {
  readonly stdio: 'ignore' | 'pipe' | number;
  /** Called once the program was started, or was not. */
  readonly handOver: (child: ChildProcess | undefined) => void;
}

export function standardInput(input: Input | undefined): StandardInput | StartFailure {
  if (input === undefined) return { stdio: 'ignore', handOver: () => undefined };
  if (input instanceof Uint8Array) return { stdio: 'pipe', handOver: (child) => feed(child, input) };
  try {
    const { descriptor, close } = openPlainFile(input.path, { flags: constants.O_RDONLY, unfit: 'input-unavailable' });
    return { stdio: descriptor, handOver: close };
  } catch (error) {
    if (isDroverError(error)) return { reason: 'input-unavailable', error };
    const { message } = describeSystemError(error, { path: input.path, action: 'read' });
    return startFailure('input-unavailable', { reason: message }, error);
  }
}

function feed(child: ChildProcess | undefined, bytes: Uint8Array): void {
  // A program that reads only a part of it, or nothing, is no failure of ours.
  child?.stdin?.on('error', () => undefined);
  child?.stdin?.end(bytes);
}
