import { resolve } from 'node:path';
import type { VerbContext, VerbResult } from '../../kernel/terminal/index.ts';
import { formatDuration } from '../../kernel/text/index.ts';
import { formatRfc3339 } from '../../kernel/time/index.ts';
import { FAILED_STATUSES, type TargetStatus } from '../model/index.ts';
import { lastLines, runNotFound, RunStore, type RecordedTarget, type StatePlace, type StoredArtifact, type WholeRun } from '../store/index.ts';
import { failedRequirements, type FailedRequirements } from './failed-requirements.ts';
import type { RunsInspectInput } from './inputs.ts';
import { loadReadable } from './load-project.ts';
import { RECORDS_WORLD } from './project-world.ts';
import { goneLine, logRedaction } from './recorded-logs.ts';

/** Lines at the end of a failed log that are quoted, and what is shown of a long one. */
const EXCERPT_LINES = 20;
const LONGEST_LINE = 2_000;

interface FailedTarget extends FailedRequirements {
  readonly target: RecordedTarget;
  /** The end of its log. */
  readonly excerpt: readonly string[];
}

/** `bach runs inspect`: what became of each target of a run, and why. Reads only. */
export async function runsInspectVerb(input: RunsInspectInput, context: VerbContext): Promise<VerbResult> {
  const loaded = await loadReadable(input, context, RECORDS_WORLD);
  const { project, place } = loaded;
  const whole = await recorded(input, place);
  const { redactText } = logRedaction(loaded, context);
  const failed = whole.targets.filter(({ status }) => FAILED_STATUSES.includes(status)).map((target): FailedTarget => {
    const excerpt = excerptOf(target, { place, out: context.out }).map(redactText);
    return { target, excerpt, ...failedRequirements(target, project) };
  });
  return { exit: 0, json: documentOf(whole, failed), text: linesOf(whole, failed).join('\n') };
}

async function recorded({ runId }: RunsInspectInput, place: StatePlace): Promise<WholeRun> {
  const store = await RunStore.openExisting(place);
  if (store === undefined) throw runNotFound({ id: runId });
  try {
    return store.wholeRun(runId);
  } finally {
    store.close();
  }
}

function excerptOf(target: RecordedTarget, { place, out }: { readonly place: StatePlace; readonly out: VerbContext['out'] }): readonly string[] {
  if (target.logPath === '') return [];
  const lines = lastLines(resolve(place.root, target.logPath), EXCERPT_LINES, () => true);
  if (lines === undefined) out.notice(goneLine(target));
  return (lines ?? []).map((line) => (line.length <= LONGEST_LINE ? line : `${line.slice(0, LONGEST_LINE)}…`));
}

function linesOf({ run, targets }: WholeRun, failed: readonly FailedTarget[]): readonly string[] {
  const having = (wanted: TargetStatus): readonly RecordedTarget[] => targets.filter(({ status }) => status === wanted);
  return [
    `run ${run.id} ${run.status} target=${run.target}`,
    ...section('failed targets', failed.flatMap(failedLines), 'failed targets: none'),
    ...section('interrupted targets', having('interrupted').map(unendedLine)),
    ...section('running targets', having('running').map(unendedLine)),
    ...section('succeeded targets', having('success').map(succeededLine)),
    ...section('cached targets', having('cached').map(cachedLine)),
    ...section('suggested fixes', fixesOf(failed).map((fix) => `- ${fix}`)),
  ];
}

function section(title: string, lines: readonly string[], empty?: string): readonly string[] {
  if (lines.length > 0) return [`${title}:`, ...lines];
  return empty === undefined ? [] : [empty];
}

/** The exit code of a failure says enough; without one, or with that of success, the message tells what ended it. */
function failedLines({ target: { target, status, exitCode, logPath, message } }: FailedTarget): readonly string[] {
  const first = `- ${target} status=${status} exit=${exitCode ?? '-'} log=${logPath || '-'}`;
  const why = exitCode === undefined || exitCode === 0 ? message.split('\n').filter((line) => line !== '') : [];
  return [first, ...why.map((line) => `  ${line}`)];
}

function unendedLine({ target, logPath }: RecordedTarget): string {
  return `- ${target} log=${logPath || '-'}`;
}

function succeededLine({ target, status, startedAt, finishedAt, logPath }: RecordedTarget): string {
  const duration = finishedAt === undefined ? '-' : formatDuration(wholeMilliseconds(finishedAt - startedAt));
  return `- ${target} status=${status} duration=${duration} log=${logPath || '-'}`;
}

/** A clock that was set back in between has nothing to say. */
function wholeMilliseconds(nanoseconds: bigint): bigint {
  return nanoseconds < 0n ? 0n : nanoseconds - (nanoseconds % 1_000_000n);
}

function cachedLine({ target, madeBy }: RecordedTarget): string {
  return madeBy === undefined ? `- ${target} (cached)` : `- ${target} (cached) made by run ${madeBy}`;
}

function fixesOf(failed: readonly FailedTarget[]): readonly string[] {
  const fixes = failed.flatMap(({ tools, preflights }) => [...tools, ...preflights].map(({ fix }) => fix));
  return [...new Set(fixes.filter((fix) => fix !== ''))];
}

function documentOf({ run, targets, artifacts }: WholeRun, failed: readonly FailedTarget[]) {
  const made = byTarget(artifacts);
  const asTarget = (target: RecordedTarget) => targetDocument(target, made.get(target.target) ?? []);
  return {
    run_id: run.id,
    requested_target: run.target,
    status: run.status,
    started_at: formatRfc3339(run.startedAt),
    ...(run.finishedAt === undefined ? {} : { finished_at: formatRfc3339(run.finishedAt) }),
    log_dir: run.logFolder,
    ...(run.message === '' ? {} : { message: run.message }),
    targets: targets.map(asTarget),
    failed_targets: failed.map((each) => ({ ...asTarget(each.target), ...failureDocument(each) })),
    quality: noQuality(),
    suggested_fixes: fixesOf(failed),
  };
}

function targetDocument({ target, status, operation, logPath, madeBy }: RecordedTarget, artifacts: readonly StoredArtifact[]) {
  return {
    target,
    status,
    ...(operation === '' ? {} : { operation }),
    ...(logPath === '' ? {} : { log_path: logPath }),
    ...(madeBy === undefined ? {} : { made_by_run: madeBy }),
    artifacts: artifacts.map(({ path, value }) => path || value),
    quality: noQuality(),
    agent_reports: [],
    policy_evaluations: [],
  };
}

function failureDocument({ target: { exitCode, message }, tools, preflights, excerpt }: FailedTarget) {
  return {
    ...(exitCode === undefined ? {} : { exit_code: exitCode }),
    ...(message === '' ? {} : { message }),
    preflight_failures: preflights.map(({ name, kind, fix }) => ({ name, kind, fix })),
    missing_tools: tools.map(({ name, version, fix }) => ({ name, version, fix })),
    log_excerpt: excerpt,
  };
}

function byTarget(artifacts: readonly StoredArtifact[]): ReadonlyMap<string, readonly StoredArtifact[]> {
  const made = new Map<string, StoredArtifact[]>();
  for (const artifact of artifacts) {
    const others = made.get(artifact.target) ?? [];
    others.push(artifact);
    made.set(artifact.target, others);
  }
  return made;
}

/** Runs of this release record no reports and no gates. */
function noQuality() {
  return { reports: [], failed_gates: [] };
}
