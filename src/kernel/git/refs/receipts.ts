import { createHash, randomBytes } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { describeSystemError, isDroverError } from '../../errors/index.ts';
import { openJournal, readJournal, type Entry, type JournalRecord } from '../../journal/index.ts';
import { formatRfc3339Nano } from '../../time/index.ts';
import type { Identity, Repository } from '../contract.ts';
import { effectUnknown, receiptNotWritten, receiptsChanged } from '../errors.ts';
import { ensureReceiptsFolder, receiptsFile } from './receipts-place.ts';

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

export interface Receipts {
  readonly receipts: readonly Receipt[];
  /** Numbers of the lines that drover did not write in this form. They count for nothing; somebody put them there. */
  readonly foreignLines: readonly number[];
}

/** All receipts of one moment: their bytes never change, more only come behind them. */
export interface ReceiptsMark {
  readonly bytes: number;
  /** SHA-256 of these bytes. */
  readonly digest: string;
}

const INTENT = 'git-intent';
const RECEIPT = 'git-receipt';

/** With these a call of git was cut off, so that its effect may stand. */
const CUT_OFF = new Set(['git-timed-out', 'git-ended', 'git-output-too-large', 'program-aborted', 'process-not-ended']);

/**
 * Announces a change durably, makes it, and writes durably whether it was made. When `perform` throws, the change
 * stays open: nobody knows then. Throws `git-effect-unknown` for what was cut off, `git-receipt-not-written`.
 */
export async function withReceipt<Outcome>(
  repository: Repository,
  change: Change,
  perform: () => Promise<{ readonly outcome: Outcome; readonly done: boolean }>,
): Promise<Outcome> {
  const { clock } = repository.git;
  const about = { change: change.name, where: repository.commonDir };
  const id = `${process.pid}-${randomBytes(8).toString('hex')}`;
  await ensureReceiptsFolder(repository);
  // Each change is a writer of its own: several processes write here at once.
  const journal = await openJournal(receiptsFile(repository), { clock, writer: id });
  try {
    await journal.append({ kind: INTENT, id, at: formatRfc3339Nano(clock.wall()), ...changeRecord(change) });
    const { outcome, done } = await perform().catch((error: unknown) => {
      const isCutOff = isDroverError(error) && CUT_OFF.has(error.code);
      throw isCutOff ? effectUnknown({ ...about, reason: error.message }, error) : error;
    });
    await journal.append({ kind: RECEIPT, id, state: done ? 'done' : 'not-done' }).catch((error: unknown) => {
      throw done ? receiptNotWritten({ ...about, reason: error instanceof Error ? error.message : String(error) }, error) : error;
    });
    return outcome;
  } finally {
    await journal.close();
  }
}

/** What is written later comes behind this. */
export function markReceipts(repository: Repository): Promise<ReceiptsMark> {
  return digestOf(receiptsFile(repository), Number.POSITIVE_INFINITY);
}

/** Throws `receipts-changed` when what was there at the mark is gone or different. */
export async function requireReceipts(repository: Repository, mark: ReceiptsMark): Promise<void> {
  const path = receiptsFile(repository);
  const { bytes, digest } = await digestOf(path, mark.bytes);
  if (bytes !== mark.bytes || digest !== mark.digest) throw receiptsChanged({ path });
}

async function digestOf(path: string, most: number): Promise<ReceiptsMark> {
  const hash = createHash('sha256');
  let bytes = 0;
  try {
    if (most > 0) {
      for await (const chunk of createReadStream(path, { end: most - 1 }) as AsyncIterable<Buffer>) {
        hash.update(chunk);
        bytes += chunk.length;
      }
    }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw describeSystemError(error, { action: 'read', path });
  }
  return { bytes, digest: hash.digest('hex') };
}

/**
 * The changes that drover announced in this repository, from any process and checkout, in their order; `since` leaves
 * out what had ended before. Only lines count that name their own writer and have a sound checksum. That keeps out
 * accidents and other tools; who means to forge a line is kept out by the folder alone (`GitHost.receiptsFolder`).
 * Throws `journal-damaged`: what is missing would be blamed on somebody.
 */
export async function readReceipts(repository: Repository, { since = 0 }: { readonly since?: number } = {}): Promise<Receipts> {
  const { records } = await readJournal(receiptsFile(repository), { purpose: 'decide' });
  const own = records.filter(isOwn);
  const ends = new Map<unknown, Entry>();
  for (const entry of own) {
    if (entry.record['kind'] === RECEIPT) ends.set(entry.record['id'], entry);
  }
  const receipts = own.flatMap(({ record }) => {
    const end = ends.get(record['id']);
    // What was announced before and ended later, or is open still, may have happened since.
    const isSince = end === undefined || end.offset >= since;
    return record['kind'] === INTENT && isSince ? [{ ...changeOf(record), state: stateOf(end) }] : [];
  });
  return { receipts, foreignLines: records.flatMap((entry) => (isOwn(entry) ? [] : [entry.line])) };
}

/** Each change is the writer of its lines: the intent first, its end second. */
function isOwn({ writer, counter, record }: Entry): boolean {
  if (writer === undefined || record['id'] !== writer) return false;
  return (record['kind'] === INTENT && counter === 1) || (record['kind'] === RECEIPT && counter === 2);
}

function stateOf(end: Entry | undefined): Receipt['state'] {
  if (end === undefined) return 'open';
  return end.record['state'] === 'done' ? 'done' : 'not-done';
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
