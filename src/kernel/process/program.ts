import { accessSync, constants, readdirSync, readSync, statSync, type Stats } from 'node:fs';
import { resolve } from 'node:path';
import type { ProgramRequest } from './contract.ts';
import { openPlainFile } from './plain-file.ts';
import { startFailure, type StartFailure } from './start-failure.ts';

/** Where the C library looks when the environment has no PATH. */
const DEFAULT_PATH = '/usr/bin:/bin';

const ELF = ['7f454c46'];
/** Both widths in both byte orders, and the container for several machines. */
const MACH_O = ['feedface', 'feedfacf', 'cefaedfe', 'cffaedfe', 'cafebabe'];
const PROGRAM_STARTS = process.platform === 'darwin' ? MACH_O : ELF;
const SCRIPT_START = '#!';
const FIRST_BYTES = 128;
/** Only a narrower mode needs the question whether it holds for us. */
const EVERYONE_EXECUTES = 0o111;

/** What was learnt of files whose stamps have not changed since: a run starts the same few programs again and again. */
const knownFormats = new Map<string, { readonly stamp: string; readonly known: boolean }>();

/**
 * Finds the file to execute as `execvp` would in the child: a name with a slash is taken from the working directory,
 * any other is looked for in the PATH of the child's environment, whose relative parts count from there too.
 * Done here, so that our own PATH never decides, on any platform or version.
 */
export function findProgram({ argv, env, cwd }: ProgramRequest): { readonly file: string } | StartFailure {
  const program = argv[0];
  const path = env['PATH'] ?? DEFAULT_PATH;
  const isPath = program.includes('/');
  let refused: StartFailure | undefined;
  for (const folder of isPath ? [''] : path.split(':')) {
    const file = isPath ? resolve(cwd, program) : inFolder(folder, { program, cwd });
    const answer = examine(file);
    if (answer === 'executable') return { file };
    if (answer === 'absent') continue;
    // The kernel's word on a format is final; after a refusal the rest of the PATH is still tried.
    if (answer.reason === 'exec-format') return answer;
    refused ??= answer;
  }
  return refused ?? startFailure('command-not-found', { program, searched: isPath ? cwd : `PATH=${path}` });
}

/** The empty part of a PATH is the working directory. */
function inFolder(folder: string, { program, cwd }: { readonly program: string; readonly cwd: string }): string {
  return folder.startsWith('/') ? `${folder}/${program}` : resolve(cwd, folder, program);
}

function examine(file: string): 'executable' | 'absent' | StartFailure {
  try {
    const stats = statSync(file, { throwIfNoEntry: false });
    if (stats === undefined) return 'absent';
    if (!stats.isFile()) return startFailure('not-executable', { program: file, reason: 'not a regular file' });
    if ((stats.mode & EVERYONE_EXECUTES) !== EVERYONE_EXECUTES) accessSync(file, constants.X_OK);
    return hasKnownFormat(file, stats) ? 'executable' : startFailure('exec-format', { program: file });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EACCES') return 'absent';
    return startFailure('not-executable', { program: file, reason: 'permission denied' }, error);
  }
}

function hasKnownFormat(file: string, { ino, size, mtimeMs, ctimeMs }: Stats): boolean {
  const stamp = `${ino} ${size} ${mtimeMs} ${ctimeMs}`;
  const remembered = knownFormats.get(file);
  if (remembered?.stamp === stamp) return remembered.known;
  const known = startsLikeProgram(file);
  knownFormats.set(file, { stamp, known });
  return known;
}

/** `execvp` hands a file that the kernel does not know to /bin/sh; nobody asked for a shell, so that is refused here. */
function startsLikeProgram(file: string): boolean {
  const start = firstBytes(file);
  if (start === undefined || start.toString('latin1', 0, 2) === SCRIPT_START) return true;
  if (PROGRAM_STARTS.includes(start.toString('hex', 0, 4))) return true;
  return start.includes(0) && hasForeignFormats();
}

/** A file that may be executed but not read, or that we hold locks in, is left to the kernel to judge. */
export function firstBytes(file: string): Buffer | undefined {
  try {
    const { descriptor, close } = openPlainFile(file, { flags: constants.O_RDONLY, unfit: 'input-unavailable' });
    const bytes = Buffer.alloc(FIRST_BYTES);
    try {
      return bytes.subarray(0, readSync(descriptor, bytes));
    } finally {
      close();
    }
  } catch {
    return undefined;
  }
}

/** Linux can be taught binary formats of other systems; where none can be listed, an unknown binary is damage. */
function hasForeignFormats(): boolean {
  try {
    return readdirSync('/proc/sys/fs/binfmt_misc').some((name) => name !== 'register' && name !== 'status');
  } catch {
    return false;
  }
}
