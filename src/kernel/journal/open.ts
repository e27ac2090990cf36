import { dirname } from 'node:path';
import { describeSystemError } from '../errors/index.ts';
import { durablePoint, syncPath } from '../files/index.ts';
import type { Journal, JournalOptions } from './contract.ts';
import { journalWriterRefused } from './errors.ts';
import { WRITER_NAME } from './line.ts';
import { closeFile, openToAppend, syncData, type OpenedFile } from './source.ts';
import { FileJournal } from './writer.ts';

/**
 * Opens a journal for appending, and makes it (0600) in its folder when it is missing. What it holds by then is on
 * the disk when this resolves, so that a reader may act on it.
 * Throws `journal-writer-refused`, `symlink-refused`, `not-a-regular-file`, `not-found` (no such folder) and the like.
 *
 * @example
 * const journal = await openJournal('/project/.state/journal.jsonl', { clock, writer: 'engine' });
 * await journal.append({ kind: 'intent', key: 'a' });
 * await journal.close();
 */
export async function openJournal(path: string, options: JournalOptions): Promise<Journal> {
  if (!WRITER_NAME.test(options.writer)) throw journalWriterRefused({ path, writer: options.writer });
  const file = await openToAppend(path);
  try {
    await makeDurable(path, file);
  } catch (error) {
    closeFile(file);
    throw describeSystemError(error, { action: 'sync', path });
  }
  return new FileJournal(path, { ...options, file });
}

/** Nobody writes before this, so that a file with content stands in its folder for good already. */
async function makeDurable(path: string, { descriptor, stats }: OpenedFile): Promise<void> {
  if (stats.size > 0n) return syncData(descriptor);
  durablePoint('journal-create:before');
  await syncPath(dirname(path));
  durablePoint('journal-create:after');
}
