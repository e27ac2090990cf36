/** A part of some bytes, from the first to the one past the last. */
export interface Span {
  readonly from: number;
  readonly to: number;
}

const STAR = 0x2a;
const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;

/** Sorted, without overlaps; what touches is joined. */
export function merged(spans: readonly Span[]): readonly Span[] {
  if (spans.length < 2) return spans;
  const result: Span[] = [];
  let last: Span | undefined;
  for (const { from, to } of spans.toSorted((a, b) => a.from - b.from)) {
    if (last === undefined || from > last.to) last = { from, to };
    else last = { from: last.from, to: Math.max(last.to, to) };
    if (result.at(-1)?.from === last.from) result.pop();
    result.push(last);
  }
  return result;
}

/** Those parts of the spans that lie in `from` to `to`, counted from `from`. */
export function clipped(spans: readonly Span[], { from, to }: Span): readonly Span[] {
  return spans
    .filter((span) => span.from < to && span.to > from)
    .map((span) => ({ from: Math.max(span.from, from) - from, to: Math.min(span.to, to) - from }));
}

/** Ends of lines stay, so that a file keeps its lines and a masked key its form. */
export function mask(bytes: Buffer, spans: readonly Span[]): void {
  for (const { from, to } of spans) {
    for (let at = from; at < to; at++) {
      if (bytes[at] !== LINE_FEED && bytes[at] !== CARRIAGE_RETURN) bytes[at] = STAR;
    }
  }
}
