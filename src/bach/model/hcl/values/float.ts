/**
 * A binary float of 512 bits: `mantissa * 2^exponent`. The mantissa is odd (or zero), so two floats are the same
 * number exactly when both fields are equal.
 */
export interface Float {
  readonly mantissa: bigint;
  readonly exponent: number;
}

export const PRECISION = 512;

/** Magnitudes run from `2^-8192` to below `2^8192`, about 2,466 decimal digits; past that there is no float. */
const RANGE = 8192;

export const ZERO: Float = { mantissa: 0n, exponent: 0 };

/** The float nearest to `mantissa * 2^exponent`, ties to even; `undefined` outside the range. */
export function roundToFloat(mantissa: bigint, exponent: number): Float | undefined {
  if (mantissa === 0n) return ZERO;
  if (mantissa < 0n) return mapDefined(roundToFloat(-mantissa, exponent), negate);
  const excess = Math.max(0, bitLength(mantissa) - PRECISION);
  const kept = divideHalfEven(mantissa, 1n << BigInt(excess));
  const zeros = bitLength(kept & -kept) - 1;
  const float = { mantissa: kept >> BigInt(zeros), exponent: exponent + excess + zeros };
  return isInRange(float) ? float : undefined;
}

/** The float nearest to the quotient of two integers; the denominator is above zero. */
export function floatOfRatio(numerator: bigint, denominator: bigint, exponent = 0): Float | undefined {
  if (numerator < 0n) return mapDefined(floatOfRatio(-numerator, denominator, exponent), negate);
  const shift = Math.max(0, PRECISION + 2 + bitLength(denominator) - bitLength(numerator));
  const shifted = numerator << BigInt(shift);
  const quotient = shifted / denominator;
  // One more bit says that something was cut off, so that rounding never takes a near tie for a tie.
  const sticky = quotient * denominator === shifted ? 0n : 1n;
  return roundToFloat((quotient << 1n) | sticky, exponent - shift - 1);
}

export function negate(float: Float): Float {
  return { mantissa: -float.mantissa, exponent: float.exponent };
}

export function add(left: Float, right: Float): Float | undefined {
  const { leftMantissa, rightMantissa, exponent } = align(left, right);
  return roundToFloat(leftMantissa + rightMantissa, exponent);
}

export function subtract(left: Float, right: Float): Float | undefined {
  return add(left, negate(right));
}

export function multiply(left: Float, right: Float): Float | undefined {
  return roundToFloat(left.mantissa * right.mantissa, left.exponent + right.exponent);
}

/** `undefined` also for a divisor of zero. */
export function divide(left: Float, right: Float): Float | undefined {
  if (right.mantissa === 0n) return undefined;
  const sign = right.mantissa < 0n ? -1n : 1n;
  return floatOfRatio(left.mantissa * sign, right.mantissa * sign, left.exponent - right.exponent);
}

/** The rounded quotient cut to an integer, times the divisor, taken from the left side: each step is rounded. */
export function remainder(left: Float, right: Float): Float | undefined {
  const quotient = divide(left, right);
  if (quotient === undefined) return undefined;
  const product = mapDefined(roundToFloat(truncate(quotient), 0), (whole) => multiply(whole, right));
  return mapDefined(product, (taken) => subtract(left, taken));
}

/** Below zero, zero or above zero, as a sorting function gives it. */
export function compareFloats(left: Float, right: Float): number {
  const { leftMantissa, rightMantissa } = align(left, right);
  if (leftMantissa === rightMantissa) return 0;
  return leftMantissa < rightMantissa ? -1 : 1;
}

export function equalFloats(left: Float, right: Float): boolean {
  return left.mantissa === right.mantissa && left.exponent === right.exponent;
}

export function isWhole(float: Float): boolean {
  return float.exponent >= 0;
}

/** The integer part; what stands after the point is cut off, towards zero. */
export function truncate({ mantissa, exponent }: Float): bigint {
  return exponent >= 0 ? mantissa << BigInt(exponent) : mantissa / (1n << BigInt(-exponent));
}

/** The integer as a number of JavaScript; `undefined` for a fraction and beyond 2^53 - 1. */
export function toInteger(float: Float): number | undefined {
  if (!isWhole(float)) return undefined;
  const number = Number(truncate(float));
  return Number.isSafeInteger(number) ? number : undefined;
}

/** The bits that hold a positive integer. */
export function bitLength(integer: bigint): number {
  const hex = integer.toString(16);
  return hex.length * 4 - Math.clz32(Number.parseInt(hex.charAt(0), 16)) + 28;
}

/** The quotient of two positive integers, rounded to nearest, ties to even. */
export function divideHalfEven(numerator: bigint, denominator: bigint): bigint {
  const quotient = numerator / denominator;
  const twice = (numerator - quotient * denominator) * 2n;
  if (twice === denominator) return quotient + (quotient & 1n);
  return twice > denominator ? quotient + 1n : quotient;
}

function align(left: Float, right: Float) {
  const exponent = Math.min(left.exponent, right.exponent);
  return {
    leftMantissa: left.mantissa << BigInt(left.exponent - exponent),
    rightMantissa: right.mantissa << BigInt(right.exponent - exponent),
    exponent,
  };
}

function isInRange({ mantissa, exponent }: Float): boolean {
  const top = exponent + bitLength(mantissa);
  return top > -RANGE && top <= RANGE;
}

function mapDefined<T>(value: Float | undefined, change: (value: Float) => T): T | undefined {
  return value === undefined ? undefined : change(value);
}
