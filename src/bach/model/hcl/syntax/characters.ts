const IDENTIFIER_START = /^\p{ID_Start}$/u;
const IDENTIFIER_PART = /^\p{ID_Continue}$/u;

/** The white space that strip markers, heredoc indentation and closing markers know: not the one of `trim`. */
const SPACE = '[\\t-\\r \\u0085\\u00a0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000]';
const LEADING_SPACE = new RegExp(`^${SPACE}+`);
const ONE_SPACE = new RegExp(SPACE);
const NON_ASCII = /[^\0-\x7f]/;

export const code = {
  tab: 0x09,
  newline: 0x0a,
  carriageReturn: 0x0d,
  space: 0x20,
  quote: 0x22,
  hash: 0x23,
  dollar: 0x24,
  percent: 0x25,
  star: 0x2a,
  plus: 0x2b,
  minus: 0x2d,
  dot: 0x2e,
  slash: 0x2f,
  equal: 0x3d,
  less: 0x3c,
  backslash: 0x5c,
  underscore: 0x5f,
  openBrace: 0x7b,
  closeBrace: 0x7d,
  tilde: 0x7e,
} as const;

export function isDigit(unit: number): boolean {
  return unit >= 0x30 && unit <= 0x39;
}

export function isExponentLetter(unit: number): boolean {
  return unit === 0x65 || unit === 0x45;
}

/** How many UTF-16 units of an identifier start at `at`: 0 when none does. */
export function identifierStartLength(text: string, at: number): number {
  const unit = text.charCodeAt(at);
  if (unit < 0x80) return isAsciiLetter(unit) || unit === code.underscore ? 1 : 0;
  return matchLength(IDENTIFIER_START, text, at);
}

/** Where the identifier that started before `at` ends. */
export function identifierEnd(text: string, at: number): number {
  let end = at;
  for (let length = identifierPartLength(text, end); length > 0; length = identifierPartLength(text, end)) {
    end += length;
  }
  return end;
}

function identifierPartLength(text: string, at: number): number {
  if (at >= text.length) return 0;
  const unit = text.charCodeAt(at);
  if (unit >= 0x80) return matchLength(IDENTIFIER_PART, text, at);
  return isAsciiLetter(unit) || isDigit(unit) || unit === code.underscore || unit === code.minus ? 1 : 0;
}

/** 2 for a surrogate pair, else 1. */
export function unitsAt(text: string, at: number): number {
  return (text.codePointAt(at) ?? 0) > 0xffff ? 2 : 1;
}

function matchLength(pattern: RegExp, text: string, at: number): number {
  const character = String.fromCodePoint(text.codePointAt(at) ?? 0);
  return pattern.test(character) ? character.length : 0;
}

function isAsciiLetter(unit: number): boolean {
  const lower = unit | 0x20;
  return lower >= 0x61 && lower <= 0x7a;
}

export function trimLeading(text: string): string {
  return text.replace(LEADING_SPACE, '');
}

/** A loop, because a pattern bound to the end of a text tries every run of spaces in it. */
export function trimTrailing(text: string): string {
  let end = text.length;
  while (end > 0 && ONE_SPACE.test(text.charAt(end - 1))) end -= 1;
  return text.slice(0, end);
}

/** Normalisation form C, for free where the text is ASCII. */
export function normalized(text: string): string {
  return NON_ASCII.test(text) ? text.normalize('NFC') : text;
}
