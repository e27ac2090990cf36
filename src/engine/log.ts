import { openJournal, readJournal, type Entry } from '../kernel/journal/index.ts';
import type { Clock } from '../kernel/time/index.ts';
import { stepLogForeign } from './errors.ts';
import { FORMAT, type StepRecord } from './record.ts';

/** Where the engine writes what it decided and what became of it. */
export interface StepLog {
  /** The record is durable when this resolves. */
  append(record: StepRecord): Promise<void>;
  close(): Promise<void>;
}

/** Opens the step log of a run for one holder, whose name becomes that of the journal's writer. */
export async function openStepLog(path: string, { clock, by }: { clock: Clock; by: string }): Promise<StepLog> {
  const journal = await openJournal(path, { clock, writer: by });
  return {
    append: async ({ by: _writer, ...record }) => void (await journal.append(record)),
    close: () => journal.close(),
  };
}

/**
 * All records of a step log; a missing file has none.
 * Throws `journal-damaged` with file and line, `step-log-foreign`, and what the system refuses.
 */
export async function readStepLog(path: string): Promise<readonly StepRecord[]> {
  const { records } = await readJournal(path, { purpose: 'decide' });
  return records.map((entry) => recordOf(entry, path));
}

function recordOf({ record, writer, line }: Entry, path: string): StepRecord {
  if (writer === undefined) {
    throw stepLogForeign({ path, found: `a line of another tool (line ${line})`, expected: `the engine in format ${FORMAT}` });
  }
  // The checksum says that it is as it was written; what an unknown type means is for the history to refuse. The record
  // was made for us: a copy of each would double the time that a long log takes.
  return Object.assign(record, { by: writer }) as unknown as StepRecord;
}
