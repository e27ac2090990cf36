/** What the caller tells the scheduler. */
export type SchedulerEvent =
  /** Begin; harmless at any other time. */
  | { readonly type: 'tick' }
  /** A started target ended. A target that `cancel` met while it ran is `failed`, whatever its exit code. */
  | { readonly type: 'finished'; readonly target: string; readonly outcome: 'success' | 'failed' }
  /** Armed deadlines that have passed; those found together are given together, so that the innermost is named. */
  | { readonly type: 'deadline'; readonly targets: readonly string[] }
  /** The user wants an end, e.g. `stopped by SIGINT`. */
  | { readonly type: 'stop'; readonly message: string };

/** What the scheduler asks of the caller, in order. */
export type Command =
  /** Run it, then report `finished`. */
  | { readonly type: 'start'; readonly target: string }
  /** It ended without a process: record it, and print the line if there is one. */
  | Completion
  | { readonly type: 'arm-deadline'; readonly target: string; readonly ms: number }
  | { readonly type: 'disarm-deadline'; readonly target: string }
  /** End it, record `why.message`, and still report `finished`. */
  | { readonly type: 'cancel'; readonly target: string; readonly why: Cause }
  /** The last command of all. */
  | { readonly type: 'finished'; readonly result: RunResult };

export interface Completion {
  readonly type: 'complete';
  readonly target: string;
  readonly status: 'success' | 'failed';
  readonly line?: string | undefined;
  readonly message?: string | undefined;
}

/** Why a run, or a target in it, came to an early end. */
export interface Cause {
  readonly kind: 'failure' | 'timeout' | 'stop';
  readonly message: string;
  /** The target that failed or timed out; nothing for `stop`. */
  readonly target?: string | undefined;
}

export interface RunResult {
  readonly status: 'success' | 'failed';
  /** The first thing that went wrong. */
  readonly cause?: Cause | undefined;
  /**
   * Targets that had to run while a composite they are no part of held their lock: the plan's locks contradict its
   * order, and waiting would have lasted for ever.
   */
  readonly lent: readonly string[];
}
