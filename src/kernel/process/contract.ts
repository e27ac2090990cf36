import type { DroverError } from '../errors/index.ts';
import type { StartFailureReason } from './errors.ts';

/** Who authored a command: we, the person at the keyboard, a file of the project, or an agent. */
export type Origin = 'drover' | 'user' | 'project' | 'agent';

/** One program to run, with everything that it gets from us. */
export interface SpawnRequest {
  /** Program and arguments; no shell is put between. At most 131,071 bytes each. */
  readonly argv: readonly [string, ...string[]];
  readonly origin: Origin;
  /** Absolute path of the folder that the program starts in. */
  readonly cwd: string;
  /** The whole environment. Its `PATH` decides where the program is looked for. */
  readonly env: Readonly<Record<string, string>>;
  /** Put into the environment as `DROVER_RUN`, so that what this run started can be recognised. */
  readonly marker: string;
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
  /** Milliseconds between TERM and KILL. */
  readonly graceMs: number;
}

/** How the program itself ended. */
export type LeaderEnd =
  | { readonly kind: 'exited'; readonly code: number }
  | { readonly kind: 'signalled'; readonly signal: NodeJS.Signals }
  /** Nothing ran. */
  | { readonly kind: 'not-started'; readonly reason: StartFailureReason; readonly error: DroverError }
  /** It still runs although it was killed: we may not signal it, or the kernel does not let it go. */
  | { readonly kind: 'not-ended'; readonly error: DroverError };

export type ChildExit = LeaderEnd & {
  /** From the start until the whole group was gone. */
  readonly durationMs: number;
  /** How a stop that was asked for went: everything ended by TERM, or KILL was needed or asked for. */
  readonly stopped: 'graceful' | 'killed' | undefined;
  /**
   * Members of the group that outlived a program which ended by itself, and how they ended. `left`, also possible
   * after a stop, means that some could not be ended.
   */
  readonly survivors: 'terminated' | 'killed' | 'left' | undefined;
  /** Size of the log in bytes when the group was gone; output was delivered up to there. */
  readonly logEnd: number;
  /** Bytes that only the log has: after a stop a backlog is not delivered, but for its last 64 KiB. */
  readonly skipped: number;
};

export interface Child {
  /** Id of the program and of its process group; `undefined` when nothing was started. */
  readonly pid: number | undefined;
  /** Settles when the program ended, the rest of its group is gone and all output was delivered. */
  readonly exit: Promise<ChildExit>;
  /** TERM to the group, KILL after the grace; a second call kills at once. No effect after the end, but for the backlog. */
  stop(): void;
  /** KILL to the group at once. No effect after the end. */
  kill(): void;
}
