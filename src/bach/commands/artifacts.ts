import type { VerbContext, VerbResult } from '../../kernel/terminal/index.ts';
import { formatRfc3339 } from '../../kernel/time/index.ts';
import { runNotFound, RunStore, type StoredArtifact } from '../store/index.ts';
import type { ArtifactsInput } from './inputs.ts';
import { loadReadable } from './load-project.ts';
import { RECORDS_WORLD } from './project-world.ts';
import { runFilter } from './run-filters.ts';

/** `bach artifacts`: what runs made, those of the newest run first. Reads only. */
export async function artifactsVerb(input: ArtifactsInput, context: VerbContext): Promise<VerbResult> {
  const filter = runFilter(input, context);
  const { runId } = input;
  const { place } = await loadReadable(input, context, RECORDS_WORLD);
  const store = await RunStore.openExisting(place);
  if (store === undefined) return nothing(runId);
  try {
    return answer(store.listArtifacts({ ...filter, ...(runId === undefined ? {} : { runId }) }));
  } finally {
    store.close();
  }
}

/** Where nothing has run there is no run of any id. */
function nothing(runId: string | undefined): VerbResult {
  if (runId !== undefined) throw runNotFound({ id: runId });
  return answer([]);
}

function answer(artifacts: readonly StoredArtifact[]): VerbResult {
  return { exit: 0, json: { artifacts: artifacts.map(asDocument) }, text: artifacts.map(lineOf).join('\n') };
}

function lineOf({ runId, kind, target, createdAt, path, value }: StoredArtifact): string {
  return `${runId} ${kind.padEnd(12)} ${target.padEnd(24)} ${formatRfc3339(createdAt).padEnd(12)} ${path || value}`;
}

function asDocument({ runId, target, kind, path, value, createdAt }: StoredArtifact) {
  return {
    run_id: runId,
    target,
    kind,
    ...(path === '' ? {} : { path }),
    ...(value === '' ? {} : { value }),
    created_at: formatRfc3339(createdAt),
  };
}
