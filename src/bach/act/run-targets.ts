import { createReaper } from '../../kernel/process/index.ts';
import type { VerbContext } from '../../kernel/terminal/index.ts';
import { isCacheable } from '../decide/index.ts';
import { countersLine } from '../model/index.ts';
import { OtherRuns, pruneOne, RunFolder, RunStore, type Standstill } from '../store/index.ts';
import { ExternalRunRecords } from './backend/index.ts';
import { endWithoutStart } from './beginning.ts';
import { GRACE_MS } from './command-runner.ts';
import { GitEnvironment } from './git-environment.ts';
import { sharedEnvironment } from './operation.ts';
import { cacheOf } from './project-cache.ts';
import { projectRedaction } from './redaction.ts';
import { plannedTargets, type RunContext, type RunRequest } from './run-context.ts';
import { RunRecording } from './run-recording.ts';
import { RunSession, type EndStatus, type SessionEnd } from './run-session.ts';
import { isStop, stoppedBy } from './stop.ts';
import { toldWhenSlow } from './slow-wait.ts';
import { standstillOf } from './standstill.ts';
import { failureExcerpt, runLine } from './summary.ts';
import { Transcript } from './transcript.ts';

/** A target that lives longer gets a watcher for the case that we are killed; quick runs save its start. */
const LONG_MS = 200;

/** How a run ended. */
export interface RunOutcome {
  readonly status: EndStatus;
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

async function runWithStore(request: RunRequest, verb: VerbContext): Promise<RunOutcome> {
  const git = new GitEnvironment(request.place, verb);
  // Asked while the state is opened; a run that may find everything cached asks when the first target is not.
  if (startsSomething(request)) void git.entries();
  const opening = RunStore.open(request.place, verb.stop.graceful);
  const store = await toldWhenSlow(opening, { verb, place: request.place });
  try {
    const folder = await RunFolder.claim(request.place, request.plan.order);
    const outcome = await runInFolder(folder, { request, verb, store, git });
    const fault = await pruneOne(request.place, store);
    if (fault !== undefined) verb.out.notice(fault);
    return outcome;
  } finally {
    store.close();
  }
}

/** Something of the plan runs whatever the cache says. */
function startsSomething(request: RunRequest): boolean {
  return plannedTargets(request).some((target) => target.runnable && !isCacheable(target));
}

interface Resources {
  readonly request: RunRequest;
  readonly verb: VerbContext;
  readonly store: RunStore;
  readonly git: GitEnvironment;
}

async function runInFolder(folder: RunFolder, resources: Resources): Promise<RunOutcome> {
  const { request, verb, store, git } = resources;
  const { project, place, plan, environmentFiles, shown } = request;
  const profiles = project.profiles.environment;
  const layers = { parent: verb.env, files: environmentFiles, project: project.environment, profiles };
  const reaper = createReaper({ env: verb.env, graceMs: GRACE_MS, afterMs: LONG_MS });
  const redaction = projectRedaction(project, environmentFiles, verb);
  const environment = sharedEnvironment(layers);
  const freshness = request.freshness ?? cacheOf(request, { store, runId: folder.id, others: new OtherRuns({ store, folder, root: place.root }) });
  const transcript = new Transcript();
  const context: RunContext = { project, place, plan, folder, verb, reaper, redaction, environment, git, shown, freshness, transcript };
  let external: ExternalRunRecords | undefined;
  try {
    external = await externalRecords(context);
    return await recordedRun(context, { ...resources, external });
  } finally {
    await external?.close();
    reaper.close();
    folder.close();
  }
}

/** Of a project whose backend is a program of somebody else: it is asked before anything runs, and serves the whole run. */
async function externalRecords({ project, place, folder, reaper, verb }: RunContext): Promise<ExternalRunRecords | undefined> {
  const { backend, name } = project;
  if (!backend.external) return undefined;
  const diagnose = (line: string): void => verb.out.notice(line);
  return ExternalRunRecords.open({ backend, projectName: name, root: place.root, env: verb.env, marker: folder.id, reaper, diagnose });
}

async function recordedRun(context: RunContext, { store, request, external }: Resources & { readonly external: ExternalRunRecords | undefined }): Promise<RunOutcome> {
  const { verb, freshness } = context;
  const startedMono = verb.clock.mono();
  const failed = (): void => session.stop('stopped because the state could not be written');
  const recording = new RunRecording({ context, store, external, force: request.force, failed });
  const session = new RunSession({ context, recorder: recording.recorder, jobs: request.jobs });
  const end = (await endWithoutStart(context, { request, recording })) ?? (await session.run());
  const durationMs = verb.clock.mono() - startedMono;
  const outcome = outcomeOf(end, context);
  const finished = recording.finished(outcome);
  const unrecorded = await recording.end(finished, end.artifacts);

  verb.out.progress(undefined);
  for (const line of freshness.told) verb.out.notice(line);
  for (const target of end.result.lent) verb.out.notice(lentLine(target));
  const counters = countersLine(recording.recorder.rows.map(({ status: each }) => each));
  for (const line of [runLine(finished, durationMs), counters]) verb.out.line('', line);
  for (const line of excerptOf(end, context)) verb.out.line('', line);
  if (unrecorded === undefined) {
    if (!recording.hasBegun && end.result.lent.length === 0) tellStandstill(request, standstillOf(context, { run: finished, counters }));
    return outcome;
  }
  const stopped = outcome.stopped || verb.stop.immediate.aborted;
  return { status: 'failed', stopped, errors: [...outcome.errors, ...unrecorded] };
}

function tellStandstill({ onStandstill }: RunRequest, standstill: Standstill | undefined): void {
  if (standstill !== undefined) onStandstill?.(standstill);
}

function lentLine(target: string): string {
  return `${target} did not wait for its lock: the order of the targets contradicts their locks, and it would have waited for ever`;
}

function outcomeOf({ status, result: { cause }, failure }: SessionEnd, { folder: { id }, redaction }: RunContext): RunOutcome {
  if (cause === undefined) return { status, stopped: false, errors: [] };
  if (cause.kind === 'stop') return { status, stopped: true, errors: [cause.message] };
  const seeLogs = `see the logs with: bach logs ${id} --failed`;
  if (cause.kind === 'timeout' || failure === undefined) return { status, stopped: false, errors: [cause.message, seeLogs] };
  const { message, whole, remedy } = failure.end;
  const errors = [whole ? message : `${cause.message}: ${message}`, remedy ?? seeLogs];
  return { status, stopped: false, errors: errors.map(redaction.redactText) };
}

/** A run that was stopped needs no explanation from a log. */
function excerptOf({ result, failure }: SessionEnd, { folder, redaction }: RunContext): readonly string[] {
  if (failure === undefined || result.cause?.kind === 'stop') return [];
  return failureExcerpt(failure.target, folder.logPath(failure.target)).map(redaction.redactText);
}
