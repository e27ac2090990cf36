import type { NumberLiteral } from '../ast.ts';
import type { Parser } from './parser.ts';
import type { Token } from './token.ts';

const PARTS = /^(\d+)(?:\.(\d*))?(?:[eE]([+-]?\d+))?$/;
const MAX_EXPONENT = 2n ** 63n - 1n;
/** Binary exponents are 32 bits wide in the numbers that the language knows. */
const MAX_BINARY_EXPONENT = 2 ** 31 - 1;
const MIN_BINARY_EXPONENT = -(2 ** 31);

/** A number token, which the scanner has taken more freely than a number can be written. */
export function parseNumber(parser: Parser, { start, end }: Token): NumberLiteral {
  const text = parser.text.slice(start, end);
  if (!isReadableNumber(text)) {
    const detail = `"${text.slice(0, 40)}" is not a decimal number within range.`;
    parser.note('Invalid number literal', detail, { start, end });
  }
  return { kind: 'number', text, start, end };
}

/** Whether digits, a fraction and an exponent make a number that a 512-bit binary float can start from. */
function isReadableNumber(text: string): boolean {
  const parts = PARTS.exec(text);
  if (parts === null) return false;
  const [, whole = '', fraction = '', exponent] = parts;
  if (exponent === undefined) return true;
  const power = BigInt(exponent.replace('+', ''));
  if (power > MAX_EXPONENT || power < -MAX_EXPONENT - 1n) return false;
  const digits = (whole + fraction).replace(/^0+/, '');
  if (digits === '') return true;
  const binaryExponent = bitLength(digits) + Number(power) - fraction.length;
  return binaryExponent >= MIN_BINARY_EXPONENT && binaryExponent <= MAX_BINARY_EXPONENT;
}

/** How many bits an integer takes; for a long one estimated from its first digits. */
function bitLength(digits: string): number {
  const head = digits.slice(0, 300);
  return BigInt(head).toString(2).length + Math.floor((digits.length - head.length) * Math.log2(10));
}
