import { describeSystemError } from '../errors/index.ts';
import type { Damage, Entry, JournalContents, JournalRest, ReadOptions } from './contract.ts';
import { LineBytesCutter } from './cut-lines.ts';
import { journalDamaged } from './errors.ts';
import { Examination } from './examination.ts';
import { closeFile, openToRead, readAt, type OpenedFile } from './source.ts';

const CHUNK_BYTES = 256 * 1024;

/**
 * Reads a journal whole. A missing file is empty; torn bytes at the end are no damage and are told in the answer.
 * Throws `journal-damaged` (when reading to decide), and what the system refuses, with the path.
 *
 * @example
 * const { records, tornTail } = await readJournal('/project/.state/journal.jsonl', { purpose: 'decide' });
 */
export async function readJournal(path: string, options: ReadOptions): Promise<JournalContents> {
  const { batches, examination } = startReading(path, options);
  const records: Entry[] = [];
  for await (const batch of batches) {
    for (const entry of batch) records.push(entry);
  }
  return { records, ...examination.rest };
}

/**
 * As `readJournal`, one record at a time, with memory for one chunk; what the generator returns is beside the records.
 * When reading to decide, records before the damage were given already when `journal-damaged` is thrown.
 */
export async function* journalEntries(path: string, options: ReadOptions): AsyncGenerator<Entry, JournalRest> {
  const { batches, examination } = startReading(path, options);
  for await (const batch of batches) yield* batch;
  return examination.rest;
}

export interface Reading {
  /** The records of each chunk. */
  readonly batches: AsyncGenerator<readonly Entry[]>;
  /** Knows what is beside the records, once the batches are at their end. */
  readonly examination: Examination;
}

export function startReading(path: string, { purpose, signal }: ReadOptions): Reading {
  const found: Entry[] = [];
  const refuse = ({ line, reason }: Damage): never => {
    throw journalDamaged({ path, line, reason });
  };
  const examination = new Examination({
    onEntry: (entry) => void found.push(entry),
    onDamage: purpose === 'decide' ? refuse : () => undefined,
  });
  return { batches: batchesOf({ chunks: chunksOf(path, signal), examination, found }), examination };
}

interface Source {
  readonly chunks: AsyncIterable<Buffer>;
  readonly examination: Examination;
  /** Where the examination puts what it finds. */
  readonly found: Entry[];
}

async function* batchesOf({ chunks, examination, found }: Source): AsyncGenerator<readonly Entry[]> {
  const cutter = new LineBytesCutter((line) => examination.take(line));
  for await (const chunk of chunks) {
    cutter.write(chunk);
    yield found.splice(0);
  }
  examination.finish(cutter.rest());
  yield found.splice(0);
}

/** The bytes that the file had when it was opened, so that a busy writer does not keep a reader for ever. */
async function* chunksOf(path: string, signal: AbortSignal | undefined): AsyncGenerator<Buffer> {
  signal?.throwIfAborted();
  const file = await openToRead(path);
  if (file === undefined) return;
  try {
    yield* chunksOfOpened(path, file, signal);
  } finally {
    closeFile(file);
  }
}

async function* chunksOfOpened(path: string, { descriptor, stats }: OpenedFile, signal: AbortSignal | undefined): AsyncGenerator<Buffer> {
  const size = Number(stats.size);
  for (let offset = 0; offset < size; ) {
    signal?.throwIfAborted();
    const length = Math.min(CHUNK_BYTES, size - offset);
    const chunk = await readAt(descriptor, { offset, length }).catch((error: unknown) => {
      throw describeSystemError(error, { action: 'read', path });
    });
    if (chunk.length === 0) return;
    offset += chunk.length;
    yield chunk;
  }
}
