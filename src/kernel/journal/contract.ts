import type { Clock } from '../time/index.ts';

/**
 * One record: a JSON object, at most 100 levels deep and of at most 100,000 values. What JSON cannot hold is refused
 * (`journal-record-refused`), hidden and symbol properties included, so that what is read equals what was appended: a
 * property is read once (a getter gives its value), `toJSON` is not called, and a shared object comes back as copies.
 * The fields `w` and `c` belong to the journal. The journal adds no time: a record carries its own.
 */
export type JournalRecord = Readonly<Record<string, unknown>>;

export interface JournalOptions {
  /** Dates the repair record. */
  readonly clock: Clock;
  /**
   * Who writes, in letters, digits and `._:@-`, at most 64. One name has one open journal at a time, since its records
   * are counted through; where several processes may write at once, put the process or run id into the name.
   */
  readonly writer: string;
  /**
   * Fields of a repair record beside `kind`, where a documented format asks for some. Default `{ at }`, RFC 3339.
   */
  readonly repairFields?: () => JournalRecord;
}

/** What was acknowledged: it is on the disk. */
export interface Appended {
  readonly writer: string;
  /** From 1, without a gap over all openings of this writer. */
  readonly counter: number;
}

/**
 * A journal open for appending. Records reach the file in the order of the calls. A call that rejects makes no
 * promise: its record is refused, torn, or (after a failed sync) perhaps there.
 *
 * Both methods throw `disk-full` and what else the system refuses (the journal goes on once there is space),
 * `journal-record-refused`, `journal-record-too-long`, `journal-closed`. Until the journal is opened again: after a
 * failed sync `journal-unsynced`, when another file or none stands at the path `journal-removed`, when the file lost
 * what was written `journal-truncated`.
 */
export interface Journal {
  readonly path: string;
  /** Resolves when the record is on the disk, by a sync of its own: for what announces an effect. */
  append(record: JournalRecord): Promise<Appended>;
  /** Resolves when the record is on the disk; notes that wait together share one sync. */
  note(record: JournalRecord): Promise<Appended>;
  /** Waits for what was appended before. A second call waits for the same end. */
  close(): Promise<void>;
}

/**
 * `decide`: damage throws `journal-damaged` with file and line, since what follows from the records must be right.
 * `show`: damaged lines are skipped and reported.
 */
export type ReadPurpose = 'decide' | 'show';

export interface ReadOptions {
  readonly purpose: ReadPurpose;
  /** Ends the reading between two chunks with the reason of the signal. */
  readonly signal?: AbortSignal;
}

/** A place in the file. */
export interface Place {
  /** From 1. */
  readonly line: number;
  /** Bytes before it. */
  readonly offset: number;
}

/** One record that was read whole. Lines of other tools have no writer and no counter. */
export interface Entry extends Place {
  readonly record: JournalRecord;
  readonly writer: string | undefined;
  readonly counter: number | undefined;
}

/**
 * - `unreadable`: no JSON object in UTF-8.
 * - `checksum`: a line of ours whose checksum does not fit.
 * - `fused`: a whole record of ours, but its line goes on.
 * - `repeated`: a record of ours that was read before, copied behind other bytes into one line.
 * - `gap`: whole, but the record of this writer before it is missing.
 * - `too-long`: longer than any record may be.
 */
export type Problem = 'unreadable' | 'checksum' | 'fused' | 'repeated' | 'gap' | 'too-long';

export interface Damage extends Place {
  readonly problem: Problem;
  /** What is wrong, for a person: `its checksum does not fit`. */
  readonly reason: string;
}

/** Bytes of a record that was never acknowledged, since its write was cut off; they stay as evidence. */
export interface TornBytes extends Place {
  readonly length: number;
}

/** What a file has beside its records. Repair records are counted here and are no entries. */
export interface JournalRest {
  /** Empty when reading to decide. */
  readonly damage: readonly Damage[];
  /** Torn bytes that a later writer marked by a repair record. */
  readonly repaired: readonly TornBytes[];
  /** Torn bytes at the end, which the next writer will mark; reading stopped before them. */
  readonly tornTail: TornBytes | undefined;
}

export interface JournalContents extends JournalRest {
  readonly records: readonly Entry[];
}

export interface WriterCount {
  readonly writer: string;
  readonly records: number;
  readonly lastCounter: number;
  /** How often its counter went back: two wrote under one name, or files were merged. Nothing is lost by it. */
  readonly restarts: number;
}

/** The state of a journal file, for `drover journal check`. */
export interface JournalReport extends JournalRest {
  readonly path: string;
  /** Records, those of other tools included. */
  readonly records: number;
  readonly foreign: number;
  readonly repairs: number;
  /** In the order of their first record. */
  readonly writers: readonly WriterCount[];
}
