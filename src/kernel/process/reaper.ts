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

/** What is done for one child. */
export interface Watch {
  /** Whether the shell was ended from outside so often that, for a time at least, nobody would have ended this child. */
  readonly wasLost: boolean;
  readonly end: () => void;
}

/**
 * One small shell, in a session of its own, that ends what we started when we are gone. It needs `/proc`. When it is
 * ended from outside another one takes its place, three times; after that one is tried with each further child.
 */
export interface Reaper {
  readonly watch: (child: Watched) => Watch;
  /** Lets the shell go; what is still watched is ended by it. */
  readonly close: () => void;
}

export interface ReaperOptions {
  /** Only its PATH is used. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Milliseconds between TERM and KILL. */
  readonly graceMs: number;
  /**
   * How long a child has to live before the shell is started; then all that run are told to it at once. A shell that
   * runs already is told of a child once that has lived `TOLD_AFTER_MS`, of one whose mark is to end at once.
   */
  readonly afterMs: number;
}

const SHARED_GRACE_MS = 2_000;
const SHARED_AFTER_MS = 200;
const TENTH_MS = 100;
/** Most children are gone by then, and telling of each costs more than its start. */
const TOLD_AFTER_MS = 20;
/** Whoever ends it once may do so by mistake; in a loop we would lose the race, and start processes for nothing. */
const RESTART_AFTER_MS = [0, 200, 1_000];
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
  return new ShellReaper(options);
}

interface Entry {
  readonly child: Watched;
  /** `undefined` until it is asked for, which most children do not live to see. */
  startTime: number | undefined;
  wasLost: boolean;
}

class ShellReaper implements Reaper {
  readonly #options: ReaperOptions;
  readonly #entries = new Set<Entry>();
  #shell: ChildProcess | undefined;
  /** Children that the running shell does not know yet. */
  readonly #untold = new Set<Entry>();
  #timer: NodeJS.Timeout | undefined;
  #tellTimer: NodeJS.Timeout | undefined;
  #restarts = 0;
  #isClosed = false;

  constructor(options: ReaperOptions) {
    this.#options = options;
  }

  watch(child: Watched): Watch {
    const entry: Entry = { child, startTime: undefined, wasLost: false };
    this.#entries.add(entry);
    if (this.#shell === undefined) this.#beginLater(child);
    else this.#tellLater(entry);
    return {
      get wasLost() {
        return entry.wasLost;
      },
      end: () => this.#forget(entry),
    };
  }

  close(): void {
    this.#tellUntold();
    this.#isClosed = true;
    clearTimeout(this.#timer);
    this.#shell?.stdin?.end();
  }

  #tellLater(entry: Entry): void {
    this.#untold.add(entry);
    if (entry.child.endsMarked) return this.#tellUntold();
    this.#tellTimer ??= setTimeout(() => this.#tellUntold(), TOLD_AFTER_MS).unref();
  }

  #tellUntold(): void {
    clearTimeout(this.#tellTimer);
    this.#tellTimer = undefined;
    for (const entry of this.#untold) tell(this.#shell, '+', lineOf(entry));
    this.#untold.clear();
  }

  #beginLater({ endsMarked }: Watched): void {
    if (this.#isClosed) return;
    if (endsMarked || this.#options.afterMs === 0) this.#begin();
    else this.#beginAfter(this.#options.afterMs);
  }

  #beginAfter(milliseconds: number): void {
    this.#timer ??= setTimeout(() => this.#begin(), milliseconds).unref();
  }

  #begin(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    if (this.#shell !== undefined) return;
    // As an argument, so that from its first moment on the shell knows what runs.
    const list = [...this.#entries].map(lineOf).filter((line) => line !== undefined);
    this.#untold.clear();
    // What ended by now, or where nothing tells start times.
    if (list.length === 0) return;
    this.#shell = startShell({ ...this.#options, list }, (shell) => this.#ended(shell));
    if (this.#shell === undefined) this.#ended(undefined);
  }

  /** A shell is told of more than once: its pipe breaks, and it ends. */
  #ended(shell: ChildProcess | undefined): void {
    if (this.#shell !== shell) return;
    this.#shell = undefined;
    if (this.#isClosed || this.#entries.size === 0) return;
    const waitMs = RESTART_AFTER_MS[this.#restarts];
    this.#restarts += 1;
    if (waitMs !== undefined) return this.#beginAfter(waitMs);
    for (const entry of this.#entries) entry.wasLost = true;
  }

  #forget(entry: Entry): void {
    this.#entries.delete(entry);
    this.#untold.delete(entry);
    if (entry.startTime !== undefined) tell(this.#shell, '-', `${entry.child.pid} ${entry.startTime}`);
    if (this.#entries.size > 0) return;
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }
}

interface Shell extends ReaperOptions {
  readonly list: readonly string[];
}

/** `undefined` where no further process can be started. */
function startShell(options: Shell, onEnd: (shell: ChildProcess) => void): ChildProcess | undefined {
  try {
    const shell = spawnShell(options);
    const end = (): void => onEnd(shell);
    shell.once('error', end);
    shell.once('exit', end);
    shell.stdin?.on('error', end);
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

/**
 * As the shell takes it. The start time stays known when the leader has ended before its group, and what is not our
 * own child any more has got the number since.
 */
function lineOf(entry: Entry): string | undefined {
  const { pid, mark, endsMarked } = entry.child;
  entry.startTime ??= startTimeOfChild(pid);
  return entry.startTime === undefined ? undefined : `${pid} ${entry.startTime} ${endsMarked ? 'all' : 'group'} ${mark}`;
}

function startTimeOfChild(pid: number): number | undefined {
  const stat = readStat(pid);
  return stat?.parent === process.pid ? stat.startTime : undefined;
}

function tell(shell: ChildProcess | undefined, word: '+' | '-', about: string | undefined): void {
  if (about !== undefined && shell?.stdin?.writable === true) shell.stdin.write(`${word} ${about}\n`);
}
