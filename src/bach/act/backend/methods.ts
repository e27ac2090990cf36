import { MAX_PAYLOAD_BYTES, ProtocolFault } from '../../model/index.ts';
import type { ServedState } from '../../store/index.ts';
import { evidenceQuery, runFinish, runQuery, soughtRun, targetChange } from './params.ts';
import { evidenceDocument, readEvidence, readRun, runDocument } from './records.ts';

type Serve = (state: ServedState, params: Readonly<Record<string, unknown>>) => unknown;

const OK = { ok: true } as const;

/** What is served beside the life of the provider itself. */
export const METHODS: ReadonlyMap<string, Serve> = new Map<string, Serve>([
  ['runs.create', (state, params) => done(state.createRun(readRun('', params)))],
  ['runs.startTarget', (state, params) => done(state.putTarget(targetChange(params)))],
  ['runs.finishTarget', (state, params) => done(state.putTarget(targetChange(params)))],
  ['runs.finish', (state, params) => done(state.finishRun(runFinish(params)))],
  ['runs.get', (state, params) => ({ run: runDocument(state.run(soughtRun(params))) })],
  [
    'runs.list',
    (state, params) => {
      const { limit, ...query } = runQuery(params);
      return { runs: documents(state.runs(query), limit, runDocument) };
    },
  ],
  ['evidence.recordRef', (state, params) => done(state.recordEvidence(readEvidence('', params)))],
  [
    'evidence.listRefs',
    (state, params) => {
      const { limit, ...query } = evidenceQuery(params);
      return { evidence: documents(state.evidence(query), limit, evidenceDocument) };
    },
  ],
]);

async function done(work: Promise<void>): Promise<typeof OK> {
  await work;
  return OK;
}

/** The first so many, all for 0; no more is read than fits into an answer. */
function documents<Item>(items: Iterable<Item>, limit: number, documentOf: (item: Item) => object): readonly object[] {
  const found: object[] = [];
  let length = 0;
  for (const item of items) {
    const document = documentOf(item);
    found.push(document);
    length += JSON.stringify(document).length;
    if (length > MAX_PAYLOAD_BYTES) throw new ProtocolFault('validation_failed', `the answer would exceed ${MAX_PAYLOAD_BYTES} bytes; ask with a limit`);
    if (found.length === limit) break;
  }
  return found;
}
