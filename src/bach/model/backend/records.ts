import type { RunRecord, TargetRunRecord } from '../run.ts';

/** A missing one is empty. */
export type Metadata = Readonly<Record<string, unknown>>;

/** A run as the protocol has it: with what our own records have no place for. */
export interface ServedRun extends RunRecord {
  readonly dryRun: boolean;
  /** Without the message, which stands beside it. */
  readonly metadata: Metadata;
}

export interface ServedTargetRun extends TargetRunRecord {
  readonly metadata: Metadata;
}

/** The last success of a target as others tell it. */
export interface ServedTargetState {
  readonly target: string;
  readonly fingerprint: string;
  readonly parts: Readonly<Record<string, string>>;
  readonly completedAt: bigint;
}

/** Where something that a run made can be found. */
export interface Evidence {
  readonly id: string;
  readonly kind: string;
  readonly uri: string;
  readonly hash: string;
  readonly runId: string;
  readonly target: string;
  /** Nanoseconds since 1970; whoever stores it puts the moment where it is missing. */
  readonly createdAt: bigint | undefined;
  readonly metadata: Metadata;
}

export interface Initialization {
  readonly projectName: string;
  /** As it was given. */
  readonly root: string;
  /** `config.path`, when it was given. */
  readonly path: string | undefined;
}

export interface TargetChange {
  readonly runId: string;
  readonly target: ServedTargetRun;
}

/** The end of a run with everything that it leaves. */
export interface RunFinish {
  readonly run: ServedRun;
  readonly states: readonly ServedTargetState[];
  readonly targets: readonly ServedTargetRun[];
  readonly evidence: readonly Evidence[];
}

/** What is missing is not looked at; `limit` 0 is all. */
export interface RunQuery {
  readonly id: string;
  readonly target: string;
  readonly status: string;
  readonly since: bigint | undefined;
  readonly limit: number;
}

export interface EvidenceQuery {
  readonly runId: string;
  readonly target: string;
  readonly limit: number;
}
