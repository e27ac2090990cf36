import { fstatSync, writeSync } from 'node:fs';
import { describeSystemError, type DroverError } from '../errors/index.ts';
import { durablePoint } from '../files/index.ts';
import { formatRfc3339Nano } from '../time/index.ts';
import type { Appended, Journal, JournalOptions, JournalRecord } from './contract.ts';
import { journalClosed, journalRemoved, journalTruncated, journalUnsynced } from './errors.ts';
import { encodeLine } from './line.ts';
import { membersOf, repairMembers } from './record.ts';
import { closeFile, readAtOnce, sizeOf, statsAt, syncData, type OpenedFile } from './source.ts';
import { endingOf, lastCounter, type Ending } from './tail.ts';

/** Of notes that share a sync: their writes are made at one go on the caller's thread. */
const MAX_BATCH = 256;
const MAX_BATCH_BYTES = 1024 * 1024;
/** Of our last line, by which it is known again. */
const MARK_BYTES = 64;
/** Test only: each record is written in two halves with a crash point between them. */
const CRASH_TORN = 'DROVER_CRASH_TORN';

interface Waiting {
  readonly members: string;
  readonly alone: boolean;
  readonly resolve: (appended: Appended) => void;
  readonly reject: (error: unknown) => void;
}

interface Written {
  readonly waiting: Waiting;
  readonly appended: Appended;
}

/** What has to stay in the file. */
interface Known {
  /** Where it ended after our last write, or when it was opened. */
  readonly end: number;
  /** The bytes of ours before that. */
  readonly mark: Buffer;
}

/** One writer's open journal: a queue that writes in order and syncs off the caller's thread. */
export class FileJournal implements Journal {
  readonly path: string;
  readonly #options: JournalOptions;
  readonly #file: OpenedFile;
  readonly #queue: Waiting[] = [];
  #known: Known;
  /** The number of our last record; `undefined` until it is looked up. */
  #counter: number | undefined;
  #running: Promise<void> | undefined;
  #closing: Promise<void> | undefined;
  #refusal: DroverError | undefined;

  constructor(path: string, { file, ...options }: JournalOptions & { readonly file: OpenedFile }) {
    this.path = path;
    this.#file = file;
    this.#known = { end: Number(file.stats.size), mark: Buffer.alloc(0) };
    this.#options = options;
  }

  append(record: JournalRecord): Promise<Appended> {
    return this.#enqueue(record, { alone: true });
  }

  note(record: JournalRecord): Promise<Appended> {
    return this.#enqueue(record, { alone: false });
  }

  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    await this.#running;
    closeFile(this.#file);
  }

  async #enqueue(record: JournalRecord, { alone }: { readonly alone: boolean }): Promise<Appended> {
    if (this.#closing !== undefined) throw journalClosed({ path: this.path });
    if (this.#refusal !== undefined) throw this.#refusal;
    const members = membersOf(record, this.path);
    return new Promise((resolve, reject) => {
      this.#queue.push({ members, alone, resolve, reject });
      this.#running ??= this.#run();
    });
  }

  async #run(): Promise<void> {
    // Whoever appends in the same turn of the event loop may share the sync.
    await Promise.resolve();
    while (this.#queue.length > 0) await this.#settle(await this.#write(this.#nextBatch()));
    this.#running = undefined;
  }

  /** Notes up to the first record that wants a sync of its own, and that one. */
  #nextBatch(): readonly Waiting[] {
    let bytes = 0;
    const end = this.#queue.findIndex(({ alone, members }, index) => {
      bytes += members.length;
      return alone || index + 1 === MAX_BATCH || bytes >= MAX_BATCH_BYTES;
    });
    return this.#queue.splice(0, end === -1 ? this.#queue.length : end + 1);
  }

  /** Writes each record by itself; those that could not be written are rejected. */
  async #write(batch: readonly Waiting[]): Promise<readonly Written[]> {
    const written: Written[] = [];
    for (const waiting of batch) {
      try {
        if (this.#refusal !== undefined) throw this.#refusal;
        this.#counter ??= await this.#lookUpCounter();
        written.push({ waiting, appended: this.#writeOne(waiting.members, this.#counter) });
      } catch (error) {
        // How much of it stands there is looked up before the next one.
        this.#counter = undefined;
        waiting.reject(this.#failureOf(error, 'write'));
      }
    }
    return written;
  }

  async #settle(written: readonly Written[]): Promise<void> {
    if (written.length === 0) return;
    try {
      durablePoint('journal-sync:before');
      await syncData(this.#file.descriptor);
      durablePoint('journal-sync:after');
    } catch (error) {
      // The system calls the pages clean now; a later sync would succeed and prove nothing.
      this.#refusal = journalUnsynced({ path: this.path }, error);
      return this.#reject(written, this.#failureOf(error, 'sync'));
    }
    this.#refusal ??= await this.#doubt();
    if (this.#refusal !== undefined) return this.#reject(written, this.#refusal);
    for (const { waiting, appended } of written) waiting.resolve(appended);
  }

  #reject(written: readonly Written[], failure: DroverError): void {
    for (const { waiting } of written) waiting.reject(failure);
  }

  /** What keeps the records that were written from being in the file at the path; asked once they are synced. */
  async #doubt(): Promise<DroverError | undefined> {
    const { dev, ino } = this.#file.stats;
    try {
      const there = await statsAt(this.path);
      if (there?.ino !== ino || there.dev !== dev) return journalRemoved({ path: this.path });
      return there.size < this.#known.end ? journalTruncated({ path: this.path }) : undefined;
    } catch (error) {
      return this.#failureOf(error, 'read');
    }
  }

  #failureOf(error: unknown, action: string): DroverError {
    return describeSystemError(error, { action, path: this.path });
  }

  async #lookUpCounter(): Promise<number> {
    const { descriptor } = this.#file;
    return lastCounter(descriptor, { writer: this.#options.writer, size: await sizeOf(descriptor) });
  }

  #writeOne(members: string, before: number): Appended {
    const { writer } = this.#options;
    const { size } = fstatSync(this.#file.descriptor);
    if (!this.#holdsKnown(size)) throw this.#refuse(journalTruncated({ path: this.path }));
    const ending = this.#endingAt(size);
    const contents = ending === 'whole' ? [members] : [this.#repairMembers(), members];
    const lines = contents.map((each, index) => encodeLine({ writer, counter: before + 1 + index, members: each }));
    const bytes = Buffer.concat(ending === 'cut' ? [Buffer.from('\n'), ...lines] : lines);
    this.#writeAtOnce(bytes);
    this.#counter = before + lines.length;
    this.#known = { end: size + bytes.length, mark: bytes.subarray(-MARK_BYTES) };
    return { writer, counter: this.#counter };
  }

  #refuse(refusal: DroverError): DroverError {
    this.#refusal = refusal;
    return refusal;
  }

  /** A file that was shortened may have grown again by what others wrote. */
  #holdsKnown(size: number): boolean {
    const { end, mark } = this.#known;
    if (size <= end) return size === end;
    return readAtOnce(this.#file.descriptor, { offset: end - mark.length, length: mark.length }).equals(mark);
  }

  /** Our own line is whole; what stands there otherwise was written by others, or when a write of ours failed. */
  #endingAt(size: number): Ending {
    const { end, mark } = this.#known;
    return size === end && mark.length > 0 ? 'whole' : endingOf(this.#file.descriptor, size);
  }

  #repairMembers(): string {
    const { clock, repairFields = () => ({ at: formatRfc3339Nano(clock.wall()) }) } = this.#options;
    return repairMembers(repairFields(), this.path);
  }

  #writeAtOnce(bytes: Buffer): void {
    durablePoint('journal-write:before');
    if (process.env[CRASH_TORN] === undefined) this.#writeWhole(bytes);
    else this.#writeInHalves(bytes);
    durablePoint('journal-write:after');
  }

  #writeInHalves(bytes: Buffer): void {
    const half = Math.ceil(bytes.length / 2);
    this.#writeWhole(bytes.subarray(0, half));
    durablePoint('journal-write:half');
    this.#writeWhole(bytes.subarray(half));
  }

  #writeWhole(bytes: Buffer): void {
    if (writeSync(this.#file.descriptor, bytes) === bytes.length) return;
    // A regular file takes a part only when space or quota ends within it; the next byte would have been told so.
    throw describeSystemError({ code: 'ENOSPC' }, { action: 'write', path: this.path });
  }
}
