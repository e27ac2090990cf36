import { isDroverError } from '../../kernel/errors/index.ts';
import { journalEntries, openJournal } from '../../kernel/journal/index.ts';
import type { Clock } from '../../kernel/time/index.ts';
import { noticeUndelivered } from './errors.ts';
import type { Channel, Notice } from './notice.ts';

export interface FileOptions {
  /** Absolute; its folder must exist. */
  readonly path: string;
  readonly clock: Clock;
  /** One that no other process uses. */
  readonly writer: string;
}

/** Appends each notice as one JSON line of kind `notice`; one that is there already is not appended again. */
export function fileChannel(options: FileOptions): Channel {
  return { name: 'file', keepsQuiet: false, send: (notice) => append(notice, options) };
}

async function append(notice: Notice, { path, clock, writer }: FileOptions): Promise<void> {
  try {
    if (await holds(path, notice.id)) return;
    const journal = await openJournal(path, { clock, writer });
    try {
      await journal.append({ kind: 'notice', ...notice });
    } finally {
      await journal.close();
    }
  } catch (error) {
    if (!isDroverError(error)) throw error;
    throw noticeUndelivered({ channel: 'file', reason: error.message }, error);
  }
}

async function holds(path: string, id: string): Promise<boolean> {
  for await (const { record } of journalEntries(path, { purpose: 'show' })) {
    if (record['kind'] === 'notice' && record['id'] === id) return true;
  }
  return false;
}
