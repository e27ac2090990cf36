import type { Reaper } from '../../kernel/process/index.ts';
import type { Redaction } from '../../kernel/redact/index.ts';
import type { VerbContext } from '../../kernel/terminal/index.ts';
import type { Plan } from '../decide/index.ts';
import type { EnvironmentEntry, Project, Target } from '../model/index.ts';
import type { RunFolder, Standstill, StatePlace } from '../store/index.ts';
import type { Freshness } from './freshness.ts';
import type { GitEnvironment } from './git-environment.ts';
import type { Transcript } from './transcript.ts';

/** Everything that the targets of one run share. */
export interface RunContext {
  readonly project: Project;
  readonly place: StatePlace;
  readonly plan: Plan;
  readonly folder: RunFolder;
  /** The environment of an operation, less what git says and what a target puts on top. */
  readonly environment: Readonly<Record<string, string>>;
  readonly git: GitEnvironment;
  readonly freshness: Freshness;
  readonly shown: ShownOutput;
  readonly transcript: Transcript;
  readonly verb: VerbContext;
  /** Masks the secrets of all targets. */
  readonly redaction: Redaction;
  /** Ends the targets when we are killed. */
  readonly reaper: Reaper;
}

/** What of the targets the terminal gets; their logs get everything. */
export interface ShownOutput {
  /** Nothing of what commands print, only what is said about them. */
  readonly logOnly: boolean;
  /** Quiet targets, too. */
  readonly verbose: boolean;
}

export interface RunRequest {
  readonly project: Project;
  readonly place: StatePlace;
  readonly plan: Plan;
  /** Entries of `.env`, then of `--env-file`. */
  readonly environmentFiles: readonly EnvironmentEntry[];
  /** How many operations may run at once. */
  readonly jobs: number;
  /** Also what is fresh. */
  readonly force: boolean;
  /** In place of what the state tells of earlier runs. */
  readonly freshness?: Freshness;
  /** Called when nothing had to run, and the next run would be the same. */
  readonly onStandstill?: ((standstill: Standstill) => void) | undefined;
  readonly shown: ShownOutput;
}

/** All that a run has to do with, in the order of its plan. */
export function plannedTargets({ plan, project }: Pick<RunRequest, 'plan' | 'project'>): readonly Target[] {
  return plan.order.map((name) => project.targets.get(name)).filter((target) => target !== undefined);
}
