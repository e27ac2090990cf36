import { describeSystemError } from '../../kernel/errors/index.ts';
import type { ArtifactRecord, RunRecord, TargetRunRecord } from '../model/index.ts';
import { dropStandstills, type RunStore, type TargetState } from '../store/index.ts';
import type { ExternalRunRecords } from './backend/index.ts';
import { collectOften } from './heap.ts';
import { Recorder } from './recorder.ts';
import type { RunContext } from './run-context.ts';
import { toldWhenSlow } from './slow-wait.ts';
import { isStop } from './stop.ts';

export interface RecordingOptions {
  readonly context: RunContext;
  readonly store: RunStore;
  /** Another program that keeps the records, too. */
  readonly external: ExternalRunRecords | undefined;
  readonly force: boolean;
  /** Told when the state can no longer be written. */
  readonly failed: () => void;
}

/** Writes what becomes of a run: its row before anything runs, its targets while they do, the rest at its end. */
export class RunRecording {
  readonly recorder: Recorder;
  readonly #context: RunContext;
  readonly #store: RunStore;
  readonly #external: ExternalRunRecords | undefined;
  readonly #row: RunRecord;
  /** Results that were kept on the way; the other program is told of them at the end. */
  readonly #told: TargetState[] = [];
  #beginning: Promise<void> | undefined;

  constructor({ context, store, external, force, failed }: RecordingOptions) {
    this.#context = context;
    this.#store = store;
    this.#external = external;
    this.#row = startedRow(context, force);
    this.recorder = new Recorder({ write: (rows) => this.#writeProgress(rows), failed });
  }

  /**
   * Writes that the run goes on; once, however often it is called. A run in which nothing has to be started does
   * without, and is written whole at its end.
   */
  begin(): Promise<void> {
    this.#beginning ??= this.#writeBeginning();
    return this.#beginning;
  }

  /** False for a run in which nothing had to be started. */
  get hasBegun(): boolean {
    return this.#beginning !== undefined;
  }

  finished({ status, errors }: Pick<RunRecord, 'status'> & { readonly errors: readonly string[] }): RunRecord {
    return { ...this.#row, status, finishedAt: this.#context.verb.clock.wall(), message: errors[0] ?? '' };
  }

  /** Writes the end of the run. What kept it from being written comes back: the summary is still to be shown. */
  async end(run: RunRecord, artifacts: readonly ArtifactRecord[]): Promise<readonly string[] | undefined> {
    const { verb } = this.#context;
    try {
      await toldWhenSlow(this.#writeEnd(run, artifacts), this.#context);
      return undefined;
    } catch (error) {
      if (isStop(error, verb)) return [`the end of run ${run.id} was not recorded: another process holds the state`, 'it reads as interrupted'];
      const { message, remedy } = describeSystemError(error, { action: 'record run', path: run.id });
      return [message, remedy];
    }
  }

  /** Where the other program refuses, nothing is begun. */
  async #writeBeginning(): Promise<void> {
    const { graceful } = this.#context.verb.stop;
    collectOften();
    dropStandstills(this.#context.place.root);
    await this.#context.folder.hold();
    await this.#external?.startRun(this.#row, graceful);
    await toldWhenSlow(this.#store.startRun(this.#row, graceful), this.#context);
  }

  async #writeEnd(run: RunRecord, artifacts: readonly ArtifactRecord[]): Promise<void> {
    const { freshness, verb } = this.#context;
    const targets = this.#masked(await this.recorder.close());
    const cache = await freshness.changes(verb.stop.graceful);
    await this.#store.finishRun(run, { targets, artifacts, cache }, verb.stop.immediate);
    if (this.#external === undefined) return;
    await this.begin();
    await this.#external.finishRun(run, { targets, artifacts, states: [...this.#told, ...cache.states] }, verb.stop.immediate);
  }

  async #writeProgress(rows: readonly TargetRunRecord[]): Promise<void> {
    await this.begin();
    const targets = this.#masked(rows);
    const kept = this.#context.freshness.takeKept();
    await this.#store.recordProgress(this.#row.id, { targets, kept });
    this.#told.push(...kept.states);
    await this.#external?.recordTargets(this.#row.id, targets);
  }

  /** What is stored names commands and errors, and those may name anything. */
  #masked(rows: readonly TargetRunRecord[]): readonly TargetRunRecord[] {
    const { redactText } = this.#context.redaction;
    return rows.map((row) => (row.operation === '' && row.message === '' ? row : { ...row, operation: redactText(row.operation), message: redactText(row.message) }));
  }
}

function startedRow({ plan, folder, verb }: RunContext, force: boolean): RunRecord {
  return {
    id: folder.id,
    target: plan.label,
    force,
    status: 'running',
    startedAt: verb.clock.wall(),
    finishedAt: undefined,
    logFolder: folder.stored(folder.path),
    message: '',
  };
}
