import { spawn, type ChildProcess } from 'node:child_process';
import type { LeaderEnd, SpawnRequest } from './contract.ts';
import { checkRequest } from './check-request.ts';
import { findProgram } from './program.ts';
import { startFailure, type StartFailure } from './start-failure.ts';

/** The program that leads a group, from its start to its end. */
export interface Leader {
  /** `undefined` when it was not started; `ended` then says why. */
  readonly pid: number | undefined;
  readonly ended: Promise<LeaderEnd>;
  /** Waits no longer for its end. */
  readonly release: () => void;
}

/** Starts the program as leader of a new session and group, with both output streams on `descriptor`. */
export function launch(request: SpawnRequest, descriptor: number): Leader {
  const found = findProgram(request);
  if ('reason' in found) return noLeader(diagnose(request, found));
  const [program, ...rest] = request.argv;
  try {
    const child = spawn(found.file, rest, {
      argv0: program,
      cwd: request.cwd,
      env: childEnvironment(request),
      detached: true,
      stdio: ['ignore', descriptor, descriptor],
    });
    return { pid: child.pid, ended: endOf(child, { request, file: found.file }), release: () => child.unref() };
  } catch (error) {
    // Some refusals are thrown, the others come as an event: which is which differs between versions of Node.
    return noLeader(diagnose(request, refusal(error, found.file)));
  }
}

export function noLeader(failure: StartFailure): Leader {
  return { pid: undefined, ended: Promise.resolve({ kind: 'not-started', ...failure }), release: () => undefined };
}

/** Node adds its own coverage variable unless the name is taken, and leaves out what is undefined. */
function childEnvironment({ env, marker }: SpawnRequest): NodeJS.ProcessEnv {
  return { NODE_V8_COVERAGE: undefined, ...env, DROVER_RUN: marker };
}

function endOf(child: ChildProcess, { request, file }: { request: SpawnRequest; file: string }): Promise<LeaderEnd> {
  return new Promise((resolve) => {
    child.once('error', (error) => resolve({ kind: 'not-started', ...diagnose(request, refusal(error, file)) }));
    child.once('exit', (code, signal) =>
      resolve(signal === null ? { kind: 'exited', code: code ?? 0 } : { kind: 'signalled', signal }),
    );
  });
}

/**
 * Looks for the cause in the request, which names it better than the system's answer does: a missing folder and a
 * missing program give the same code. Only after a failure, so that a start that works pays nothing for it.
 */
function diagnose(request: SpawnRequest, answer: StartFailure): StartFailure {
  return checkRequest(request) ?? answer;
}

/** Why the system did not start a program that was found. */
function refusal(error: unknown, program: string): StartFailure {
  const code = (error as NodeJS.ErrnoException).code;
  switch (code) {
    case 'ENOENT':
      return startFailure('missing-interpreter', { program }, error);
    case 'EACCES':
      return startFailure('not-executable', { program, reason: 'permission denied' }, error);
    case 'ENOEXEC':
      return startFailure('exec-format', { program }, error);
    case 'E2BIG':
      return startFailure('argument-too-long', { reason: `${program}: arguments and environment are too long together` }, error);
    case 'EMFILE':
    case 'ENFILE':
      return startFailure('too-many-open-files', { program }, error);
    case 'EAGAIN':
    case 'ENOMEM':
      return startFailure('too-many-processes', { program }, error);
    default:
      return startFailure('start-failed', { program, reason: code ?? String(error) }, error);
  }
}
