import { pipelineHeaders } from '../decide/index.ts';
import type { Target } from '../model/index.ts';
import type { Freshness } from './freshness.ts';
import { needsOf } from './needs.ts';
import { isShown } from './progress-lines.ts';
import { unmetRequirements } from './requirements.ts';
import { plannedTargets, type RunContext, type RunRequest } from './run-context.ts';
import type { RunRecording } from './run-recording.ts';
import type { SessionEnd } from './run-session.ts';
import { isStop } from './stop.ts';
import { recordUnmet } from './unmet-run.ts';

export interface Beginning {
  readonly request: RunRequest;
  readonly recording: RunRecording;
}

/** What the host lacks ends the run before anything of it starts. */
export async function endWithoutStart(context: RunContext, { request, recording }: Beginning): Promise<SessionEnd | undefined> {
  const { verb, plan, project, place, folder, environment, reaper, shown, transcript } = context;
  const targets = plannedTargets(request);
  const needs = needsOf(targets);
  if (needs.tools.length > 0 || needs.preflights.length > 0) await recording.begin();
  const host = { root: place.root, environment, id: folder.id, jobs: request.jobs, verb, reaper };
  const unmet = await unmetRequirements(needs, host);
  // A stop cuts the probes: the session ends at once then, as at any other time.
  if (unmet !== undefined && !verb.stop.graceful.aborted) return recordUnmet(unmet, context, recording.recorder);
  if ((await prepared(context, targets)) === 'something-runs') await recording.begin();
  const isHeard = (name: string): boolean => {
    const target = project.targets.get(name);
    return target !== undefined && isShown(target, shown);
  };
  for (const header of pipelineHeaders(plan, isHeard)) {
    verb.out.line('', header);
    transcript.hear('', header);
  }
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
