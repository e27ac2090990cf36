import { commonLength, NeedleSet } from './needle-set.ts';
import { needlesOf } from './needles.ts';
import type { Span } from './spans.ts';
import { CUT, Plain, type Escape, type Source, type View } from './view.ts';
import { VIEWS } from './views.ts';

/** Bytes that one byte of a value takes at most, with escapes: what is longer is not looked for. */
const LARGEST_GROWTH = 8;
const SPARE = 256;
const NOT_THERE = -2;

/** Known values in some bytes. */
export interface KnownFound {
  /** In no order, and they may overlap. */
  readonly spans: Span[];
  /** Where the earliest value begins that the end of the bytes may cut off; the length when there is none. */
  cutOff: number;
}

/**
 * Finds known values in bytes, as they are and through each view. The first bytes of a value are looked for
 * everywhere as they are, and in the neighbourhood of escapes without them; the rest is compared where those are.
 */
export class KnownSearch {
  readonly #needles: NeedleSet;
  readonly #plain = new Plain();
  /** One byte, or what one escape stands for. */
  readonly #single = new Plain();

  constructor(secrets: readonly string[]) {
    this.#needles = new NeedleSet(needlesOf(secrets));
  }

  /** Nothing is known, so nothing is ever found. */
  get isEmpty(): boolean {
    return this.#needles.longest === 0;
  }

  search(source: Source): KnownFound {
    const found: KnownFound = { spans: [], cutOff: source.bytes.length };
    if (this.isEmpty) return found;
    const whole = { from: 0, to: source.bytes.length };
    this.#needles.candidates(source.bytes, whole, (needle, at) => this.#compare(source, { needle, at, found }));
    for (const view of VIEWS) this.#searchThrough(view, source, found);
    return found;
  }

  /** Where the earliest value begins of which only a few bytes are there yet; the length when there is none. */
  justBegun(source: Source): number {
    const { length } = source.bytes;
    if (this.isEmpty) return length;
    const cuts = VIEWS.map((view) => this.#justBegunThrough(view, source));
    return Math.min(this.#needles.cutOff(source.bytes, { from: 0, to: length }), ...cuts);
  }

  /** The place itself, or the beginning of the escape that it is inside of. */
  outsideEscapes(source: Source, place: number): number {
    if (this.isEmpty) return place;
    return Math.min(...VIEWS.map((view) => outsideEscape(view, source, place)));
  }

  /** The most bytes in which the beginning of a value is looked for. */
  get #longestHead(): number {
    return this.#needles.window * LARGEST_GROWTH + SPARE;
  }

  #compare(source: Source, { needle, at, found }: { readonly needle: Buffer; readonly at: number; readonly found: KnownFound }): void {
    const { bytes } = source;
    const same = commonLength(needle, bytes, at);
    const end = at + same;
    if (same === needle.length) found.spans.push({ from: at, to: end });
    else if (end === bytes.length) found.cutOff = Math.min(found.cutOff, at);
    else if (same >= this.#needles.window) {
      const begun = bytes.subarray(at, end + 1);
      for (const view of VIEWS) if (begun.includes(view.lead)) this.#compareThrough(view, source, { needle, at, found });
    }
  }

  #compareThrough(view: View, source: Source, { needle, at, found }: { readonly needle: Buffer; readonly at: number; readonly found: KnownFound }): void {
    const end = this.#endThrough(view, source, { needle, at });
    if (end === CUT) found.cutOff = Math.min(found.cutOff, at);
    else if (end !== NOT_THERE) found.spans.push({ from: at, to: end });
  }

  /** Where a value ends that begins at `at`. */
  #endThrough(view: View, source: Source, { needle, at }: { readonly needle: Buffer; readonly at: number }): number {
    const { bytes } = source;
    const single = this.#single;
    let place = at;
    for (let done = 0; done < needle.length; ) {
      if (place >= bytes.length) return CUT;
      const length = bytes[place] === view.lead ? view.measure(source, place) : 0;
      if (length === CUT) return CUT;
      single.undoOne(view, source, { at: place, length });
      for (let index = 0; index < single.length; index++, done++) {
        if (single.bytes[index] !== needle[done]) return NOT_THERE;
      }
      place += Math.max(1, length);
      const longest = done <= this.#needles.window ? this.#longestHead : needle.length * LARGEST_GROWTH + SPARE;
      if (place - at > longest) return NOT_THERE;
    }
    return place;
  }

  /** Only what is near an escape is looked at: elsewhere the bytes themselves show every beginning. */
  #searchThrough(view: View, source: Source, found: KnownFound): void {
    const { bytes } = source;
    const { window } = this.#needles;
    for (let lead = nextEscape(view, source, 0); lead < bytes.length; ) {
      let next = lead;
      let end = lead;
      let mayMatter = false;
      while (next - end <= window && next < bytes.length) {
        const length = view.measure(source, next);
        mayMatter ||= this.#mayBegin(view, source, { at: next, length });
        end = next + length;
        next = nextEscape(view, source, end);
      }
      if (mayMatter) this.#searchNear(view, source, { span: { from: lead - window, to: end + window }, found });
      lead = next;
    }
  }

  #searchNear(view: View, source: Source, { span, found }: { readonly span: Span; readonly found: KnownFound }): void {
    const plain = this.#plain;
    plain.undo(view, source, { from: Math.max(0, span.from), to: Math.min(source.bytes.length, span.to) });
    this.#needles.candidates(plain.bytes, { from: 0, to: plain.length }, (needle, at) =>
      this.#compareThrough(view, source, { needle, at: plain.originOf(at), found }),
    );
  }

  /** An escape of a byte that no value begins with says nothing. */
  #mayBegin(view: View, source: Source, escape: Escape): boolean {
    this.#single.undoOne(view, source, escape);
    return this.#single.length !== 1 || this.#needles.heads[this.#single.bytes[0] as number] === 1;
  }

  #justBegunThrough(view: View, source: Source): number {
    const { length } = source.bytes;
    const end = cutEscape(view, source);
    const from = outsideEscape(view, source, Math.max(0, length - this.#longestHead));
    if (source.bytes.indexOf(view.lead, from) < 0) return end;
    this.#plain.undo(view, source, { from, to: end });
    return this.#plain.originOf(this.#needles.cutOff(this.#plain.bytes, { from: 0, to: this.#plain.length }));
  }
}

/** Where the next escape of a view stands, from `from` on; the length when there is none. */
function nextEscape(view: View, source: Source, from: number): number {
  const { bytes } = source;
  for (let at = bytes.indexOf(view.lead, from); at >= 0; at = bytes.indexOf(view.lead, at + 1)) {
    if (view.measure(source, at) > 0) return at;
  }
  return bytes.length;
}

/** Where an escape begins that the end cuts off; the length when there is none. */
function cutEscape(view: View, source: Source): number {
  const { bytes } = source;
  for (let at = Math.max(0, bytes.length - view.longest); at < bytes.length; at++) {
    if (bytes[at] === view.lead && view.measure(source, at) === CUT) return at;
  }
  return bytes.length;
}

function outsideEscape(view: View, source: Source, place: number): number {
  const { bytes } = source;
  for (let at = Math.max(0, place - view.longest + 1); at < place; at++) {
    if (bytes[at] === view.lead && at + view.measure(source, at) > place) return at;
  }
  return place;
}
