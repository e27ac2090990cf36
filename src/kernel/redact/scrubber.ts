import { close, constants, open, read, readSync, writeSync } from 'node:fs';
import { setImmediate } from 'node:timers/promises';
import { promisify } from 'node:util';
import { describeSystemError } from '../errors/index.ts';
import type { KnownSearch } from './known-search.ts';
import { SecretStream } from './secret-stream.ts';
import { mask, type Span } from './spans.ts';

/** A part of a log file, as it was just read or passed over. */
export interface LogRange {
  /** Open for reading. It stays the caller's, and open until the promise settles. */
  readonly descriptor: number;
  readonly from: number;
  readonly to: number;
  /** Nothing follows: what was held back is decided. */
  readonly last: boolean;
}

/** Masks what is secret in one log file, in place, while others append to it. */
export interface LogScrubber {
  /**
   * Masks the file up to `to`, from where it was masked before. Only bytes that are secret are written, each by a `*`,
   * so that no offset moves. The last bytes may wait for the next range. Rejects when the file cannot be read or written.
   */
  scrub(range: LogRange): Promise<void>;
}

export function scrubberFor(known: KnownSearch): LogScrubber {
  const scrubber = new FileScrubber(known);
  return { scrub: (range) => scrubber.scrub(range) };
}

const CHUNK = 256 * 1024;
/** Masks that are nearer are looked at together: a byte costs less than a call. */
const JOINED_GAP = 1024;
/** What is written between two turns of the event loop. */
const MOST_TOGETHER = 1000;
/** Of what stands before a mask: where it is another text, the file was cut. */
const CONTEXT = 64;
/** At the end only a process that got away can still cut it, and must not hold us up for ever. */
const MOST_CUTS = 2;
const NOTHING = Buffer.alloc(0);

const readAt = promisify(read);
const openFile = promisify(open);
const closeFile = promisify(close);

class FileScrubber {
  readonly #known: KnownSearch;
  #stream: SecretStream;
  /** The next byte to be read; everything before the bytes that the stream holds is masked. */
  #position: number | undefined;
  /** What stands before the bytes that the stream holds, masked: a part of a secret is not known again by itself. */
  #before: Buffer = NOTHING;
  #wasCut = false;
  #writer: number | undefined;
  #work: Promise<void> = Promise.resolve();

  constructor(known: KnownSearch) {
    this.#known = known;
    this.#stream = new SecretStream(known);
  }

  /** One range after the other, whoever waits for them. */
  scrub(range: LogRange): Promise<void> {
    const done = this.#work.then(() => this.#scrub(range));
    // The caller is told; what comes next is tried all the same.
    this.#work = done.catch(() => undefined);
    return done;
  }

  async #scrub(range: LogRange): Promise<void> {
    try {
      await this.#beginAt(range);
      await this.#scrubRange(range);
      for (let cuts = 0; range.last && this.#wasCut && cuts < MOST_CUTS; cuts += 1) {
        this.#startAt(0);
        await this.#scrubRange(range);
      }
    } catch (error) {
      throw describeSystemError(error, { action: 'mask secrets in', path: 'the log' });
    } finally {
      if (range.last) await this.#close();
    }
  }

  async #beginAt({ descriptor, from }: LogRange): Promise<void> {
    // All that stands in it is new, whether the caller saw it or not. Not sooner: it may not have been read yet.
    if (this.#wasCut) return this.#startAt(0);
    if (this.#position !== undefined && from >= this.#position) return;
    // A secret of which the first part is masked is not found a second time: its rest goes now, if it still stands there.
    if (this.#position !== undefined) await this.#settle(descriptor, { chunk: NOTHING, last: true });
    this.#startAt(from);
  }

  #startAt(offset: number): void {
    this.#stream = new SecretStream(this.#known);
    this.#position = offset;
    this.#before = NOTHING;
    this.#wasCut = false;
  }

  async #scrubRange(range: LogRange): Promise<void> {
    await this.#scrubUpTo(range);
    if (range.last) await this.#settle(range.descriptor, { chunk: NOTHING, last: true });
  }

  /** The next chunk is read while one is searched. */
  async #scrubUpTo({ descriptor, to }: LogRange): Promise<void> {
    const size = Math.min(CHUNK, to - this.#next);
    if (size <= 0) return;
    const buffers = [Buffer.allocUnsafeSlow(size), Buffer.allocUnsafeSlow(this.#next + size < to ? size : 0)];
    let reading = readChunk(descriptor, { buffer: buffers[0], at: this.#next, to });
    for (let turn = 1; ; turn++) {
      const chunk = await reading;
      if (chunk.length === 0) return;
      reading = readChunk(descriptor, { buffer: buffers[turn % 2], at: this.#next + chunk.length, to });
      try {
        await this.#settle(descriptor, { chunk, last: false });
      } catch (error) {
        await reading.catch(() => undefined);
        throw error;
      }
    }
  }

  get #next(): number {
    return this.#position ?? 0;
  }

  async #settle(descriptor: number, { chunk, last }: { readonly chunk: Buffer; readonly last: boolean }): Promise<void> {
    const offset = this.#next - this.#stream.waiting;
    const { bytes, spans } = this.#stream.feed(chunk, { last });
    this.#position = this.#next + chunk.length;
    const before = this.#before;
    const standing = Buffer.concat([before, spans.length > 0 ? bytes : bytes.subarray(-CONTEXT)]);
    if (spans.length > 0) await this.#write(descriptor, { standing, at: offset - before.length, spans: moved(spans, before.length) });
    this.#before = Buffer.from(standing.subarray(-CONTEXT));
  }

  /**
   * Looks and writes in one go, so that nothing of ours comes between; and of what was read before only the masks are
   * written, so that output which came after a cut is never covered by what stood there before. `standing` is masked.
   */
  async #write(descriptor: number, { standing, at, spans }: { standing: Buffer; at: number; spans: readonly Span[] }): Promise<void> {
    this.#writer ??= await openWriter(descriptor);
    const seen = Buffer.allocUnsafeSlow(standing.length);
    for (const group of groups(spans)) {
      const { from, to } = around(group);
      const count = readSync(this.#writer, seen, from, to - from, at + from);
      // It was cut: something else stands there, or nothing, and it must not grow again.
      this.#wasCut ||= count < to - from || seen.compare(standing, from, to, from, to) !== 0;
      if (this.#wasCut) return;
      mask(standing, group);
      for (const span of group) writeSync(this.#writer, standing, span.from, span.to - span.from, at + span.from);
      await setImmediate();
    }
  }

  async #close(): Promise<void> {
    const writer = this.#writer;
    this.#writer = undefined;
    if (writer !== undefined) await closeFile(writer);
  }
}

async function readChunk(descriptor: number, { buffer, at, to }: { buffer: Buffer | undefined; at: number; to: number }): Promise<Buffer> {
  const length = Math.min(buffer?.length ?? 0, to - at);
  if (buffer === undefined || length <= 0) return Buffer.alloc(0);
  const { bytesRead } = await readAt(descriptor, buffer, 0, length, at);
  return buffer.subarray(0, bytesRead);
}

/** On Linux a descriptor that appends writes at the end wherever it is told to, so that we need one of our own. */
async function openWriter(descriptor: number): Promise<number> {
  if (process.platform !== 'linux') return openFile(`/dev/fd/${descriptor}`, constants.O_RDWR);
  return openFile(`/proc/self/fd/${descriptor}`, constants.O_RDWR | constants.O_NOCTTY | constants.O_NONBLOCK);
}

/** Spans that are looked at together. */
function groups(spans: readonly Span[]): readonly (readonly Span[])[] {
  const found: Span[][] = [];
  let end = -Infinity;
  for (const span of spans) {
    const last = found.at(-1);
    if (last !== undefined && span.from - end < JOINED_GAP && last.length < MOST_TOGETHER) last.push(span);
    else found.push([span]);
    end = span.to;
  }
  return found;
}

/** With what stands before. */
function around(spans: readonly Span[]): Span {
  return { from: Math.max(0, (spans[0]?.from ?? 0) - CONTEXT), to: spans.at(-1)?.to ?? 0 };
}

function moved(spans: readonly Span[], by: number): readonly Span[] {
  return spans.map(({ from, to }) => ({ from: from + by, to: to + by }));
}
