import type { JournalReport } from './contract.ts';
import { startReading } from './read.ts';

/**
 * Looks through a journal and says what is in it and what is damaged; changes nothing. A missing file has nothing.
 * Throws what the system refuses, with the path.
 *
 * @example
 * const { damage } = await checkJournal('/project/.state/journal.jsonl');
 * for (const { line, reason } of damage) out.line('journal', `line ${line}: ${reason}`);
 */
export async function checkJournal(path: string, options: { readonly signal?: AbortSignal } = {}): Promise<JournalReport> {
  const { batches, examination } = startReading(path, { purpose: 'show', ...options });
  let records = 0;
  let foreign = 0;
  for await (const batch of batches) {
    records += batch.length;
    foreign += batch.filter(({ writer }) => writer === undefined).length;
  }
  const { rest, repairs, writers } = examination;
  return { path, records, foreign, repairs, writers, ...rest };
}
