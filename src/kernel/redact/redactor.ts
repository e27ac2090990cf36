import type { KnownSearch } from './known-search.ts';
import { SecretStream, type Settled } from './secret-stream.ts';
import { mayHoldShapes } from './shape-search.ts';
import { mask } from './spans.ts';

/** Masks a stream of bytes on its way, byte for byte with `*`, so that its length stays. */
export interface Redactor {
  /** What is certain by now: the chunk, less what may begin a secret at its end. May share the chunk's memory. */
  push(chunk: Buffer): Buffer;
  /** What was held back; afterwards another stream may begin. */
  flush(): Buffer;
}

const NOTHING = Buffer.alloc(0);
/** Nothing that is masked is shorter. */
const SHORTEST = 6;
/** Characters of a text that is searched at once. */
const LARGE = 16 * 1024;

export function redactorFor(known: KnownSearch): Redactor {
  const stream = new SecretStream(known);
  return {
    push: (chunk) => masked(stream.feed(chunk, { last: false })),
    flush: () => masked(stream.feed(NOTHING, { last: true })),
  };
}

function masked({ bytes, spans }: Settled): Buffer {
  if (spans.length === 0) return bytes;
  const copy = Buffer.from(bytes);
  mask(copy, spans);
  return copy;
}

/** A whole text; the same one when there is nothing to mask. */
export function redactText(text: string, known: KnownSearch): string {
  if (text.length < SHORTEST && Buffer.byteLength(text) < SHORTEST) return text;
  const shapes = text.length > LARGE || mayHoldShapes(text);
  if (!shapes && known.isEmpty) return text;
  const { bytes, spans } = new SecretStream(known).feed(Buffer.from(text), { last: true, shapes });
  if (spans.length === 0) return text;
  mask(bytes, spans);
  return bytes.toString();
}
