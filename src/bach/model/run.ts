/** What is stored of a run; `interrupted` is derived from a lock without a holder and never stored. */
export type RunStatus = 'running' | 'success' | 'failed' | 'quality-failed' | 'preflight-failed' | 'interrupted';

export type TargetStatus = RunStatus | 'cached' | 'dry-run';

export const RUN_STATUSES: readonly RunStatus[] = [
  'running',
  'success',
  'failed',
  'quality-failed',
  'preflight-failed',
  'interrupted',
];

/** Statuses whose logs are shown by `logs --failed` and quoted under a failed run. */
export const FAILED_STATUSES: readonly TargetStatus[] = ['failed', 'quality-failed', 'preflight-failed'];

/** The counters line of a run, in this order; others are appended when they are not zero. */
const COUNTED: readonly TargetStatus[] = [
  'success',
  'cached',
  'failed',
  'preflight-failed',
  'quality-failed',
  'dry-run',
  'running',
];

export interface RunRecord {
  readonly id: string;
  /** Requested targets in canonical form, joined by one space. */
  readonly target: string;
  readonly force: boolean;
  readonly status: RunStatus;
  /** Nanoseconds since 1970; `undefined` while it runs. */
  readonly startedAt: bigint;
  readonly finishedAt: bigint | undefined;
  /** Relative to the project root. */
  readonly logFolder: string;
  /** Why it ended early; empty otherwise. */
  readonly message: string;
}

export interface TargetRunRecord {
  readonly target: string;
  readonly status: TargetStatus;
  readonly startedAt: bigint;
  readonly finishedAt: bigint | undefined;
  /** Relative to the project root; empty for a target without an operation. A cached one has the log that made its result. */
  readonly logPath: string;
  readonly operation: string;
  readonly exitCode: number | undefined;
  readonly message: string;
}

export type ArtifactKind = 'log' | 'run-directory' | 'manifest' | 'artifact' | 'image-tag';

export interface ArtifactRecord {
  readonly target: string;
  readonly kind: ArtifactKind;
  /** Relative to the project root; empty for what is no file. */
  readonly path: string;
  /** What it is where it is no file: the tag of an image. */
  readonly value?: string;
}

/** `targets: success=2 cached=0 …`, the second line of a run's summary. */
export function countersLine(statuses: Iterable<TargetStatus>): string {
  const counts = new Map<TargetStatus, number>(COUNTED.map((status) => [status, 0]));
  for (const status of statuses) counts.set(status, (counts.get(status) ?? 0) + 1);
  const extra = [...counts.keys()].filter((status) => !COUNTED.includes(status)).sort();
  const shown = [...COUNTED, ...extra].map((status) => `${status}=${counts.get(status) ?? 0}`);
  return `targets: ${shown.join(' ')}`;
}

/** The kind under which a file that a target made is recorded. */
export function artifactKind(path: string): ArtifactKind {
  if (/\.(ya?ml|json)$/.test(path)) return 'manifest';
  return path.endsWith('.log') ? 'log' : 'artifact';
}
