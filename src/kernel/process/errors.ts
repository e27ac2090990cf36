import { defineError } from '../errors/index.ts';

interface Program {
  readonly program: string;
}

interface Reasoned {
  readonly reason: string;
}

const SMALLER = 'pass long text through standard input or a file';

/** Why a program was not started; the key is the code that users see. */
export const START_ERRORS = {
  'command-not-found': defineError<Program & { searched: string }>({
    code: 'command-not-found',
    message: ({ program, searched }) => `command not found: ${program} (looked in ${searched})`,
    remedy: 'install it, or correct the name or the PATH of this command',
  }),
  'not-executable': defineError<Program & Reasoned>({
    code: 'not-executable',
    message: ({ program, reason }) => `cannot execute ${program}: ${reason}`,
    remedy: 'make the file executable, or name the interpreter in front of it',
  }),
  'exec-format': defineError<Program>({
    code: 'exec-format',
    message: ({ program }) => `cannot execute ${program}: neither a program of this machine nor a script with a #! line`,
    remedy: 'add a #! line, or name the interpreter in front of it',
  }),
  'missing-interpreter': defineError<Program>({
    code: 'missing-interpreter',
    message: ({ program }) => `cannot execute ${program}: the interpreter that it asks for does not exist`,
    remedy: 'correct the #! line or install the interpreter',
  }),
  'missing-workdir': defineError<Reasoned & { cwd: string }>({
    code: 'missing-workdir',
    message: ({ cwd, reason }) => `working directory ${cwd}: ${reason}`,
    remedy: 'create the folder or correct the path',
  }),
  'argument-too-long': defineError<Reasoned>({
    code: 'argument-too-long',
    message: ({ reason }) => reason,
    remedy: SMALLER,
  }),
  'invalid-argument': defineError<Reasoned>({
    code: 'invalid-argument',
    message: ({ reason }) => reason,
    remedy: 'give the program a name, and take NUL characters out of the command and its environment',
  }),
  'too-many-open-files': defineError<Program>({
    code: 'too-many-open-files',
    message: ({ program }) => `cannot start ${program}: too many open files`,
    remedy: 'raise the limit with ulimit -n or run fewer commands at once',
  }),
  'too-many-processes': defineError<Program>({
    code: 'too-many-processes',
    message: ({ program }) => `cannot start ${program}: no room for another process`,
    remedy: 'raise the limit with ulimit -u or run fewer commands at once',
  }),
  'log-unavailable': defineError<Reasoned>({
    code: 'log-unavailable',
    message: ({ reason }) => reason,
    remedy: 'check the folder that the logs are written to',
  }),
  'start-failed': defineError<Program & Reasoned>({
    code: 'start-failed',
    message: ({ program, reason }) => `cannot start ${program}: ${reason}`,
    remedy: 'try again; if it stays, run the command by hand in the same folder',
  }),
} as const;

export type StartFailureReason = keyof typeof START_ERRORS;

export const notEnded = defineError<{ pid: number }>({
  code: 'process-not-ended',
  message: ({ pid }) => `process group ${pid} still runs: it could not be killed`,
  remedy: 'it may belong to another user or wait for a device; end it by hand',
});
