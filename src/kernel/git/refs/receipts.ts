import { randomBytes } from 'node:crypto';
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { describeSystemError } from '../../errors/index.ts';
import { ensureFolder } from '../../files/index.ts';
import { openJournal, readJournal, type Entry, type JournalRecord } from '../../journal/index.ts';
import { formatRfc3339Nano } from '../../time/index.ts';
import type { Identity, Repository } from '../contract.ts';

/** A change that drover itself makes: of a ref (values are objects) or of a worktree (values are its commits). */
export interface Change {
  readonly kind: 'ref' | 'worktree';
  /** The ref in full, or the path of the worktree. */
  readonly name: string;
  /** `undefined` where there is nothing. */
  readonly before: string | undefined;
  readonly after: string | undefined;
  readonly who: Identity;
}

export interface Receipt extends Change {
  /**
   * `open`: announced, and whether it happened is not written: it is going on, or its process was killed. Whoever
   * takes over looks at the ref: it holds `after`, `before`, or something else by somebody else.
   */
  readonly state: 'open' | 'done' | 'not-done';
  /** When it was announced, RFC 3339. */
  readonly at: string;
}

const INTENT = 'git-intent';
const RECEIPT = 'git-receipt';

/**
 * Announces a change durably, makes it, and writes durably whether it was made. When `perform` throws, the change
 * stays open: nobody knows then.
 */
export async function withReceipt<Outcome>(
  repository: Repository,
  change: Change,
  perform: () => Promise<{ readonly outcome: Outcome; readonly done: boolean }>,
): Promise<Outcome> {
  const { clock } = repository.git;
  const id = `${process.pid}-${randomBytes(8).toString('hex')}`;
  // Each change is a writer of its own: several processes write here at once.
  const journal = await openJournal(receiptsFile(repository), { clock, writer: id });
  try {
    await journal.append({ kind: INTENT, id, at: formatRfc3339Nano(clock.wall()), ...changeRecord(change) });
    const { outcome, done } = await perform();
    await journal.append({ kind: RECEIPT, id, state: done ? 'done' : 'not-done' });
    return outcome;
  } finally {
    await journal.close();
  }
}

/** A place in the receipts: what is written later comes after it. */
export async function receiptsEnd(repository: Repository): Promise<number> {
  const path = receiptsFile(repository);
  try {
    return (await stat(path)).size;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return 0;
    throw describeSystemError(error, { action: 'read', path });
  }
}

/**
 * The changes that drover announced in this repository, from any process and checkout, in their order.
 * Throws `journal-damaged`: what is missing would be blamed on somebody.
 */
export async function readReceipts(
  repository: Repository,
  { since = 0 }: { readonly since?: number } = {},
): Promise<readonly Receipt[]> {
  const { records } = await readJournal(receiptsFile(repository), { purpose: 'decide' });
  const ends = new Map<unknown, Entry>();
  for (const entry of records) {
    if (entry.record['kind'] === RECEIPT) ends.set(entry.record['id'], entry);
  }
  return records.flatMap(({ record }) => {
    const end = ends.get(record['id']);
    // What was announced before and ended later, or is open still, may have happened since.
    const isSince = end === undefined || end.offset >= since;
    return record['kind'] === INTENT && isSince ? [{ ...changeOf(record), state: stateOf(end) }] : [];
  });
}

function stateOf(end: Entry | undefined): Receipt['state'] {
  if (end === undefined) return 'open';
  return end.record['state'] === 'done' ? 'done' : 'not-done';
}

/** Drover's own folder in the common git folder, where all checkouts find it. */
export function droverFolder({ commonDir }: Repository, ...names: readonly string[]): string {
  const folder = join(commonDir, 'drover', ...names);
  ensureFolder(folder, { root: commonDir });
  return folder;
}

function receiptsFile(repository: Repository): string {
  return join(droverFolder(repository), 'receipts.jsonl');
}

/** Absent values are `null` in the file. */
function changeRecord({ kind, name, before, after, who }: Change): JournalRecord {
  return { change: kind, name, before: before ?? null, after: after ?? null, who: { name: who.name, email: who.email } };
}

function changeOf(record: JournalRecord): Omit<Receipt, 'state'> {
  const text = (value: unknown): string => (typeof value === 'string' ? value : '');
  const value = (name: string): string | undefined => (record[name] === null ? undefined : text(record[name]));
  const who = record['who'] as Partial<Identity> | undefined;
  return {
    kind: record['change'] === 'worktree' ? 'worktree' : 'ref',
    name: text(record['name']),
    before: value('before'),
    after: value('after'),
    who: { name: text(who?.name), email: text(who?.email) },
    at: text(record['at']),
  };
}
