import {
  code,
  identifierEnd,
  identifierStartLength,
  isDigit,
  isExponentLetter,
  trimLeading,
  trimTrailing,
  unitsAt,
} from './characters.ts';

/**
 * The end of the number that starts at `at`. Dots and exponents are taken freely, as long as a digit ends the
 * token; whether they make sense is judged where the number is read.
 */
export function numberEnd(text: string, at: number): number {
  let end = at + 1;
  for (let look = end; look < text.length; ) {
    const unit = text.charCodeAt(look);
    if (isDigit(unit)) {
      look += 1;
      end = look;
    } else if (unit === code.dot) {
      look += 1;
    } else {
      const exponent = exponentEnd(text, look);
      if (exponent === look) break;
      look = exponent;
      end = exponent;
    }
  }
  return end;
}

/** The end of `e5`, `E+5`, `e-5` at `at`, with its first digit only; `at` itself where there is none. */
function exponentEnd(text: string, at: number): number {
  if (!isExponentLetter(text.charCodeAt(at))) return at;
  const sign = text.charCodeAt(at + 1);
  const digit = sign === code.plus || sign === code.minus ? at + 2 : at + 1;
  return isDigit(text.charCodeAt(digit)) ? digit + 1 : at;
}

/** The end of a one-line comment: behind its newline, or at the end of the text. */
export function lineCommentEnd(text: string, at: number): number {
  const newline = text.indexOf('\n', at);
  return newline === -1 ? text.length : newline + 1;
}

export interface HeredocOpening {
  readonly marker: string;
  /** Behind the newline of the opening line. */
  readonly end: number;
}

/** `<<MARKER` or `<<-MARKER` with nothing else on its line; anything else is two `<`. */
export function heredocOpening(text: string, at: number): HeredocOpening | undefined {
  const start = text.charCodeAt(at + 2) === code.minus ? at + 3 : at + 2;
  if (start >= text.length) return undefined;
  const first = identifierStartLength(text, start);
  if (first === 0) return undefined;
  const end = identifierEnd(text, start + first);
  const newline = newlineLength(text, end);
  return newline === 0 ? undefined : { marker: text.slice(start, end), end: end + newline };
}

/** 1 for `\n`, 2 for `\r\n`, else 0: a lone carriage return is no newline. */
export function newlineLength(text: string, at: number): number {
  const unit = text.charCodeAt(at);
  if (unit === code.newline) return 1;
  return unit === code.carriageReturn && text.charCodeAt(at + 1) === code.newline ? 2 : 0;
}

export function isClosingLine(line: string, marker: string): boolean {
  return trimTrailing(trimLeading(line)) === marker;
}

/** The end of plain text and escapes in a quoted template, starting at `at`. */
export function quotedTextEnd(text: string, at: number): number {
  let end = at;
  while (end < text.length) {
    const unit = text.charCodeAt(end);
    if (unit === code.quote || unit === code.newline || unit === code.carriageReturn) break;
    const step = unit === code.backslash ? escapeLength(text, end) : literalLength(text, end);
    if (step === 0) break;
    end += step;
  }
  return end;
}

/** A backslash takes whatever follows on the same line; what it means is judged where the text is decoded. */
function escapeLength(text: string, at: number): number {
  const next = text.charCodeAt(at + 1);
  if (Number.isNaN(next) || next === code.newline || next === code.carriageReturn) return 0;
  return 1 + unitsAt(text, at + 1);
}

/** The end of plain text of one heredoc line, before its newline. */
export function heredocTextEnd(text: string, at: number): number {
  let end = at;
  while (end < text.length) {
    const unit = text.charCodeAt(end);
    if (unit === code.newline || unit === code.carriageReturn) break;
    const step = literalLength(text, end);
    if (step === 0) break;
    end += step;
  }
  return end;
}

/**
 * Where the reference's scanner cuts a line whose newline ends at `end` in two: behind one ASCII character that a `$`
 * or `%` stands before. With `\r\n` that may be the `\r` itself, unless several marks stand there.
 */
export function heredocLineSplit(text: string, start: number, end: number): number | undefined {
  const returns = text.charCodeAt(end - 2) === code.carriageReturn;
  const lastMark = (returns ? end - 2 : end - 1) - 2;
  if (lastMark >= start && isMark(text, lastMark) && text.charCodeAt(lastMark + 1) < 0x80) return lastMark + 2;
  const before = end - 3;
  if (!returns || before < start || !isMark(text, before)) return undefined;
  return before > start && isMark(text, before - 1) ? undefined : end - 1;
}

function isMark(text: string, at: number): boolean {
  const unit = text.charCodeAt(at);
  return unit === code.dollar || unit === code.percent;
}

/** The end of plain text in a bare template, newlines included; a last `$` or `%` is text there. */
export function bareTextEnd(text: string, at: number): number {
  let end = at;
  while (end < text.length) {
    const step = literalLength(text, end);
    if (step === 0 && end + 1 < text.length) break;
    end += step === 0 ? 1 : step;
  }
  return end;
}

/** Units of literal text at `at`: 3 for `$${` and `%%{`; 0 where a sequence opens or the text ends behind a mark. */
function literalLength(text: string, at: number): number {
  if (!isMark(text, at)) return 1;
  const next = text.charCodeAt(at + 1);
  if (next === code.openBrace || Number.isNaN(next)) return 0;
  return next === text.charCodeAt(at) && text.charCodeAt(at + 2) === code.openBrace ? 3 : 1;
}

/** `${` or `%{`, with the strip marker where there is one. */
export function sequenceOpeningLength(text: string, at: number): number {
  if (!isMark(text, at) || text.charCodeAt(at + 1) !== code.openBrace) return 0;
  return text.charCodeAt(at + 2) === code.tilde ? 3 : 2;
}
