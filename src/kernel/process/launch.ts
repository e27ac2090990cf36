import { spawn, type ChildProcess, type StdioOptions } from 'node:child_process';
import type { LeaderEnd, ProgramRequest } from './contract.ts';
import { checkRequest } from './check-request.ts';
import { MARKER_NAME } from './marks.ts';
import { findProgram } from './program.ts';
import { startFailure, type StartFailure } from './start-failure.ts';

/** The program that leads a group, from its start to its end. */
export interface Leader {
  /** `undefined` when it was not started; `ended` then says why. */
  readonly pid: number | undefined;
  readonly ended: Promise<LeaderEnd>;
  /** Waits no longer for its end. */
  readonly release: () => void;
  /** Our ends of the pipes that were asked for. */
  readonly child: ChildProcess | undefined;
}

/** What is executed where the request names a program. */
export interface Wrapper {
  readonly file: string;
  /** Arguments before the program and its own. */
  readonly args: readonly string[];
}

export interface LaunchOptions {
  readonly stdio: StdioOptions;
  readonly wrapper?: Wrapper | undefined;
  /** Variables of ours on top of the request's. */
  readonly extra?: Readonly<Record<string, string>> | undefined;
}

/** Starts the program as leader of a new session and group. */
export function launch(request: ProgramRequest, { stdio, wrapper, extra }: LaunchOptions): Leader {
  const found = findProgram(request);
  if ('reason' in found) return noLeader(diagnose(request, found));
  const [program, ...rest] = request.argv;
  const file = wrapper?.file ?? found.file;
  const args = wrapper === undefined ? rest : [...wrapper.args, found.file, ...rest];
  try {
    const child = spawn(file, args, {
      argv0: wrapper?.file ?? program,
      cwd: request.cwd,
      env: { ...childEnvironment(request), ...extra },
      detached: true,
      stdio,
    });
    return { pid: child.pid, ended: endOf(child, { request, file: found.file }), release: () => child.unref(), child };
  } catch (error) {
    // Some refusals are thrown, the others come as an event: which is which differs between versions of Node.
    return noLeader(diagnose(request, refusal(error, found.file)));
  }
}

export function noLeader(failure: StartFailure): Leader {
  return { pid: undefined, ended: Promise.resolve({ kind: 'not-started', ...failure }), release: () => undefined, child: undefined };
}

/** Node adds its own coverage variable unless the name is taken, and leaves out what is undefined. */
function childEnvironment({ env, marker }: ProgramRequest): NodeJS.ProcessEnv {
  return { NODE_V8_COVERAGE: undefined, ...env, [MARKER_NAME]: marker };
}

function endOf(child: ChildProcess, { request, file }: { request: ProgramRequest; file: string }): Promise<LeaderEnd> {
  return new Promise((resolve) => {
    // In a turn of its own: whoever starts the next program at once, inside the event, keeps Node from everything else
    // for as long as programs end as fast as they are started. No timer would fire, and no handle be closed.
    child.once('error', (error) => setImmediate(resolve, { kind: 'not-started', ...diagnose(request, refusal(error, file)) }));
    child.once('exit', (code, signal) =>
      setImmediate(resolve, signal === null ? { kind: 'exited', code: code ?? 0 } : { kind: 'signalled', signal }),
    );
  });
}

/**
 * Looks for the cause in the request, which names it better than the system's answer does: a missing folder and a
 * missing program give the same code. Only after a failure, so that a start that works pays nothing for it.
 */
function diagnose(request: ProgramRequest, answer: StartFailure): StartFailure {
  return checkRequest(request) ?? answer;
}

/** Why the system did not start a program that was found. */
export function refusal(error: unknown, program: string): StartFailure {
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
