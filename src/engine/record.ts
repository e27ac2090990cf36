import type { ClockEvent } from '../kernel/time/index.ts';
import type { Closing, Now, Receipt, Timing } from './contract.ts';

/** In every record: under which epoch, and by which holder, it was written. */
interface Stamp {
  readonly epoch: number;
  readonly by: string;
  readonly now: Now;
}

/** A holder took the run. Of two with one epoch the first one counts. */
export interface OpenedRecord extends Stamp {
  readonly type: 'opened';
  readonly system: string;
  readonly format: number;
}

/** What a decision saw beside the state, which the log tells. */
export interface Seen {
  readonly facts: unknown;
  readonly now: Now;
}

/** One step of a decision's answer, with its place there; the first one carries what the decision saw. */
interface Decided extends Stamp {
  readonly sequence: number;
  readonly kind: string;
  readonly key: string;
  readonly input: unknown;
  /** From 0. */
  readonly place: number;
  readonly seen?: Seen;
}

export interface IntentRecord extends Decided {
  readonly type: 'intent';
}

export interface RefusedRecord extends Decided {
  readonly type: 'refused';
  readonly reason: string;
}

export interface ReceiptRecord extends Stamp {
  readonly type: 'receipt';
  readonly sequence: number;
  readonly receipt: Receipt;
  readonly timing?: Timing;
}

/** The machine slept, or its clock was set. */
export interface ClockRecord extends Stamp {
  readonly type: 'clock';
  readonly event: ClockEvent;
}

/** The holder left in good order; `seen` is there when the system decided it, and not when the engine did. */
export interface EndedRecord extends Stamp {
  readonly type: 'ended';
  readonly standing: Closing;
  readonly seen?: Seen;
}

export type StepRecord = OpenedRecord | IntentRecord | RefusedRecord | ReceiptRecord | ClockRecord | EndedRecord;

/** Grows when a record gets a meaning that an older reader would miss. */
export const FORMAT = 1;
