import { bitLength, divideHalfEven, floatOfRatio, PRECISION, roundToFloat, ZERO, type Float } from './float.ts';

/** Why a text gives no float. */
export type NumberProblem = 'not-a-number' | 'out-of-range';

/** Past the range of floats on both sides, so that a hostile exponent is refused before any power is computed. */
const LONGEST_MAGNITUDE = 2500;

/** A tie between two floats of the range has fewer decimal digits than this. */
const LONGEST_TIE = 9000;

/**
 * Reads decimal text, with a sign and an exponent if it has them, as the nearest float.
 *
 * @example
 * readFloat('0.1');    // the 512-bit float next to a tenth
 * readFloat('1e9999'); // 'out-of-range'
 */
export function readFloat(text: string): Float | NumberProblem {
  const decimal = readDecimal(text);
  if (decimal === undefined) return 'not-a-number';
  const { digits, exponent } = decimal;
  if (digits === '') return ZERO;
  if (Math.abs(digits.length + exponent) > LONGEST_MAGNITUDE) return 'out-of-range';
  const mantissa = BigInt(decimal.sign + digits);
  const float =
    exponent >= 0
      ? roundToFloat(mantissa * 10n ** BigInt(exponent), 0)
      : floatOfRatio(mantissa, 10n ** BigInt(-exponent));
  return float ?? 'out-of-range';
}

interface Decimal {
  readonly sign: '' | '-';
  /** Without zeros in front; empty for zero. */
  readonly digits: string;
  /** The power of ten of the last digit. */
  readonly exponent: number;
}

function readDecimal(text: string): Decimal | undefined {
  const unsigned = /^[+-]/.test(text) ? text.slice(1) : text;
  const [mantissa = '', exponent = '0', ...more] = unsigned.split(/[eE]/, 3);
  const [whole = '', fraction = '', ...points] = mantissa.split('.', 3);
  const all = whole + fraction;
  // Tests by the first wrong character: a pattern that matches millions of digits overflows the matcher's stack.
  if (all === '' || /[^0-9]/.test(all) || more.length + points.length > 0) return undefined;
  if (!/^[+-]?[0-9]/.test(exponent) || /[^0-9]/.test(exponent.slice(1))) return undefined;
  const first = all.search(/[1-9]/);
  return shorten({
    sign: text.startsWith('-') ? '-' : '',
    digits: first < 0 ? '' : all.slice(first),
    exponent: Number(exponent) - fraction.length,
  });
}

/** Keeps the side of every tie: digits past the longest one count only as "a little more". */
function shorten(decimal: Decimal): Decimal {
  const excess = decimal.digits.length - LONGEST_TIE;
  if (excess <= 0) return decimal;
  const more = /[1-9]/.test(decimal.digits.slice(LONGEST_TIE)) ? '1' : '0';
  const digits = decimal.digits.slice(0, LONGEST_TIE) + more;
  return { ...decimal, digits, exponent: decimal.exponent + excess - 1 };
}

/** The shortest decimal text that reads back to the same float; never in exponent form. */
export function floatText(float: Float): string {
  const { mantissa, exponent } = float;
  if (mantissa < 0n) return `-${floatText({ mantissa: -mantissa, exponent })}`;
  if (exponent >= 0 && bitLength(mantissa) + exponent <= PRECISION) return `${mantissa << BigInt(exponent)}`;
  const shortest = shortestDigits(float);
  return withPoint(`${shortest.digits}`, shortest.power);
}

/** The double nearest to the float; `undefined` where doubles end, at either side. */
export function toNumber(float: Float): number | undefined {
  const number = Number(floatText(float));
  const isLost = !Number.isFinite(number) || (number === 0 && float.mantissa !== 0n);
  return isLost ? undefined : number;
}

interface Shortest {
  readonly digits: bigint;
  /** The power of ten of the last digit. */
  readonly power: number;
}

/** The multiple of the largest power of ten that still rounds to this float; of several the nearest to it. */
function shortestDigits(float: Float): Shortest {
  const { low, middle, high, denominator, power } = decimalInterval(float);
  let first = ceilingDivide(low, denominator);
  let last = high / denominator;
  let drop = 0;
  while (ceilingDivide(first, 10n) <= last / 10n) {
    first = ceilingDivide(first, 10n);
    last /= 10n;
    drop += 1;
  }
  const nearest = divideHalfEven(middle, denominator * 10n ** BigInt(drop));
  return { digits: clamp(nearest, first, last), power: power + drop };
}

interface DecimalInterval {
  /** What rounds to the float lies in `low..high`, both included, over `denominator`, in units of `10^power`. */
  readonly low: bigint;
  readonly middle: bigint;
  readonly high: bigint;
  readonly denominator: bigint;
  readonly power: number;
}

function decimalInterval({ mantissa, exponent }: Float): DecimalInterval {
  const spare = PRECISION - bitLength(mantissa);
  const full = mantissa << BigInt(spare);
  const unit = exponent - spare;
  // Below a power of two floats lie twice as close.
  const below = mantissa === 1n ? 1n : 2n;
  // A tie goes to the even mantissa, so the ends belong to an even one alone; quarters keep them whole numbers.
  const open = (full & 1n) === 1n ? 1n : 0n;
  const power = Math.floor(unit * Math.log10(2)) - 1;
  const numerator = powerUp(2, unit - 2) * powerUp(10, -power);
  const denominator = powerUp(2, 2 - unit) * powerUp(10, power);
  return {
    low: (full * 4n - below) * numerator + open,
    middle: full * 4n * numerator,
    high: (full * 4n + 2n) * numerator - open,
    denominator,
    power,
  };
}

function powerUp(base: number, exponent: number): bigint {
  return BigInt(base) ** BigInt(Math.max(0, exponent));
}

function ceilingDivide(numerator: bigint, denominator: bigint): bigint {
  return (numerator + denominator - 1n) / denominator;
}

function clamp(value: bigint, low: bigint, high: bigint): bigint {
  if (value < low) return low;
  return value > high ? high : value;
}

function withPoint(digits: string, power: number): string {
  if (power >= 0) return digits + '0'.repeat(power);
  const padded = digits.padStart(1 - power, '0');
  return `${padded.slice(0, power)}.${padded.slice(power)}`;
}
