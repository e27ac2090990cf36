import { MAX_HEADER_BYTES, MAX_PAYLOAD_BYTES } from './protocol.ts';

const CARRIAGE_RETURN = 0x0d;
const LINE_FEED = 0x0a;

/** The input is no row of messages any more; where the next one begins nobody can tell. */
export class FrameFault {
  readonly message: string;

  constructor(message: string) {
    this.message = message;
  }
}

/**
 * Cuts a stream of bytes into the payloads of messages, each behind headers of which `Content-Length` counts.
 * Never holds more than the headers and the payload of one message.
 *
 * @example
 * for (const payload of frames.take(chunk)) await answer(payload);
 */
export class FrameReader {
  readonly #header = new Uint8Array(MAX_HEADER_BYTES);
  #headerLength = 0;
  #lineStart = 0;
  #payload: Uint8Array | undefined;
  #filled = 0;

  /** Whether the input may end here. */
  get isBetweenMessages(): boolean {
    return this.#payload === undefined && this.#headerLength === 0;
  }

  /** The payloads that the chunk completes, to be taken before the next chunk comes. Throws `FrameFault`. */
  *take(chunk: Uint8Array): Iterable<Uint8Array> {
    for (let at = 0; at < chunk.length; ) {
      at += this.#payload === undefined ? this.#readHeader(chunk.subarray(at)) : this.#readPayload(chunk.subarray(at));
      if (!this.#isComplete()) continue;
      const payload = this.#payload ?? new Uint8Array();
      this.#payload = undefined;
      yield payload;
    }
  }

  #isComplete(): boolean {
    return this.#payload !== undefined && this.#filled === this.#payload.length;
  }

  /** Answers how many bytes it took. */
  #readHeader(bytes: Uint8Array): number {
    for (let at = 0; at < bytes.length; at += 1) {
      if (this.#headerLength === MAX_HEADER_BYTES) throw new FrameFault(`message headers exceed ${MAX_HEADER_BYTES} bytes`);
      this.#header[this.#headerLength] = bytes[at] ?? 0;
      this.#headerLength += 1;
      if (bytes[at] === LINE_FEED && this.#endsHeaders()) {
        this.#beginPayload();
        return at + 1;
      }
    }
    return bytes.length;
  }

  #endsHeaders(): boolean {
    const line = this.#header.subarray(this.#lineStart, this.#headerLength - 1);
    this.#lineStart = this.#headerLength;
    return line.length === 0 || (line.length === 1 && line[0] === CARRIAGE_RETURN);
  }

  #beginPayload(): void {
    const length = contentLength(this.#header.subarray(0, this.#headerLength));
    this.#headerLength = 0;
    this.#lineStart = 0;
    this.#payload = new Uint8Array(length);
    this.#filled = 0;
  }

  #readPayload(bytes: Uint8Array): number {
    const payload = this.#payload ?? new Uint8Array();
    const taken = bytes.subarray(0, payload.length - this.#filled);
    payload.set(taken, this.#filled);
    this.#filled += taken.length;
    return taken.length;
  }
}

/** A message as it goes out. Throws `FrameFault` for one that no reader would take. */
export function frameOf(text: string): Uint8Array {
  const payload = new TextEncoder().encode(text);
  if (payload.length > MAX_PAYLOAD_BYTES) throw new FrameFault(`Content-Length ${payload.length} exceeds max ${MAX_PAYLOAD_BYTES}`);
  const header = new TextEncoder().encode(`Content-Length: ${payload.length}\r\n\r\n`);
  const frame = new Uint8Array(header.length + payload.length);
  frame.set(header);
  frame.set(payload, header.length);
  return frame;
}

function contentLength(header: Uint8Array): number {
  // Each byte as one character: what is no ASCII cannot be a name or a number that we know.
  const lines = new TextDecoder('latin1').decode(header).split('\n').slice(0, -2);
  const values = lines.map(headerOf).filter(({ name }) => name === 'content-length');
  const [first, second] = values;
  if (first === undefined) throw new FrameFault('missing Content-Length header');
  if (second !== undefined) throw new FrameFault('duplicate Content-Length header');
  return lengthOf(first.value);
}

function headerOf(line: string): { readonly name: string; readonly value: string } {
  const colon = line.indexOf(':');
  if (colon < 1) throw new FrameFault(`invalid header line ${shown(line.replace(/\r$/, ''))}`);
  return { name: line.slice(0, colon).trim().toLowerCase(), value: line.slice(colon + 1).trim() };
}

function lengthOf(value: string): number {
  if (!/^\d+$/.test(value)) throw new FrameFault(`invalid Content-Length header ${shown(value)}`);
  const digits = value.replace(/^0+(?=\d)/, '');
  // Compared as a number only where one can hold it.
  if (digits.length > 15 || Number(digits) > MAX_PAYLOAD_BYTES) {
    throw new FrameFault(`Content-Length ${cut(digits)} exceeds max ${MAX_PAYLOAD_BYTES}`);
  }
  return Number(digits);
}

const MOST_SHOWN = 100;

function shown(text: string): string {
  return JSON.stringify(cut(text));
}

function cut(text: string): string {
  return text.length <= MOST_SHOWN ? text : `${text.slice(0, MOST_SHOWN)}…`;
}
