import type { IdSource } from '../../kernel/ids/index.ts';
import { containedPath } from '../../kernel/paths/index.ts';
import type { Origin, Reaper, SpawnRequest } from '../../kernel/process/index.ts';
import type { Redaction } from '../../kernel/redact/index.ts';
import type { Clock } from '../../kernel/time/index.ts';
import { checkFolderOutside, checkInvalid } from '../errors.ts';

/** What commands are started with. */
export interface CheckHost {
  readonly clock: Clock;
  /** The run, as in `SpawnRequest.marker`. */
  readonly marker: string;
  readonly redaction: Redaction;
  /** Names logs: no two of a folder may be the same. */
  readonly ids: IdSource;
  /** As in `SpawnRequest`: anything but `none` (the default) needs `detectContainment` to have answered. */
  readonly containment?: SpawnRequest['containment'];
  readonly reaper?: Reaper | 'none';
  /** Nothing is started with less room where the files or the logs are, and no failure is believed then. Default 100 MiB. */
  readonly reserveBytes?: number;
}

/** A check that is a command. */
export interface CheckCommand {
  readonly name: string;
  /** Program and arguments, or a text of the user's file that is for the shell. */
  readonly command: readonly [string, ...string[]] | { readonly shell: string };
  readonly origin: Origin;
  /** Relative to the root of the files. Default: the root. */
  readonly cwd?: string;
  /** The whole environment. */
  readonly env: Readonly<Record<string, string>>;
  readonly timeoutMs: number;
  /** Between TERM and KILL. Default 5 seconds. */
  readonly graceMs?: number;
  /** More output ends it as a failure. Default 1 GiB. */
  readonly maxOutputBytes?: number;
  /** Exit codes that speak of the machine. Default 126 and 127, by which shells tell that they found no command. */
  readonly envFaultExits?: readonly number[];
  /** One more such code, declared by the user: 1 to 255; 0 is none. */
  readonly envFaultRc?: number;
  /** Of a command that failed by itself: looked for in the last 64 KiB of its output, without escapes and secrets. */
  readonly envFaultPatterns?: readonly RegExp[];
  /** Put before a detail that had to be cut. Default: nothing. */
  readonly truncationMark?: string;
  /** Absolute, and there: gets one file for each run. */
  readonly logFolder: string;
  readonly host: CheckHost;
}

const LARGEST_EXIT = 255;
const SHELL = '/bin/sh';

/** Throws `check-invalid`, `check-folder-outside`. */
export function requireSound({ name, command, cwd = '.', ...numbers }: CheckCommand): void {
  const reason = commandProblem(name, command) ?? numberProblem(numbers);
  if (reason !== undefined) throw checkInvalid({ check: name, reason });
  const isBelow = !cwd.startsWith('/') && containedPath('/files', cwd).inside;
  if (!isBelow) throw checkFolderOutside({ check: name, folder: cwd });
}

function commandProblem(name: string, command: CheckCommand['command']): string | undefined {
  if (name === '') return 'it has no name';
  const text = 'shell' in command ? command.shell : command[0];
  return text === undefined || text.trim() === '' ? 'its command is empty' : undefined;
}

type Numbers = Pick<CheckCommand, 'timeoutMs' | 'graceMs' | 'maxOutputBytes' | 'envFaultRc'>;

function numberProblem({ timeoutMs, graceMs = 0, maxOutputBytes = 0, envFaultRc = 0 }: Numbers): string | undefined {
  if (!(timeoutMs >= 1)) return `its time limit is ${timeoutMs} ms`;
  if (!(graceMs >= 0)) return `its grace is ${graceMs} ms`;
  if (!(maxOutputBytes >= 0)) return `it may print ${maxOutputBytes} bytes`;
  const isExit = Number.isInteger(envFaultRc) && envFaultRc >= 0 && envFaultRc <= LARGEST_EXIT;
  return isExit ? undefined : `${envFaultRc} is no exit code`;
}

export function argvOf(command: CheckCommand['command']): readonly [string, ...string[]] {
  return 'shell' in command ? [SHELL, '-c', command.shell] : command;
}
