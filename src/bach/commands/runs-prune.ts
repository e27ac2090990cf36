import type { VerbContext, VerbResult } from '../../kernel/terminal/index.ts';
import { formatRfc3339 } from '../../kernel/time/index.ts';
import type { RunRecord } from '../model/index.ts';
import { prunable, prune, RunStore, type Pruned, type StatePlace } from '../store/index.ts';
import type { RunsPruneInput } from './inputs.ts';
import { loadReadable } from './load-project.ts';
import { RECORDS_WORLD } from './project-world.ts';

/** `bach runs prune`: removes the runs that nothing needs any more, or says which these are. */
export async function runsPruneVerb({ dryRun, ...input }: RunsPruneInput, context: VerbContext): Promise<VerbResult> {
  const { place } = await loadReadable(input, context, RECORDS_WORLD);
  const pruned = await (dryRun ? looked(place) : done(place, context));
  const json = {
    dry_run: dryRun,
    removed: pruned.runs.map(asDocument),
    removed_folders: pruned.leftovers,
    kept: pruned.kept,
  };
  return { exit: pruned.faults.length === 0 ? 0 : 1, json, text: linesOf(pruned, dryRun ? 'would remove' : 'removed').join('\n'), errors: pruned.faults };
}

const NOTHING = { runs: [], leftovers: [], faults: [], kept: 0 } satisfies Pruned;

/** Without records nothing says which folders are still needed, so that none is touched. */
async function looked(place: StatePlace): Promise<Pruned> {
  const store = await RunStore.openExisting(place);
  if (store === undefined) return NOTHING;
  try {
    return { ...(await prunable(place, store)), faults: [] };
  } finally {
    store.close();
  }
}

async function done(place: StatePlace, { stop }: VerbContext): Promise<Pruned> {
  // Makes no state where nothing has run.
  const existing = await RunStore.openExisting(place);
  if (existing === undefined) return NOTHING;
  existing.close();
  const store = await RunStore.open(place, stop.graceful);
  try {
    return await prune(place, store);
  } finally {
    store.close();
  }
}

function linesOf({ runs, leftovers, kept }: Pruned, verb: string): readonly string[] {
  const folders = leftovers.length === 0 ? '' : ` and ${leftovers.length} left-over folders`;
  return [
    ...runs.map((run) => `${verb} ${lineOf(run)}`),
    ...leftovers.map((folder) => `${verb} ${folder}, a folder without a recorded run`),
    `${verb} ${runs.length} runs${folders}; ${kept} runs stay`,
  ];
}

function lineOf({ id, status, target, startedAt, logFolder }: RunRecord): string {
  return `${id} ${status} target=${target} started=${formatRfc3339(startedAt)} logs=${logFolder}`;
}

function asDocument({ id, target, status, startedAt, logFolder }: RunRecord) {
  return { run_id: id, requested_target: target, status, started_at: formatRfc3339(startedAt), log_dir: logFolder };
}
