import { close, constants, fstat, open, read, write } from 'node:fs';
import { promisify } from 'node:util';
import { describeSystemError } from '../errors/index.ts';
import type { KnownSearch } from './known-search.ts';
import { SecretStream, type Settled } from './secret-stream.ts';
import { clipped, mask, type Span } from './spans.ts';

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
/** Masks that are nearer are written together: a byte costs less than a call. */
const JOINED_GAP = 1024;

const readAt = promisify(read);
const writeAt = promisify(write);
const openFile = promisify(open);
const statFile = promisify(fstat);
const closeFile = promisify(close);

class FileScrubber {
  readonly #known: KnownSearch;
  #stream: SecretStream;
  /** The next byte to be read; everything before the bytes that the stream holds is masked. */
  #position: number | undefined;
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
    // A file that was cut is written anew from there.
    if (this.#position === undefined || range.from < this.#position) this.#startAt(range.from);
    try {
      await this.#scrubUpTo(range);
      if (range.last) await this.#settle(range.descriptor, { chunk: Buffer.alloc(0), last: true });
    } catch (error) {
      throw describeSystemError(error, { action: 'mask secrets in', path: 'the log' });
    } finally {
      if (range.last) await this.#close();
    }
  }

  #startAt(offset: number): void {
    this.#stream = new SecretStream(this.#known);
    this.#position = offset;
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
    const settled = this.#stream.feed(chunk, { last });
    this.#position = this.#next + chunk.length;
    if (settled.spans.length > 0) await this.#write(descriptor, { settled, offset });
  }

  async #write(descriptor: number, { settled, offset }: { readonly settled: Settled; readonly offset: number }): Promise<void> {
    this.#writer ??= await openWriter(descriptor);
    const { size } = await statFile(this.#writer);
    for (const spans of groups(settled.spans)) {
      const { from, to } = around(spans);
      // A file that was cut meanwhile has nothing there any more, and must not grow again.
      if (offset + to > size) return;
      const bytes = Buffer.from(settled.bytes.subarray(from, to));
      mask(bytes, clipped(spans, { from, to }));
      await writeWhole(this.#writer, { bytes, offset: offset + from });
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

async function writeWhole(descriptor: number, { bytes, offset }: { readonly bytes: Buffer; readonly offset: number }): Promise<void> {
  for (let done = 0; done < bytes.length; ) {
    const { bytesWritten } = await writeAt(descriptor, bytes, done, bytes.length - done, offset + done);
    done += bytesWritten;
  }
}

/** Spans that are written together. */
function groups(spans: readonly Span[]): readonly (readonly Span[])[] {
  const found: Span[][] = [];
  let end = -Infinity;
  for (const span of spans) {
    if (span.from - end < JOINED_GAP) found.at(-1)?.push(span);
    else found.push([span]);
    end = span.to;
  }
  return found;
}

function around(spans: readonly Span[]): Span {
  return { from: spans[0]?.from ?? 0, to: spans.at(-1)?.to ?? 0 };
}
