import { base64Run } from './views.ts';
import type { KnownSearch } from './known-search.ts';
import { noShapes, searchShapes, type OpenRun } from './shape-search.ts';
import type { Run } from './shape-pattern.ts';
import { clipped, merged, type Span } from './spans.ts';

/** Bytes of which it is certain what has to be masked. */
export interface Settled {
  /** Unmasked; may share the memory of the chunk that was given. */
  readonly bytes: Buffer;
  /** Sorted, without overlaps; to be masked. */
  readonly spans: readonly Span[];
}

const NOTHING = Buffer.alloc(0);

/**
 * Decides what of a stream of bytes is secret, however it is cut into chunks. All that is found is masked, also where
 * finds overlap; what may be the beginning of a secret is held back, and that is bounded by the longest one.
 */
export class SecretStream {
  readonly #known: KnownSearch;
  /** Not settled yet. */
  #held: Buffer = NOTHING;
  /** What is already known to be masked of the bytes held. */
  #masked: readonly Span[] = [];
  #open: readonly Run[] = [];
  #previous: number | undefined;
  #base64Before = 0;

  constructor(known: KnownSearch) {
    this.#known = known;
  }

  /** Bytes that wait for what follows them. */
  get waiting(): number {
    return this.#held.length;
  }

  /**
   * Takes the next bytes. After the last ones nothing waits, and another stream may begin. `shapes` is false for a whole
   * text that is known to hold none.
   */
  feed(chunk: Buffer, { last, shapes: withShapes = true }: { readonly last: boolean; readonly shapes?: boolean }): Settled {
    const bytes = this.#held.length === 0 ? chunk : Buffer.concat([this.#held, chunk]);
    const source = { bytes, base64Before: this.#base64Before };
    const known = this.#known.search(source);
    const found = [...this.#masked, ...known.spans];
    const shapes = withShapes ? searchShapes({ bytes, last, previous: this.#previous, masked: found, open: this.#open }) : noShapes(bytes);
    const cutOff = last ? bytes.length : Math.min(shapes.cutOff, known.cutOff, this.#known.justBegun(source));
    const settled = last ? cutOff : this.#known.outsideEscapes(source, cutOff);
    const spans = merged([...found, ...shapes.spans]);
    this.#keep(bytes, { spans, settled, open: shapes.open });
    if (last) this.#forget();
    return { bytes: bytes.subarray(0, settled), spans: clipped(spans, { from: 0, to: settled }) };
  }

  #keep(bytes: Buffer, { spans, settled, open }: { spans: readonly Span[]; settled: number; open: readonly OpenRun[] }): void {
    this.#open = distinct(open.filter(({ start }) => start < settled).map(({ run }) => ({ ...run, at: run.at - settled })));
    this.#masked = clipped(spans, { from: settled, to: bytes.length });
    if (settled > 0) {
      this.#previous = spans.some(({ from, to }) => from < settled && to >= settled) ? undefined : bytes[settled - 1];
      if (!this.#known.isEmpty) this.#base64Before = base64Run({ bytes, base64Before: this.#base64Before }, settled);
    }
    // The memory of a chunk is its giver's.
    this.#held = settled === bytes.length ? NOTHING : Buffer.from(bytes.subarray(settled));
  }

  #forget(): void {
    this.#open = [];
    this.#masked = [];
    this.#held = NOTHING;
    this.#previous = undefined;
    this.#base64Before = 0;
  }
}

/** Of the runs of one class the longest, so that there are never more than shapes. */
function distinct(runs: readonly Run[]): readonly Run[] {
  if (runs.length < 2) return runs;
  const byMembers = new Map<Run['members'], Run>();
  for (const run of runs) {
    if (run.left > (byMembers.get(run.members)?.left ?? 0)) byMembers.set(run.members, run);
  }
  return [...byMembers.values()];
}
