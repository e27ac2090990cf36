import type { ByteClass } from './byte-classes.ts';
import { compileShape, isVowel, matchShape, openEnded, openingOf, runEnd, type Run, type Shape, type Text } from './shape-pattern.ts';
import { SHAPES } from './shapes.ts';
import type { Span } from './spans.ts';

const PAIRS = 1 << 16;
/** Text that was masked before shows a shape that it had not: a mask may stand where a slash was. */
const MASKED = Buffer.alloc(6, '*');

/** What was found in some bytes, and what their end left undecided. */
export interface ShapesFound {
  readonly spans: readonly Span[];
  /** Shapes that go on where the bytes end, each with where it began; -1 for one that began before them. */
  readonly open: readonly OpenRun[];
  /** Where the earliest shape begins that the end cuts off; the length when there is none. */
  readonly cutOff: number;
}

export interface OpenRun {
  readonly start: number;
  readonly run: Run;
}

export interface ShapeSource extends Text {
  /** The byte before the first one; `undefined` when there is none, or a masked one. */
  readonly previous: number | undefined;
  /** What is masked whatever its shape. */
  readonly masked: readonly Span[];
  /** Shapes that began before these bytes. */
  readonly open: readonly Run[];
}

/** The first and second, or the second and third byte of a shape. */
const OPENS = 1;
const FOLLOWS = 2;
const OPENING = 3;

/** The shapes by their first bytes; made when it is first needed. */
class ShapeTable {
  readonly #byFirst = Array.from<readonly Shape[] | undefined>({ length: 256 });
  readonly #pairs = new Uint8Array(PAIRS);

  constructor(shapes: readonly Shape[]) {
    for (const shape of shapes) {
      const [first = [], second = [], third = []] = shape.steps.slice(0, OPENING).map(({ members }) => bytesOf(members));
      for (const byte of first) this.#byFirst[byte] = [...(this.#byFirst[byte] ?? []), shape];
      this.#addPairs(OPENS, first, second);
      this.#addPairs(FOLLOWS, second, third);
    }
  }

  /**
   * Calls `visit` with every place where a shape may begin, in order. Each shape begins with three single bytes, so
   * that looking at every other pair meets one of its two.
   */
  visit(bytes: Buffer, visit: (shapes: readonly Shape[], start: number) => void): void {
    const pairs = this.#pairs;
    const last = bytes.length - OPENING;
    for (let at = 1; at <= last; at += 2) {
      if (pairs[((bytes[at] as number) << 8) | (bytes[at + 1] as number)] === 0) continue;
      if (this.#opensAt(bytes, at - 1)) this.#visitAt(bytes, at - 1, visit);
      if (this.#opensAt(bytes, at)) this.#visitAt(bytes, at, visit);
    }
    // What begins in the last bytes may be cut off before its pairs.
    for (let at = Math.max(0, last); at < bytes.length; at++) this.#visitAt(bytes, at, visit);
  }

  #opensAt(bytes: Buffer, at: number): boolean {
    const second = bytes[at + 1] as number;
    const opens = this.#pairs[((bytes[at] as number) << 8) | second] as number;
    const follows = this.#pairs[(second << 8) | (bytes[at + 2] as number)] as number;
    return (opens & OPENS) !== 0 && (follows & FOLLOWS) !== 0;
  }

  #visitAt(bytes: Buffer, at: number, visit: (shapes: readonly Shape[], start: number) => void): void {
    const shapes = this.#byFirst[bytes[at] as number];
    if (shapes !== undefined) visit(shapes, at);
  }

  #addPairs(kind: number, first: readonly number[], second: readonly number[]): void {
    for (const one of first) {
      for (const other of second) this.#pairs[(one << 8) | other] = (this.#pairs[(one << 8) | other] as number) | kind;
    }
  }
}

let openings: RegExp | undefined;

/** False when no shape begins in a text, which costs less to find out than to get ready for a search. */
export function mayHoldShapes(text: string): boolean {
  openings ??= new RegExp(SHAPES.map(openingOf).join('|'));
  return openings.test(text);
}

let table: ShapeTable | undefined;

export function noShapes(bytes: Buffer): ShapesFound {
  return { spans: [], open: [], cutOff: bytes.length };
}

/** Looks for all shapes. */
export function searchShapes(source: ShapeSource): ShapesFound {
  const { bytes } = source;
  const { spans, open } = continued(source);
  let cutOff = bytes.length;
  table ??= new ShapeTable(SHAPES.map(compileShape));
  table.visit(bytes, (shapes, start) => {
    for (const shape of shapes) {
      if (shape.opensWord && isInsideWord(source, { start, spans })) continue;
      const found = matchShape(shape, source, start);
      if (found === 'none') continue;
      if (found !== 'cut' && bytes.subarray(found.from, found.to).includes(MASKED)) continue;
      if (found === 'cut') {
        cutOff = Math.min(cutOff, start);
        continue;
      }
      spans.push(found);
      if (found.open !== undefined) open.push({ start, run: found.open });
    }
  });
  return { spans, open, cutOff: Math.min(cutOff, ...open.map(({ run }) => run.at)) };
}

/** What still belongs to the shapes that were open. */
function continued(source: ShapeSource): { readonly spans: Span[]; readonly open: OpenRun[] } {
  const { bytes, open } = source;
  const spans: Span[] = [];
  const left: OpenRun[] = [];
  for (const run of open) {
    const to = runEnd(run.members, bytes, { from: run.at, to: Math.min(bytes.length, run.at + run.left) });
    const found = openEnded(source, { from: run.at, to, run: { ...run, left: run.left - (to - run.at) } });
    if (found.to > found.from) spans.push(found);
    if (found.open !== undefined) left.push({ start: -1, run: found.open });
  }
  return { spans, open: left };
}

/** A byte that is masked is no vowel, so that a second look at the masked text sees the same. */
function isInsideWord({ bytes, previous, masked }: ShapeSource, { start, spans }: { readonly start: number; readonly spans: readonly Span[] }): boolean {
  const before = start === 0 ? previous : bytes[start - 1];
  if (before === undefined || !isVowel(before)) return false;
  const endsBefore = ({ from, to }: Span): boolean => from < start && start <= to;
  return !masked.some(endsBefore) && !spans.some(endsBefore);
}

function bytesOf(members: ByteClass): readonly number[] {
  const bytes: number[] = [];
  for (let byte = members.indexOf(1); byte >= 0; byte = members.indexOf(1, byte + 1)) bytes.push(byte);
  return bytes;
}
