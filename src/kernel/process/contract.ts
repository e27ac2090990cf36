import type { DroverError } from '../errors/index.ts';
import type { LogScrubber } from '../redact/index.ts';
import type { StartFailureReason } from './errors.ts';
import type { Reaper } from './reaper.ts';

/** Who authored a command: we, the person at the keyboard, a file of the project, or an agent. */
export type Origin = 'drover' | 'user' | 'project' | 'agent';

/**
 * What holds together everything that a program starts, best first:
 * - `pid-namespace`: a namespace made as root; it ends with its first process, a small shell of ours;
 * - `user-namespace`: the same inside a user namespace mapped to the current user;
 * - `bubblewrap`: the same made by `bwrap`;
 * - `cgroup`: a group of the second hierarchy that we may write to, ended by `cgroup.kill`; a process may move itself out;
 * - `subreaper`: a perl process to which orphans come back, unless the program ends it; then as `group`;
 * - `group`: process group, session, marker and descent looked at every 500 ms.
 */
export type ContainmentLayer = 'pid-namespace' | 'user-namespace' | 'bubblewrap' | 'cgroup' | 'subreaper' | 'group';

/** Whether a process can leave on its own: `full` when nothing that it can do by itself leads out; else a caveat tells the way. */
export type Containment = 'full' | 'partial';

/** What goes to standard input: bytes, or a file from its start. */
export type Input = Uint8Array | { readonly path: string };

/** One program, with everything that it gets from us. */
export interface ProgramRequest {
  /** Program and arguments; no shell is put between. At most 131,071 bytes each. */
  readonly argv: readonly [string, ...string[]];
  readonly origin: Origin;
  /** Absolute path of the folder that the program starts in. */
  readonly cwd: string;
  /** The whole environment. Its `PATH` decides where the program is looked for. */
  readonly env: Readonly<Record<string, string>>;
  /** Put into the environment as `DROVER_RUN`, so that what this run started can be recognised. */
  readonly marker: string;
  /** Milliseconds between TERM and KILL. */
  readonly graceMs: number;
  /** What is fed to it. Default: nothing, from /dev/null. */
  readonly input?: Input;
}

/** A program that is supervised while it runs. */
export interface SpawnRequest extends ProgramRequest {
  /**
   * Where both output streams go. A path is opened here (append, 0600, never through a link) and closed at the end;
   * a descriptor must be open for append and reading (`a+`) and stays the caller's, open until `exit` settles.
   */
  readonly log: number | { readonly path: string };
  /**
   * Receives the output in order, at most 64 KiB at a time. A promise holds back the next chunk.
   * The chunk's memory is used again once the call returned or its promise settled: copy what you keep.
   * When it throws or rejects, nothing more is delivered and `exit` rejects with that error.
   */
  readonly onOutput?: (chunk: Buffer) => void | Promise<void>;
  /** Gets each range of the log after `onOutput` had it, and the rest at the end with `last`. */
  readonly scrub?: LogScrubber;
  /**
   * `none` (default): the process group alone. `best` and the names of layers need `detectContainment` to have
   * answered before; a layer that does not work here is a start failure, never silently another one.
   */
  readonly containment?: 'none' | 'best' | ContainmentLayer;
  /** Where the session record is kept while the child runs, for `adopt` and `endLeftovers` of a next holder. */
  readonly record?: string;
}

/** How the program itself ended. */
export type LeaderEnd =
  | { readonly kind: 'exited'; readonly code: number }
  | { readonly kind: 'signalled'; readonly signal: NodeJS.Signals }
  /** Nothing ran. */
  | { readonly kind: 'not-started'; readonly reason: StartFailureReason; readonly error: DroverError }
  /** It still runs although it was killed: we may not signal it, or the kernel does not let it go. */
  | { readonly kind: 'not-ended'; readonly error: DroverError };

/** A process by number and name, as a person looks for it. */
export interface NamedProcess {
  readonly pid: number;
  readonly name: string;
}

export type ChildExit = LeaderEnd & {
  /** From the start until the whole group was gone. */
  readonly durationMs: number;
  /** How a stop that was asked for went: everything ended by TERM, or KILL was needed or asked for. */
  readonly stopped: 'graceful' | 'killed' | undefined;
  /**
   * What belonged to it and outlived a program which ended by itself, and how that ended. `left`, also possible
   * after a stop, means that some could not be ended.
   */
  readonly survivors: 'terminated' | 'killed' | 'left' | undefined;
  /** What cannot be proven dead. Empty unless `survivors` is `left`. */
  readonly left: readonly NamedProcess[];
  readonly layer: ContainmentLayer | 'none';
  readonly containment: Containment;
  /** What this containment cannot promise, as a sentence; `undefined` under `full`. */
  readonly caveat: string | undefined;
  /** Size of the log in bytes when the group was gone; output was delivered up to there. */
  readonly logEnd: number;
  /** Bytes that only the log has: after a stop a backlog is not delivered, but for its last 64 KiB. */
  readonly skipped: number;
  /**
   * How often the log was found cut, as a program does that opens its output by name (`> /dev/stderr`). What stood in it
   * is gone; what came after was delivered and masked from the start of the file, some of it perhaps a second time.
   * 0 also where nothing follows the log.
   */
  readonly truncated: number;
};

export interface Child {
  /**
   * Id of the process that we started and of its process group; `undefined` when nothing was started. It is the
   * program itself, or under a namespace or a subreaper the outermost process of ours.
   */
  readonly pid: number | undefined;
  readonly layer: ContainmentLayer | 'none';
  readonly containment: Containment;
  /** Settles when the program ended, what belongs to it is gone and all output was delivered. */
  readonly exit: Promise<ChildExit>;
  /** TERM to the group, KILL after the grace; a second call kills at once. No effect after the end, but for the backlog. */
  stop(): void;
  /** KILL to everything at once. No effect after the end. */
  kill(): void;
}

/** A short program whose output is wanted whole. */
export interface CaptureRequest extends ProgramRequest {
  /** After that it is ended: TERM, grace, KILL. */
  readonly timeoutMs: number;
  /** What standard output may have; one byte more ends the program. */
  readonly maxOutputBytes: number;
  /** Ends it as the timeout does. */
  readonly signal?: AbortSignal;
  /** Ends it when we are gone; without one, a program that hangs outlives us. */
  readonly reaper?: Reaper | undefined;
}

/** What a captured program left. */
export interface CapturedEnd {
  readonly end: LeaderEnd;
  readonly stdout: Buffer;
  /** The first 64 KiB. */
  readonly stderr: Buffer;
  readonly durationMs: number;
  /** Why we ended it, before it could by itself; its output is then incomplete. */
  readonly cut: { readonly reason: 'timeout' | 'too-much-output' | 'aborted'; readonly error: DroverError } | undefined;
}
