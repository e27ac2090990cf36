import type { FactAnswer, FactRequest } from '../../model/index.ts';
import type { Sights } from '../inputs/index.ts';
import type { Repeatable } from '../run-store.ts';

/**
 * A run in which nothing had to run, with all that it rested on. As long as that stands, the next run is the same, and
 * need not be worked out again.
 */
export interface Standstill extends Repeatable {
  /** Of the state database, from the root. */
  readonly statePath: string;
  readonly sights: Sights;
  /** Variables of the process that its lines show; not set for an absent one. */
  readonly environment: ReadonlyMap<string, string | undefined>;
  /** What was asked for, as the records name it. */
  readonly target: string;
  /** What it printed before its summary, masked, in order. */
  readonly lines: readonly ToldLine[];
  /** The last line of its summary. */
  readonly counters: string;
}

/** Without a label it stands alone on its line. */
export type ToldLine = readonly [label: string, text: string];

/** What of the command line, beside the project, decides about a run. */
export interface AskedRun {
  /** As the user wrote them. */
  readonly targets: readonly string[];
  readonly jobs: number | undefined;
  readonly envFile: string | undefined;
  readonly yes: boolean;
  readonly logOnly: boolean;
  readonly verbose: boolean;
}

/** One that was kept; it is the right one when `facts` are still answered so, and all stands as it was seen. */
export interface FoundStandstill {
  /** The folder of the project. */
  readonly root: string;
  /** As a project is looked for by its evaluation. */
  readonly statePath: string;
  readonly facts: readonly (readonly [request: FactRequest, answer: FactAnswer])[];
  readonly standstill: Omit<Standstill, 'environment'>;
}
