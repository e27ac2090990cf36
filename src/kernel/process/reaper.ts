import { spawn, type ChildProcess } from 'node:child_process';
import type { Socket } from 'node:net';
import { readStat } from './proc.ts';
import { REAPER_SCRIPT } from './reaper-script.ts';

/** A child whose group is to end when we are gone. */
export interface Watched {
  readonly pid: number;
  /** A `NAME=value` that it bears in its environment. */
  readonly mark: string;
  /** Whether whatever bears the mark is to end too, and not only the group; then the shell is started at once. */
  readonly endsMarked: boolean;
}

/** One small shell, in a session of its own, that ends what we started when we are gone. It needs `/proc`. */
export interface Reaper {
  /** From now until the returned function is called. */
  readonly watch: (child: Watched) => () => void;
  /** Lets the shell go; what is still watched is ended by it. */
  readonly close: () => void;
}

export interface ReaperOptions {
  /** Only its PATH is used. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Milliseconds between TERM and KILL. */
  readonly graceMs: number;
  /** How long a child has to live before the shell is started; then all that run are told to it at once. */
  readonly afterMs: number;
}

const SHARED_GRACE_MS = 2_000;
const SHARED_AFTER_MS = 200;
const TENTH_MS = 100;
let shared: Reaper | undefined;

/** The one of this process, for whoever brings none. */
export function sharedReaper(env: Readonly<Record<string, string>>): Reaper {
  shared ??= createReaper({ env, graceMs: SHARED_GRACE_MS, afterMs: SHARED_AFTER_MS });
  return shared;
}

/**
 * Prepares a reaper; its shell is started when the first child has lived `afterMs`.
 *
 * @example
 * const reaper = createReaper({ env, graceMs: 5_000, afterMs: 200 });
 * start(request, { clock, reaper });
 * reaper.close();
 */
export function createReaper(options: ReaperOptions): Reaper {
  const watched = new Map<number, Watched>();
  let shell: ChildProcess | undefined;
  let timer: NodeJS.Timeout | undefined;
  let isClosed = false;

  const begin = (): void => {
    timer = undefined;
    if (watched.size === 0 || shell !== undefined) return;
    // As an argument, so that from its first moment on the shell knows what runs.
    const list = [...watched.values()].map(entryOf).filter((entry) => entry !== undefined);
    // What ended by now, or where nothing tells start times.
    if (list.length === 0) return;
    shell = startShell({ ...options, list }, () => {
      shell = undefined;
    });
  };

  const beginLater = ({ endsMarked }: Watched): void => {
    if (isClosed) return;
    if (endsMarked || options.afterMs === 0) return begin();
    timer ??= setTimeout(begin, options.afterMs).unref();
  };

  const forget = (pid: number): void => {
    watched.delete(pid);
    tell(shell, '-', String(pid));
    if (watched.size > 0) return;
    clearTimeout(timer);
    timer = undefined;
  };

  return {
    watch: (child) => {
      watched.set(child.pid, child);
      if (shell === undefined) beginLater(child);
      else tell(shell, '+', entryOf(child));
      return () => forget(child.pid);
    },
    close: () => {
      isClosed = true;
      clearTimeout(timer);
      shell?.stdin?.end();
    },
  };
}

interface Shell extends ReaperOptions {
  readonly list: readonly string[];
}

/** Where no further process can be started, children run without it; another one is tried with the next child. */
function startShell(options: Shell, onEnd: () => void): ChildProcess | undefined {
  try {
    const shell = spawnShell(options);
    shell.once('error', onEnd);
    shell.once('exit', onEnd);
    shell.stdin?.on('error', onEnd);
    // Neither keeps us alive.
    shell.unref();
    (shell.stdin as Socket | null | undefined)?.unref();
    return shell;
  } catch {
    // Some refusals are thrown, the others come as an event.
    return undefined;
  }
}

function spawnShell({ env, graceMs, list }: Shell): ChildProcess {
  const grace = String(Math.ceil(graceMs / TENTH_MS));
  return spawn('/bin/sh', ['-c', REAPER_SCRIPT, 'drover-reaper', grace, ...list], {
    cwd: '/',
    // Without the marks of a run that we may be part of ourselves.
    env: { PATH: env['PATH'] ?? '/usr/bin:/bin', LC_ALL: 'C' },
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  });
}

function entryOf({ pid, mark, endsMarked }: Watched): string | undefined {
  const startTime = readStat(pid)?.startTime;
  return startTime === undefined ? undefined : `${pid} ${startTime} ${endsMarked ? 'all' : 'group'} ${mark}`;
}

function tell(shell: ChildProcess | undefined, word: '+' | '-', about: string | undefined): void {
  if (about !== undefined && shell?.stdin?.writable === true) shell.stdin.write(`${word} ${about}\n`);
}
