import type { Intent, Policy, Settled, StepShapes } from './contract.ts';
import { stepLogBroken, stepLogForeign } from './errors.ts';
import {
  FORMAT,
  type EndedRecord,
  type IntentRecord,
  type OpenedRecord,
  type ReceiptRecord,
  type RefusedRecord,
  type StepRecord,
} from './record.ts';

/** What folds settled steps into a state; status reads a log without one. */
export type Folding<State, Shapes extends StepShapes> = Pick<Policy<State, never, Shapes>, 'initial' | 'fold'>;

interface Source {
  /** Of the log, for messages. */
  readonly path: string;
  /** The system's name, where it is known. */
  readonly system?: string;
}

/**
 * What a step log says, record by record in its order: the state, the open steps, and who holds the run. Live, after a
 * crash and in a replay the same records go through here, so that all three come to the same state.
 */
export class History<State, Shapes extends StepShapes> {
  state: State;
  /** The last holder, or `undefined` before the first. */
  holder: OpenedRecord | undefined;
  /** How the last holder left, or `undefined` while it has not. */
  ended: EndedRecord | undefined;
  lastSequence = 0;
  /** How many records did not count. */
  stale = 0;
  readonly #open = new Map<number, Intent<Shapes>>();
  readonly #folding: Folding<State, Shapes>;
  readonly #source: Source;

  constructor(folding: Folding<State, Shapes>, source: Source) {
    this.state = folding.initial;
    this.#folding = folding;
    this.#source = source;
  }

  get epoch(): number {
    return this.holder?.epoch ?? 0;
  }

  /** In the order of their intents. */
  get open(): readonly Intent<Shapes>[] {
    return [...this.#open.values()];
  }

  intentOf(sequence: number): Intent<Shapes> {
    const intent = this.#open.get(sequence);
    if (intent === undefined) throw this.#broken(sequence, 'it is not open');
    return intent;
  }

  /** False for a record of a holder that had been taken over when it wrote, and for a holder that came second. */
  counts(record: StepRecord): boolean {
    if (record.type === 'opened') return record.epoch > this.epoch;
    return this.isHeldBy(record);
  }

  isHeldBy({ epoch, by }: { readonly epoch: number; readonly by: string }): boolean {
    return epoch === this.epoch && by === this.holder?.by;
  }

  /** Throws `step-log-broken`, `step-log-foreign`. */
  apply(record: StepRecord): void {
    if (!this.counts(record)) {
      this.stale += 1;
      return;
    }
    switch (record.type) {
      case 'opened':
        return this.#opened(record);
      case 'intent':
        return this.#intended(record);
      case 'refused':
        return this.#refused(record);
      case 'receipt':
        return this.#received(record);
      case 'ended':
        this.ended = record;
        return;
      case 'clock':
        return;
      default:
        throw this.#foreign(`a record of the type ${JSON.stringify((record as { type: unknown }).type)}`);
    }
  }

  #opened(record: OpenedRecord): void {
    if (record.format > FORMAT) throw this.#foreign(`format ${record.format}`);
    const { system } = this.#source;
    if (system !== undefined && record.system !== system) throw this.#foreign(JSON.stringify(record.system));
    this.holder = record;
    this.ended = undefined;
  }

  #intended(record: IntentRecord): void {
    this.#count(record.sequence);
    const { sequence, epoch, kind, key, input } = record;
    // The one place where a record becomes typed: whoever wrote the kind into the log knew its shape.
    this.#open.set(sequence, { sequence, epoch, kind, key, input } as Intent<Shapes>);
  }

  #refused({ sequence, kind, key, input, reason, now }: RefusedRecord): void {
    this.#count(sequence);
    this.#fold({ sequence, kind, key, input, outcome: 'refused', reason, at: now });
  }

  #received({ sequence, receipt, timing, now }: ReceiptRecord): void {
    const { kind, key, input } = this.intentOf(sequence);
    if (receipt.outcome === 'unknown') return;
    this.#open.delete(sequence);
    this.#fold({ sequence, kind, key, input, ...receipt, at: now, ...(timing === undefined ? {} : { timing }) });
  }

  #fold(settled: Settled<StepShapes>): void {
    this.state = this.#folding.fold(this.state, settled as Settled<Shapes>);
  }

  #count(sequence: number): void {
    if (sequence !== this.lastSequence + 1) throw this.#broken(sequence, `it follows step ${this.lastSequence}`);
    this.lastSequence = sequence;
  }

  #broken(sequence: number, reason: string) {
    return stepLogBroken({ path: this.#source.path, sequence, reason });
  }

  #foreign(found: string) {
    const { path, system } = this.#source;
    return stepLogForeign({ path, found, expected: `${system ?? 'any system'} in format ${FORMAT}` });
  }
}
