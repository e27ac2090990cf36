/** Which bytes belong: 1 at their place. */
export type ByteClass = Uint8Array;

/** The class of all bytes of a text in Latin-1. */
export function classOf(characters: string): ByteClass {
  const members = new Uint8Array(256);
  for (const byte of Buffer.from(characters, 'latin1')) members[byte] = 1;
  return members;
}

const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const DIGITS = '0123456789';

/** Both alphabets of base64, without padding. */
export const BASE64 = classOf(`${LETTERS}${DIGITS}+/-_`);

/** The value of a hexadecimal digit, -1 for any other byte. */
export const HEX_VALUES = Int8Array.from({ length: 256 }, (_, byte) => {
  const value = '0123456789abcdef'.indexOf(String.fromCharCode(byte).toLowerCase());
  return byte < 128 ? value : -1;
});

/** The byte that two hexadecimal digits stand for, -1 when they are none. */
export function hexByteAt(bytes: Buffer, at: number): number {
  const high = HEX_VALUES[bytes[at] ?? 0] ?? -1;
  const low = HEX_VALUES[bytes[at + 1] ?? 0] ?? -1;
  return high < 0 || low < 0 ? -1 : high * 16 + low;
}
