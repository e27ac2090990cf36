import { FrameFault, type ArtifactRecord, type RunRecord, type ServedTargetState, type TargetRunRecord } from '../../model/index.ts';
import { BackendClient, type ClientOptions } from './client.ts';
import { evidenceDocument, runDocument, targetRunDocument, targetStateDocument } from './records.ts';

/** Requests that are under way at the same time. */
const MOST_AT_ONCE = 64;

export interface ExternalEnd {
  readonly targets: readonly TargetRunRecord[];
  readonly artifacts: readonly ArtifactRecord[];
  /** Of the targets that succeeded. */
  readonly states?: readonly ServedTargetState[];
}

/** The records of one run where another program keeps them; the same calls as those of `RunStore`. */
export class ExternalRunRecords {
  readonly #client: BackendClient;

  private constructor(client: BackendClient) {
    this.#client = client;
  }

  static async open(options: ClientOptions): Promise<ExternalRunRecords> {
    return new ExternalRunRecords(await BackendClient.open(options));
  }

  /** An aborted signal ends the waiting with its reason. */
  async startRun(run: RunRecord, signal: AbortSignal): Promise<void> {
    await this.#call('runs.create', served(run), signal);
  }

  async recordTargets(runId: string, targets: readonly TargetRunRecord[], signal?: AbortSignal): Promise<void> {
    await this.#callAll(targets.map((target) => [target.status === 'running' ? 'runs.startTarget' : 'runs.finishTarget', { run_id: runId, ...servedTarget(target) }]), signal);
  }

  /** In one request where it fits into one; else targets and evidence go ahead of the end. */
  async finishRun(run: RunRecord, end: ExternalEnd, signal: AbortSignal): Promise<void> {
    const evidence = this.#client.can('evidence_refs') ? end.artifacts.map((artifact, index) => evidenceOf(run, artifact, index)) : [];
    const states = Object.fromEntries((end.states ?? []).map((state) => [state.target, targetStateDocument(state)]));
    const targets = Object.fromEntries(end.targets.map((target) => [target.target, servedTarget(target)]));
    try {
      await this.#call('runs.finish', { run: served(run), targets: states, target_runs: targets, evidence }, signal);
    } catch (error) {
      if (!(error instanceof FrameFault)) throw error;
      await this.recordTargets(run.id, end.targets, signal);
      await this.#callAll(evidence.map((each) => ['evidence.recordRef', each]), signal);
      await this.#call('runs.finish', { run: served(run), targets: states }, signal);
    }
  }

  close(): Promise<void> {
    return this.#client.close();
  }

  async #callAll(calls: readonly (readonly [method: string, params: object])[], signal: AbortSignal | undefined): Promise<void> {
    for (let at = 0; at < calls.length; at += MOST_AT_ONCE) {
      const answers = calls.slice(at, at + MOST_AT_ONCE).map(([method, params]) => this.#client.call(method, params));
      await orAborted(Promise.all(answers), signal);
    }
  }

  async #call(method: string, params: object, signal: AbortSignal | undefined): Promise<void> {
    await orAborted(this.#client.call(method, params), signal);
  }
}

function served(run: RunRecord): object {
  return runDocument({ ...run, dryRun: false, metadata: {} });
}

function servedTarget(target: TargetRunRecord): object {
  return targetRunDocument({ ...target, metadata: {} });
}

function evidenceOf(run: RunRecord, { target, kind, path, value = '' }: ArtifactRecord, index: number): object {
  const [uri, hash] = path === '' ? [value, ''] : [path, value];
  return evidenceDocument({ id: `${run.id}-${index + 1}`, kind, uri, hash, runId: run.id, target, createdAt: run.finishedAt, metadata: {} });
}

async function orAborted(answer: Promise<unknown>, signal: AbortSignal | undefined): Promise<void> {
  if (signal === undefined) return void (await answer);
  let abort: () => void = () => undefined;
  const aborted = new Promise<never>((_resolve, reject) => {
    abort = () => reject(signal.reason as Error);
    signal.addEventListener('abort', abort, { once: true });
  });
  try {
    if (signal.aborted) abort();
    await Promise.race([answer, aborted]);
  } finally {
    signal.removeEventListener('abort', abort);
  }
}
