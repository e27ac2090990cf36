import { fstatSync, writeSync } from 'node:fs';
import { describeSystemError, type DroverError } from '../errors/index.ts';
import { durablePoint } from '../files/index.ts';
import { formatRfc3339Nano } from '../time/index.ts';
import type { Appended, Journal, JournalOptions, JournalRecord } from './contract.ts';
import { journalClosed, journalRecordTooLong, journalRemoved, journalUnsynced } from './errors.ts';
import { encodeLine, MAX_LINE_BYTES } from './line.ts';
import { membersOf, repairMembers } from './record.ts';
import { closeFile, sizeOf, syncData, type OpenedFile } from './source.ts';
import { endsLine, endsTorn, lastCounter } from './tail.ts';

/** Of notes that share a sync: their writes are made at one go on the caller's thread. */
const MAX_BATCH = 256;
const MAX_BATCH_BYTES = 1024 * 1024;
/** Longest `,"w":"…#…"`, checksum and braces around the members of a record. */
const FRAME_BYTES = 128;
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

/** What is known about the end of the file as long as no write fails. */
interface Tail {
  /** The number of our last record. */
  counter: number;
  /** Where the file ended after our last write; there it ends with a newline. */
  end: number;
  /** The last line is torn although it has its newline. */
  torn: boolean;
}

/** One writer's open journal: a queue that writes in order and syncs off the caller's thread. */
export class FileJournal implements Journal {
  readonly path: string;
  readonly #options: JournalOptions;
  readonly #file: OpenedFile;
  readonly #queue: Waiting[] = [];
  #tail: Tail | undefined;
  #running: Promise<void> | undefined;
  #closing: Promise<void> | undefined;
  #refusal: DroverError | undefined;

  constructor(path: string, { file, ...options }: JournalOptions & { readonly file: OpenedFile }) {
    this.path = path;
    this.#file = file;
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
    const bytes = Buffer.byteLength(members) + FRAME_BYTES;
    if (bytes > MAX_LINE_BYTES) throw journalRecordTooLong({ path: this.path, bytes, maxBytes: MAX_LINE_BYTES });
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
        this.#tail ??= await this.#lookAtTail();
        written.push({ waiting, appended: this.#writeOne(waiting.members, this.#tail) });
      } catch (error) {
        // How much of it stands there is looked up before the next one.
        this.#tail = undefined;
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
      this.#refuse(written, error);
      return;
    }
    for (const { waiting, appended } of written) waiting.resolve(appended);
  }

  /** After a failed sync the system calls the pages clean; a later sync would succeed and prove nothing. */
  #refuse(written: readonly Written[], cause: unknown): void {
    this.#refusal = journalUnsynced({ path: this.path }, cause);
    const failure = this.#failureOf(cause, 'sync');
    for (const { waiting } of written) waiting.reject(failure);
    for (const waiting of this.#queue.splice(0)) waiting.reject(this.#refusal);
  }

  #failureOf(error: unknown, action: string): DroverError {
    return describeSystemError(error, { action, path: this.path });
  }

  async #lookAtTail(): Promise<Tail> {
    const { descriptor } = this.#file;
    const size = await sizeOf(descriptor);
    const counter = await lastCounter(descriptor, { writer: this.#options.writer, size });
    return { counter, end: -1, torn: await endsTorn(descriptor, size) };
  }

  #writeOne(members: string, tail: Tail): Appended {
    const { writer } = this.#options;
    const { size, nlink } = fstatSync(this.#file.descriptor);
    if (nlink === 0) throw journalRemoved({ path: this.path });
    const isCut = size !== tail.end && !endsLine(this.#file.descriptor, size);
    const contents = isCut || tail.torn ? [this.#repairMembers(), members] : [members];
    const lines = contents.map((each, index) => encodeLine({ writer, counter: tail.counter + 1 + index, members: each }));
    const bytes = Buffer.concat(isCut ? [Buffer.from('\n'), ...lines] : lines);
    this.#writeAtOnce(bytes);
    tail.counter += lines.length;
    tail.end = size + bytes.length;
    tail.torn = false;
    return { writer, counter: tail.counter };
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
