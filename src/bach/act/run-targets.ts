import { createReaper } from '../../kernel/process/index.ts';
import type { VerbContext } from '../../kernel/terminal/index.ts';
import { isCacheable, pipelineHeaders } from '../decide/index.ts';
import type { Target } from '../model/index.ts';
import { OtherRuns, pruneOne, RunFolder, RunStore } from '../store/index.ts';
import { ExternalRunRecords } from './backend/index.ts';
import { GRACE_MS } from './command-runner.ts';
import { GitEnvironment } from './git-environment.ts';
import { needsOf } from './needs.ts';
import { sharedEnvironment } from './operation.ts';
import type { Freshness } from './freshness.ts';
import { cacheOf } from './project-cache.ts';
import { projectRedaction } from './redaction.ts';
import { unmetRequirements } from './requirements.ts';
import type { RunContext, RunRequest } from './run-context.ts';
import { RunRecording, toldWhenSlow } from './run-recording.ts';
import { RunSession, type EndStatus, type SessionEnd } from './run-session.ts';
import { isStop, stoppedBy } from './stop.ts';
import { failureExcerpt, summaryLines } from './summary.ts';
import { recordUnmet } from './unmet-run.ts';

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

function plannedTargets({ plan, project }: Pick<RunRequest, 'plan' | 'project'>): readonly Target[] {
  return plan.order.map((name) => project.targets.get(name)).filter((target) => target !== undefined);
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
  const context: RunContext = { project, place, plan, folder, verb, reaper, redaction, environment, git, shown, freshness };
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
  const summary = summaryLines(finished, recording.recorder.rows.map(({ status: each }) => each), durationMs);
  for (const line of summary) verb.out.line('', line);
  for (const line of excerptOf(end, context)) verb.out.line('', line);
  if (unrecorded === undefined) return outcome;
  const stopped = outcome.stopped || verb.stop.immediate.aborted;
  return { status: 'failed', stopped, errors: [...outcome.errors, ...unrecorded] };
}

interface Beginning {
  readonly request: RunRequest;
  readonly recording: RunRecording;
}

/** What the host lacks ends the run before anything of it starts. */
async function endWithoutStart(context: RunContext, { request, recording }: Beginning): Promise<SessionEnd | undefined> {
  const { verb, plan, place, folder, environment, reaper } = context;
  const targets = plannedTargets(request);
  const needs = needsOf(targets);
  if (needs.tools.length > 0 || needs.preflights.length > 0) await recording.begin();
  const host = { root: place.root, environment, id: folder.id, jobs: request.jobs, verb, reaper };
  const unmet = await unmetRequirements(needs, host);
  // A stop cuts the probes: the session ends at once then, as at any other time.
  if (unmet !== undefined && !verb.stop.graceful.aborted) return recordUnmet(unmet, context, recording.recorder);
  if ((await prepared(context, targets)) === 'something-runs') await recording.begin();
  for (const header of pipelineHeaders(plan)) verb.out.line('', header);
  return undefined;
}

/** A stop that comes while files are looked at is one of the run: the session records it. */
async function prepared({ freshness, verb }: RunContext, targets: readonly Target[]): Promise<Awaited<ReturnType<Freshness['prepare']>>> {
  try {
    return await freshness.prepare(targets, verb.stop.graceful);
  } catch (error) {
    if (!isStop(error, verb)) throw error;
    return 'something-runs';
  }
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
