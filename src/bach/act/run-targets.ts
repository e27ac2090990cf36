import { describeSystemError } from '../../kernel/errors/index.ts';
import { createReaper } from '../../kernel/process/index.ts';
import type { VerbContext } from '../../kernel/terminal/index.ts';
import { pipelineHeaders } from '../decide/index.ts';
import type { RunRecord, TargetRunRecord } from '../model/index.ts';
import { redactionOf, RunFolder, RunStore } from '../store/index.ts';
import { sharedEnvironment } from './operation.ts';
import { Recorder } from './recorder.ts';
import type { RunContext, RunRequest } from './run-context.ts';
import { RunSession, type SessionEnd } from './run-session.ts';
import { stoppedBy } from './stop.ts';
import { failureExcerpt, summaryLines } from './summary.ts';
import { GRACE_MS } from './target-run.ts';

/** A wait longer than this is told. */
const SLOW_MS = 1_000;
/** A target that lives longer gets a watcher for the case that we are killed; quick runs save its start. */
const LONG_MS = 200;

/** How a run ended. */
export interface RunOutcome {
  readonly status: 'success' | 'failed';
  /** It was ended by a signal. */
  readonly stopped: boolean;
  /** Why it failed, and what can be done about it; none after success. */
  readonly errors: readonly string[];
}

/**
 * Runs the targets of a plan and records everything: the run before its first target, its end with the last one.
 * Throws a user error when the state cannot be written before anything runs.
 */
export async function runTargets(request: RunRequest, verb: VerbContext): Promise<RunOutcome> {
  try {
    return await runWithStore(request, verb);
  } catch (error) {
    if (!isStop(error, verb)) throw error;
    return { status: 'failed', stopped: true, errors: [stoppedBy(verb)] };
  }
}

/** While it waits for other processes, a stop comes as the reason of its signal. */
function isStop(error: unknown, { stop }: VerbContext): boolean {
  return [stop.graceful, stop.immediate].some((signal) => signal.aborted && error === signal.reason);
}

async function runWithStore(request: RunRequest, verb: VerbContext): Promise<RunOutcome> {
  const opening = RunStore.open(request.place, verb.stop.graceful);
  const store = await toldWhenSlow(opening, { verb, place: request.place });
  try {
    const folder = await RunFolder.claim(request.place, request.plan.order);
    return await runInFolder(folder, { request, verb, store });
  } finally {
    store.close();
  }
}

interface Resources {
  readonly request: RunRequest;
  readonly verb: VerbContext;
  readonly store: RunStore;
}

async function runInFolder(folder: RunFolder, { request, verb, store }: Resources): Promise<RunOutcome> {
  const { project, place, plan, environmentFiles, jobs } = request;
  const layers = { parent: verb.env, files: environmentFiles, project: project.environment };
  const reaper = createReaper({ env: verb.env, graceMs: GRACE_MS, afterMs: LONG_MS });
  const redaction = redactionOf({ ...verb, files: environmentFiles, project });
  const environment = sharedEnvironment(layers);
  const context: RunContext = { project, place, plan, folder, verb, reaper, redaction, environment };
  try {
    return await recordedRun(context, { store, jobs });
  } finally {
    reaper.close();
    folder.close();
  }
}

interface Recording {
  readonly store: RunStore;
  readonly jobs: number;
}

async function recordedRun(context: RunContext, { store, jobs }: Recording): Promise<RunOutcome> {
  const { folder, verb } = context;
  const startedMono = verb.clock.mono();
  const started = startedRun(context);
  await toldWhenSlow(store.startRun(started, verb.stop.graceful), context);
  for (const header of pipelineHeaders(context.plan)) verb.out.line('', header);

  const recorder = new Recorder({
    write: (rows) => store.recordTargets(folder.id, maskedRows(rows, context)),
    failed: () => session.stop('stopped because the state could not be written'),
  });
  const session = new RunSession({ context, recorder, jobs });
  const end = await session.run();
  const durationMs = verb.clock.mono() - startedMono;
  const outcome = outcomeOf(end, context);
  const finished = finishedRun(started, outcome, verb.clock.wall());
  const unrecorded = await toldWhenSlow(storeEnd(finished, { store, recorder, end, context }), context);

  verb.out.progress(undefined);
  for (const target of end.result.lent) verb.out.notice(lentLine(target));
  const summary = summaryLines(finished, recorder.rows, durationMs);
  for (const line of summary) verb.out.line('', line);
  for (const line of excerptOf(end, context)) verb.out.line('', line);
  if (unrecorded === undefined) return outcome;
  const stopped = outcome.stopped || verb.stop.immediate.aborted;
  return { status: 'failed', stopped, errors: [...outcome.errors, ...unrecorded] };
}

interface Ending {
  readonly store: RunStore;
  readonly recorder: Recorder;
  readonly end: SessionEnd;
  readonly context: RunContext;
}

/** Writes the end of the run. What kept it from being written comes back: the summary is still to be shown. */
async function storeEnd(run: RunRecord, { store, recorder, end, context }: Ending): Promise<readonly string[] | undefined> {
  const { verb } = context;
  try {
    const targets = maskedRows(await recorder.close(), context);
    await store.finishRun(run, { targets, artifacts: end.artifacts }, verb.stop.immediate);
    return undefined;
  } catch (error) {
    if (isStop(error, verb)) return [`the end of run ${run.id} was not recorded: another process holds the state`, 'it reads as interrupted'];
    const { message, remedy } = describeSystemError(error, { action: 'record run', path: run.id });
    return [message, remedy];
  }
}

function lentLine(target: string): string {
  return `${target} did not wait for its lock: the order of the targets contradicts their locks, and it would have waited for ever`;
}

/** Waiting for another process that writes the state may last; silence would look like a hang. */
async function toldWhenSlow<Result>(work: Promise<Result>, { verb, place }: Pick<RunContext, 'verb' | 'place'>): Promise<Result> {
  const notice = `waiting for ${place.statePath}, which another process is writing`;
  const timer = setTimeout(() => verb.out.notice(notice), SLOW_MS);
  try {
    return await work;
  } finally {
    clearTimeout(timer);
  }
}

function startedRun({ plan, folder, verb }: RunContext): RunRecord {
  return {
    id: folder.id,
    target: plan.label,
    force: false,
    status: 'running',
    startedAt: verb.clock.wall(),
    finishedAt: undefined,
    logFolder: folder.stored(folder.path),
    message: '',
  };
}

function finishedRun(run: RunRecord, { status, errors }: RunOutcome, finishedAt: bigint): RunRecord {
  return { ...run, status, finishedAt, message: errors[0] ?? '' };
}

function outcomeOf({ result, failure }: SessionEnd, { folder: { id }, redaction }: RunContext): RunOutcome {
  const { status, cause } = result;
  if (cause === undefined) return { status, stopped: false, errors: [] };
  if (cause.kind === 'stop') return { status, stopped: true, errors: [cause.message] };
  const seeLogs = `see the logs with: bach logs ${id} --failed`;
  if (cause.kind === 'timeout' || failure === undefined) return { status, stopped: false, errors: [cause.message, seeLogs] };
  const { message, cut, remedy } = failure.end;
  const errors = [cut ? message : `${cause.message}: ${message}`, remedy ?? seeLogs];
  return { status, stopped: false, errors: errors.map(redaction.redactText) };
}

/** A run that was stopped needs no explanation from a log. */
function excerptOf({ result, failure }: SessionEnd, { folder, redaction }: RunContext): readonly string[] {
  if (failure === undefined || result.cause?.kind === 'stop') return [];
  return failureExcerpt(failure.target, folder.logPath(failure.target)).map(redaction.redactText);
}

/** What is stored names commands and errors, and those may name anything. */
function maskedRows(rows: readonly TargetRunRecord[], { redaction: { redactText } }: RunContext): readonly TargetRunRecord[] {
  return rows.map((row) => ({ ...row, operation: redactText(row.operation), message: redactText(row.message) }));
}
