import type { VerbContext, VerbResult } from '../../kernel/terminal/index.ts';
import { formatRfc3339 } from '../../kernel/time/index.ts';
import type { RunRecord } from '../model/index.ts';
import { RunStore } from '../store/index.ts';
import type { RunsListInput } from './inputs.ts';
import { loadReadable } from './load-project.ts';
import { RECORDS_WORLD } from './project-world.ts';
import { runFilter } from './run-filters.ts';

/** `bach runs list`: what ran, newest first. Reads only. */
export async function runsListVerb(input: RunsListInput, context: VerbContext): Promise<VerbResult> {
  const filter = runFilter(input, context);
  const { place } = await loadReadable(input, context, RECORDS_WORLD);
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
