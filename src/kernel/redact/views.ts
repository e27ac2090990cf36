import { BASE64, HEX_VALUES, hexByteAt } from './byte-classes.ts';
import { JSON_VIEW } from './json-view.ts';
import { CUT, type Source, type View } from './view.ts';

const PERCENT = 0x25;
const ESCAPE = 0x1b;
const BRACKET = 0x5b;
const LINE_FEED = 0x0a;

/** Characters of a line that an encoder broke; the shortest in use. */
const WRAPPED_LINE = 60;
const LONGEST_SEQUENCE = 32;

/** `%41`, in either case, of all bytes or of some. */
const PERCENT_VIEW: View = {
  lead: PERCENT,
  longest: 3,
  measure: ({ bytes }, at) => {
    if (at + 1 >= bytes.length || (at + 2 >= bytes.length && (HEX_VALUES[bytes[at + 1] as number] as number) >= 0)) return CUT;
    return at + 2 < bytes.length && hexByteAt(bytes, at + 1) >= 0 ? 3 : 0;
  },
  emit: (plain, { bytes }, { at, length }) => plain.add(hexByteAt(bytes, at + 1), at, at + length),
};

/** Colours and movements inside a value: a program that marks what it found prints them. */
const TERMINAL_VIEW: View = { lead: ESCAPE, longest: LONGEST_SEQUENCE, measure: measureSequence, emit: () => undefined };

/** Base64 or hex that was broken into lines. */
const WRAPPED_VIEW: View = {
  lead: LINE_FEED,
  longest: 1,
  measure: (source, at) => (base64Run(source, at) >= WRAPPED_LINE ? 1 : 0),
  emit: () => undefined,
};

export const VIEWS: readonly View[] = [JSON_VIEW, PERCENT_VIEW, TERMINAL_VIEW, WRAPPED_VIEW];

/** Characters of base64 that stand right before this place; counted no further than a whole line. */
export function base64Run({ bytes, base64Before }: Source, at: number): number {
  for (let run = 0; run < WRAPPED_LINE; run++) {
    if (run === at) return Math.min(WRAPPED_LINE, run + base64Before);
    if (BASE64[bytes[at - run - 1] as number] === 0) return run;
  }
  return WRAPPED_LINE;
}

function measureSequence({ bytes }: Source, at: number): number {
  if (at + 1 >= bytes.length) return CUT;
  if (bytes[at + 1] !== BRACKET) return 1;
  for (let end = at + 2; end < at + LONGEST_SEQUENCE; end++) {
    if (end >= bytes.length) return CUT;
    const byte = bytes[end] as number;
    if (byte >= 0x40 && byte <= 0x7e) return end + 1 - at;
    if (byte < 0x20 || byte > 0x7e) return 1;
  }
  return 1;
}
