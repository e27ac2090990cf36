import { HEX_VALUES, hexByteAt } from './byte-classes.ts';
import { CUT, Plain, type Escape, type Source, type View } from './view.ts';

const BACKSLASH = 0x5c;
const LETTER_U = 0x75;
const LETTER_X = 0x78;
const SHORT = new Map([...'"/bfnrt'].map((letter, index) => [letter.charCodeAt(0), '"/\b\f\n\r\t'.charCodeAt(index)]));
const UNICODE = 6;
const PAIR = 12;
const HEX = 4;

/**
 * Text inside a JSON string, however often it was quoted again: a run of backslashes counts as the one before an
 * escape, and as nothing elsewhere. `\xHH` is taken too, as some languages print it.
 */
export const JSON_VIEW: View = { lead: BACKSLASH, longest: PAIR, measure, emit };

/** What the view makes of bytes that hold a value as it is. */
export function jsonPlain(bytes: Buffer): Buffer {
  const plain = new Plain();
  plain.undo(JSON_VIEW, { bytes, base64Before: 0 }, { from: 0, to: bytes.length });
  return Buffer.from(plain.bytes.subarray(0, plain.length));
}

function measure({ bytes }: Source, at: number): number {
  if (at + 1 >= bytes.length) return CUT;
  const next = bytes[at + 1] as number;
  if (next === LETTER_U) return measureUnicode(bytes, at);
  if (next === LETTER_X) return measureDigits(bytes, { at, length: HEX });
  return SHORT.has(next) ? 2 : 1;
}

function measureUnicode(bytes: Buffer, at: number): number {
  const length = measureDigits(bytes, { at, length: UNICODE });
  if (length !== UNICODE || !isHighSurrogate(unitAt(bytes, at))) return length;
  const second = at + UNICODE;
  if (second < bytes.length && bytes[second] !== BACKSLASH) return UNICODE;
  if (second + 1 < bytes.length && bytes[second + 1] !== LETTER_U) return UNICODE;
  const more = second + 1 < bytes.length ? measureDigits(bytes, { at: second, length: UNICODE }) : CUT;
  if (more === CUT) return CUT;
  return more === UNICODE && isLowSurrogate(unitAt(bytes, second)) ? PAIR : UNICODE;
}

/** Without its digits the backslash is one that counts as nothing. */
function measureDigits(bytes: Buffer, { at, length }: Escape): number {
  for (let digit = at + 2; digit < at + length; digit++) {
    if (digit >= bytes.length) return CUT;
    if ((HEX_VALUES[bytes[digit] as number] as number) < 0) return 1;
  }
  return length;
}

function emit(plain: Plain, { bytes }: Source, { at, length }: Escape): void {
  if (length === 1) return;
  if (length === 2) return plain.add(SHORT.get(bytes[at + 1] as number) as number, at, at + length);
  if (length === HEX) return plain.add(hexByteAt(bytes, at + 2), at, at + length);
  const units = length === PAIR ? [unitAt(bytes, at), unitAt(bytes, at + UNICODE)] : [unitAt(bytes, at)];
  if (units[0] === BACKSLASH) return;
  for (const byte of Buffer.from(String.fromCharCode(...units))) plain.add(byte, at, at + length);
}

function unitAt(bytes: Buffer, at: number): number {
  return hexByteAt(bytes, at + 2) * 256 + hexByteAt(bytes, at + 4);
}

function isHighSurrogate(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdbff;
}

function isLowSurrogate(unit: number): boolean {
  return unit >= 0xdc00 && unit <= 0xdfff;
}
