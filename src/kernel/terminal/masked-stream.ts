import type { Redaction, Redactor } from '../redact/index.ts';

const NOTHING = Buffer.alloc(0);

/** Bytes that go out as they are, but for what is secret in them. */
export class MaskedStream {
  readonly #redaction: Redaction | undefined;
  #redactor: Redactor | undefined;

  constructor(redaction: Redaction | undefined) {
    this.#redaction = redaction;
  }

  /** What may go out by now; what could be the beginning of a secret waits. */
  push(chunk: Uint8Array | string): Uint8Array | string {
    if (this.#redaction === undefined) return chunk;
    this.#redactor ??= this.#redaction.createRedactor();
    const bytes = Buffer.from(chunk);
    const shown = this.#redactor.push(bytes);
    return typeof chunk === 'string' ? shown.toString() : shown;
  }

  /** What waited. */
  end(): Uint8Array {
    return this.#redactor?.flush() ?? NOTHING;
  }
}
