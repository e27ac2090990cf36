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
    means: 'No file of this name is in the folders of the PATH that the command gets, or at its path.',
    message: ({ program, searched }) => `command not found: ${program} (looked in ${searched})`,
    remedy: 'install it, or correct the name or the PATH of this command',
  }),
  'not-executable': defineError<Program & Reasoned>({
    code: 'not-executable',
    means: 'The file exists, and the system does not let this user execute it.',
    message: ({ program, reason }) => `cannot execute ${program}: ${reason}`,
    remedy: 'make the file executable, or name the interpreter in front of it',
  }),
  'exec-format': defineError<Program>({
    code: 'exec-format',
    means: 'The file is neither a program for this machine nor a script that names its interpreter in the first line. No shell is put in its place.',
    message: ({ program }) => `cannot execute ${program}: neither a program of this machine nor a script with a #! line`,
    remedy: 'add a #! line, or name the interpreter in front of it',
  }),
  'missing-interpreter': defineError<Program>({
    code: 'missing-interpreter',
    means: 'The first line of a script names an interpreter that does not exist.',
    message: ({ program }) => `cannot execute ${program}: the interpreter that it asks for does not exist`,
    remedy: 'correct the #! line or install the interpreter',
  }),
  'missing-workdir': defineError<Reasoned & { cwd: string }>({
    code: 'missing-workdir',
    means: 'The folder that a program was to be started in does not exist, cannot be entered, or is no absolute path.',
    message: ({ cwd, reason }) => `working directory ${cwd}: ${reason}`,
    remedy: 'create the folder or correct the path',
  }),
  'argument-too-long': defineError<Reasoned>({
    code: 'argument-too-long',
    means: 'An argument, or all of them with the environment, are longer than the system takes; one may have 131,071 bytes.',
    message: ({ reason }) => reason,
    remedy: SMALLER,
  }),
  'invalid-argument': defineError<Reasoned>({
    code: 'invalid-argument',
    means: 'A command has no program, or it or its environment hold what no program can be given: a NUL character, half a character of a pair, or a variable without a name or with an equals sign in it.',
    message: ({ reason }) => reason,
    remedy: 'correct the command or the variable that is named',
  }),
  'too-many-open-files': defineError<Program>({
    code: 'too-many-open-files',
    means: 'This process or the whole system may not open another file, which each program that is started needs.',
    message: ({ program }) => `cannot start ${program}: too many open files`,
    remedy: 'raise the limit with ulimit -n or run fewer commands at once',
  }),
  'too-many-processes': defineError<Program>({
    code: 'too-many-processes',
    means: 'The system has no room for another process of this user, or no memory for it.',
    message: ({ program }) => `cannot start ${program}: no room for another process`,
    remedy: 'raise the limit with ulimit -u or run fewer commands at once',
  }),
  'log-unavailable': defineError<Reasoned>({
    code: 'log-unavailable',
    means: 'The file that the output of a program goes to could not be opened, so that the program was not started.',
    message: ({ reason }) => reason,
    remedy: 'check the folder that the logs are written to',
  }),
  'input-unavailable': defineError<Reasoned>({
    code: 'input-unavailable',
    means: 'A file that a program was to get as its standard input cannot be opened.',
    message: ({ reason }) => reason,
    remedy: 'check the file that is fed to the command',
  }),
  'containment-unavailable': defineError<{ layer: string } & Reasoned>({
    code: 'containment-unavailable',
    means: 'A command was to run inside a containment that does not work on this machine or was not tried yet.',
    message: ({ layer, reason }) => `containment ${layer} cannot be used: ${reason}`,
    remedy: 'see what works here with drover doctor, and choose another layer or best',
  }),
  'start-failed': defineError<Program & Reasoned>({
    code: 'start-failed',
    means: 'The system did not start a program for a reason that drover has no advice for; the reason is in the message.',
    message: ({ program, reason }) => `cannot start ${program}: ${reason}`,
    remedy: 'try again; if it stays, run the command by hand in the same folder',
  }),
} as const;

export type StartFailureReason = keyof typeof START_ERRORS;

export const notEnded = defineError<{ pid: number }>({
  code: 'process-not-ended',
  means: 'A process was killed and goes on all the same, or may not be signalled by this user.',
  message: ({ pid }) => `process group ${pid} still runs: it could not be killed`,
  remedy: 'it may belong to another user or wait for a device; end it by hand',
});

/** Why a captured program was ended by us. */
export const CUT_ERRORS = {
  timeout: defineError<Program & { timeoutMs: number }>({
    code: 'program-timed-out',
    means: 'A short program that drover runs for itself did not end in the time it has.',
    message: ({ program, timeoutMs }) => `${program} did not end within ${timeoutMs} ms and was ended`,
    remedy: 'try again; if it stays, run the command by hand and see what it waits for',
  }),
  'too-much-output': defineError<Program & { maxOutputBytes: number }>({
    code: 'program-output-too-large',
    means: 'A short program that drover runs for itself printed more than its result can have.',
    message: ({ program, maxOutputBytes }) => `${program} printed more than ${maxOutputBytes} bytes and was ended`,
    remedy: 'run the command by hand and see what it prints',
  }),
  aborted: defineError<Program>({
    code: 'program-aborted',
    means: 'Whoever waited for a program wanted it to end.',
    message: ({ program }) => `${program} was ended before it was done`,
    remedy: 'run it again',
  }),
} as const;

export const recordDamaged = defineError<{ path: string }>({
  code: 'process-record-damaged',
  means: 'The file that says which process a session started cannot be understood, so nobody can tell what still runs.',
  message: ({ path }) => `${path}: not the record of a started process`,
  remedy: 'look for processes of that session by hand, then move the file away',
});

export const logMoved = defineError<{ path: string }>({
  code: 'log-moved',
  means: 'A log in which secrets were to be masked was replaced by another file while the program wrote to it.',
  message: ({ path }) => `${path} is not the file that the program writes to any more`,
  remedy: 'look for who moves files in the folder of logs; the moved log was not masked',
});
