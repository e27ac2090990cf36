import { parseDuration } from '../../kernel/text/index.ts';
import type { VerbContext, VerbResult } from '../../kernel/terminal/index.ts';
import { formatRfc3339, parseRfc3339 } from '../../kernel/time/index.ts';
import { canonicalName, RUN_STATUSES, type RunRecord, type RunStatus } from '../model/index.ts';
import { RunStore, type RunFilter } from '../store/index.ts';
import { badSince, badStatus } from './errors.ts';
import type { RunsListInput } from './inputs.ts';
import { loadProject } from './load-project.ts';

/** `bach runs list`: what ran, newest first. Reads only. */
export async function runsListVerb(input: RunsListInput, context: VerbContext): Promise<VerbResult> {
  const filter = filterOf(input, context);
  const { place } = loadProject(input, context);
  const store = await RunStore.openExisting(place);
  if (store === undefined) return answer([]);
  try {
    return answer(store.listRuns(filter));
  } finally {
    store.close();
  }
}

function answer(runs: readonly RunRecord[]): VerbResult {
  return { exit: 0, json: { runs: runs.map(asDocument) }, text: runs.map(lineOf).join('\n') };
}

function filterOf({ limit, target, status, since, artifact }: RunsListInput, { clock }: VerbContext): RunFilter {
  return {
    limit,
    ...(target === undefined ? {} : { target: target.split(' ').map(canonicalName).join(' ') }),
    ...(status === undefined ? {} : { status: statusOf(status) }),
    ...(since === undefined ? {} : { since: sinceOf(since, clock.wall()) }),
    ...(artifact === undefined ? {} : { artifact }),
  };
}

function statusOf(text: string): RunStatus {
  const status = RUN_STATUSES.find((known) => known === text);
  if (status === undefined) throw badStatus({ text, known: RUN_STATUSES });
  return status;
}

/** An age, or a moment. */
function sinceOf(text: string, now: bigint): bigint {
  const age = parseDuration(text);
  const since = age === undefined ? parseRfc3339(text) : now - age;
  if (since === undefined) throw badSince({ text });
  return since;
}

function lineOf({ id, status, force, target, startedAt, finishedAt, logFolder }: RunRecord): string {
  const mode = force ? 'run,force' : 'run';
  const started = `started=${formatRfc3339(startedAt)}`;
  const finished = `finished=${finishedAt === undefined ? '-' : formatRfc3339(finishedAt)}`;
  return `${id} ${status.padEnd(8)} ${mode.padEnd(12)} ${target.padEnd(24)} ${started} ${finished} logs=${logFolder}`;
}

function asDocument({ id, status, target, startedAt, finishedAt, logFolder, message }: RunRecord) {
  return {
    run_id: id,
    requested_target: target,
    status,
    started_at: formatRfc3339(startedAt),
    ...(finishedAt === undefined ? {} : { finished_at: formatRfc3339(finishedAt) }),
    log_dir: logFolder,
    ...(message === '' ? {} : { message }),
  };
}
