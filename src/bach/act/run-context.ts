import type { Reaper } from '../../kernel/process/index.ts';
import type { Redaction } from '../../kernel/redact/index.ts';
import type { VerbContext } from '../../kernel/terminal/index.ts';
import type { Plan } from '../decide/index.ts';
import type { EnvironmentEntry, Project } from '../model/index.ts';
import type { RunFolder, StatePlace } from '../store/index.ts';

/** Everything that the targets of one run share. */
export interface RunContext {
  readonly project: Project;
  readonly place: StatePlace;
  readonly plan: Plan;
  readonly folder: RunFolder;
  /** The environment of an operation, less what a target puts on top. */
  readonly environment: Readonly<Record<string, string>>;
  readonly verb: VerbContext;
  /** Masks the secrets of all targets. */
  readonly redaction: Redaction;
  /** Ends the targets when we are killed. */
  readonly reaper: Reaper;
}

export interface RunRequest {
  readonly project: Project;
  readonly place: StatePlace;
  readonly plan: Plan;
  /** Entries of `.env`, then of `--env-file`. */
  readonly environmentFiles: readonly EnvironmentEntry[];
  /** How many operations may run at once. */
  readonly jobs: number;
}
