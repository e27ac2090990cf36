import { readSync, watch, type FSWatcher } from 'node:fs';
import { setImmediate } from 'node:timers/promises';
import type { LogScrubber } from '../redact/index.ts';
import type { SpawnRequest } from './contract.ts';
import type { Log } from './log.ts';
import type { PlainFile } from './plain-file.ts';
import { onEveryPoll } from './poll.ts';

const LARGEST_CHUNK = 64 * 1024;
/** The first poll may come at once after the start; a child seen by the second one has lived at least one interval. */
const WATCH_FROM_POLL = 2;

/** Of what comes after a stop was asked for, only the end is worth waiting for. */
const TAIL_AFTER_STOP = 64 * 1024;

/** At the end only a process that got away can still cut the log, and must not hold us up for ever. */
const CUTS_AT_THE_END = 2;

type Consumer = NonNullable<SpawnRequest['onOutput']>;

interface FollowerOptions {
  readonly consumer: Consumer | undefined;
  readonly scrubber: LogScrubber | undefined;
}

/**
 * Reads what one child appends to its log, in order, and is the only one that does.
 * Reads are synchronous: the bytes were just written, so they come from memory in microseconds, and the event loop
 * turns between two chunks. One buffer per follower bounds the memory whatever is printed.
 */
export class Follower {
  readonly #log: Log;
  readonly #consumer: Consumer | undefined;
  readonly #scrubber: LogScrubber | undefined;
  readonly #endPolling: () => void;
  #offset: number;
  #end: number | undefined;
  #stopping = false;
  #skipped = 0;
  #truncated = 0;
  #mostCuts = Infinity;
  #polls = 0;
  #buffer: Buffer | undefined;
  #watcher: FSWatcher | undefined;
  #delivery: Promise<void> | undefined;
  #failure: { readonly error: unknown } | undefined;
  #scrubbedTo: number;
  #writable: PlainFile | undefined;

  /** `undefined` when nobody wants to know what comes. */
  static of(log: Log, { onOutput, scrub }: SpawnRequest): Follower | undefined {
    if (onOutput === undefined && scrub === undefined) return undefined;
    return new Follower(log, { consumer: onOutput, scrubber: scrub });
  }

  constructor(log: Log, { consumer, scrubber }: FollowerOptions) {
    this.#log = log;
    this.#consumer = consumer;
    this.#scrubber = scrubber;
    this.#offset = log.start;
    this.#scrubbedTo = log.start;
    this.#endPolling = onEveryPoll(() => this.#poll());
  }

  /** Bytes that were not delivered, because the end was wanted sooner than all of them could be. */
  get skipped(): number {
    return this.#skipped;
  }

  /** How often the log was found cut. */
  get truncated(): number {
    return this.#truncated;
  }

  /** From here on a backlog is passed over, but for its end: whoever wants a stop does not want to wait for it. */
  hurry(): void {
    this.#stopping = true;
  }

  /** Delivers what is left up to byte `end` and lets go of everything. Rejects when the consumer had failed. */
  async finish(end: number): Promise<void> {
    this.#endPolling();
    this.#watcher?.close();
    this.#end = end;
    this.#mostCuts = this.#truncated + CUTS_AT_THE_END;
    await this.#delivery;
    await this.#deliver();
    await this.#finishScrubbing(end);
    if (this.#failure !== undefined) throw this.#failure.error;
  }

  #poll(): void {
    this.#polls += 1;
    if (this.#polls === WATCH_FROM_POLL) this.#watcher = watchFile(this.#log.watchable, () => this.#wake());
    this.#wake();
  }

  #wake(): void {
    this.#delivery ??= this.#deliver().finally(() => {
      this.#delivery = undefined;
    });
  }

  async #deliver(): Promise<void> {
    try {
      for (let chunk = this.#read(); chunk !== undefined; chunk = this.#read()) {
        await this.#consumer?.(chunk);
        await this.#scrub(this.#offset, false);
        await setImmediate();
      }
    } catch (error) {
      // Kept for `finish`, the one place where somebody waits for it; the child goes on and its log stays complete.
      this.#failure ??= { error };
    }
  }

  /** Also after a consumer failed: what a log keeps does not depend on who reads it. */
  async #finishScrubbing(end: number): Promise<void> {
    try {
      this.#heedCut(end);
      // What was masked while it was being cut may be masked in the wrong place, and not in the right one.
      if (this.#truncated > 0) this.#scrubbedTo = 0;
      await this.#scrub(end, true);
    } catch (error) {
      // As above.
      this.#failure ??= { error };
    } finally {
      this.#writable?.close();
    }
  }

  /** From where it got to last, so that what was passed over for the consumer is masked too. */
  async #scrub(to: number, last: boolean): Promise<void> {
    if (this.#scrubber === undefined) return;
    const from = Math.min(this.#scrubbedTo, to);
    this.#scrubbedTo = to;
    await this.#scrubber.scrub({ descriptor: this.#descriptorFor(to - from), from, to, last });
  }

  /** Most programs of a large run print nothing, and a log that takes no mask need not be opened once more. */
  #descriptorFor(length: number): number {
    if (length === 0 && this.#writable === undefined) return this.#log.descriptor;
    this.#writable ??= this.#log.openInPlace();
    return this.#writable.descriptor;
  }

  #read(): Buffer | undefined {
    if (this.#failure !== undefined) return undefined;
    const size = this.#end ?? this.#log.size();
    this.#heedCut(size);
    if (this.#stopping) this.#passOver(size - TAIL_AFTER_STOP - this.#offset);
    const length = Math.min(size - this.#offset, LARGEST_CHUNK);
    if (length === 0) return undefined;
    this.#buffer ??= Buffer.allocUnsafeSlow(LARGEST_CHUNK);
    const count = readSync(this.#log.descriptor, this.#buffer, 0, length, this.#offset);
    if (count === 0) return undefined;
    const chunk = this.#buffer.subarray(0, count);
    this.#log.cutWatch.read(chunk, this.#offset);
    this.#offset += count;
    return chunk;
  }

  /** A child may cut its own log: all that stands in it then is new. */
  #heedCut(size: number): void {
    if (this.#truncated < this.#mostCuts && this.#log.cutWatch.isCut(size, this.#offset)) {
      this.#truncated += 1;
      this.#log.cutWatch.restart();
      this.#scrubbedTo = 0;
      this.#offset = 0;
    }
    this.#offset = Math.min(this.#offset, size);
  }

  #passOver(bytes: number): void {
    if (bytes <= 0) return;
    this.#offset += bytes;
    this.#skipped += bytes;
    this.#log.cutWatch.passedOver();
  }
}

/** Notification only shortens the wait: where it is refused or breaks, the poll serves alone. */
function watchFile(path: string | undefined, onChange: () => void): FSWatcher | undefined {
  if (path === undefined) return undefined;
  try {
    const watcher = watch(path, { persistent: false }, onChange);
    return watcher.on('error', () => watcher.close());
  } catch {
    return undefined;
  }
}
