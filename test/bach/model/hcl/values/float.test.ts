import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { floatText, readFloat, toNumber } from '../../../../../src/bach/model/hcl/values/float-text.ts';
import {
  add,
  bitLength,
  compareFloats,
  divide,
  equalFloats,
  multiply,
  negate,
  remainder,
  roundToFloat,
  subtract,
  toInteger,
  truncate,
  ZERO,
  type Float,
} from '../../../../../src/bach/model/hcl/values/float.ts';

const OPTIONS = { seed: 20_240_607, numRuns: 500 } as const;

const floats = fc
  .tuple(fc.bigInt({ min: -(2n ** 700n), max: 2n ** 700n }), fc.integer({ min: -1500, max: 900 }))
  .map(([mantissa, exponent]) => roundToFloat(mantissa, exponent) ?? ZERO);
const nonZero = floats.filter(({ mantissa }) => mantissa !== 0n);
const decimals = fc
  .tuple(fc.constantFrom('', '-', '+'), fc.stringMatching(/^[0-9]{1,200}$/), fc.stringMatching(/^[0-9]{0,200}$/))
  .chain(([sign, whole, fraction]) =>
    fc.integer({ min: -600, max: 600 }).map((exponent) => `${sign}${whole}.${fraction}e${exponent}`),
  );

/** An exact fraction; the denominator is above zero. */
interface Ratio {
  readonly over: bigint;
  readonly under: bigint;
}

function ratioOf({ mantissa, exponent }: Float): Ratio {
  return exponent >= 0
    ? { over: mantissa << BigInt(exponent), under: 1n }
    : { over: mantissa, under: 1n << BigInt(-exponent) };
}

function ratioOfText(text: string): Ratio {
  const [, sign = '', whole = '', fraction = '', power = '0'] = /^([+-]?)(\d*)\.?(\d*)(?:e([+-]?\d+))?$/.exec(text) ?? [];
  const exponent = Number(power) - fraction.length;
  const digits = BigInt(`${whole}${fraction}`) * (sign === '-' ? -1n : 1n);
  return exponent >= 0
    ? { over: digits * 10n ** BigInt(exponent), under: 1n }
    : { over: digits, under: 10n ** BigInt(-exponent) };
}

function compareRatios(a: Ratio, b: Ratio): number {
  const difference = a.over * b.under - b.over * a.under;
  if (difference === 0n) return 0;
  return difference < 0n ? -1 : 1;
}

function distance(a: Ratio, b: Ratio): Ratio {
  const over = a.over * b.under - b.over * a.under;
  return { over: over < 0n ? -over : over, under: a.under * b.under };
}

/** The next float up (or down): one unit in the last of 512 places. */
function neighbour(float: Float, step: bigint): Float {
  const size = bitLength(float.mantissa < 0n ? -float.mantissa : float.mantissa);
  const shift = BigInt(512 - size);
  const isPowerShrinking = (float.mantissa === 1n && step < 0n) || (float.mantissa === -1n && step > 0n);
  const more = isPowerShrinking ? 1n : 0n;
  const next = roundToFloat(((float.mantissa << shift) << more) + step, float.exponent - Number(shift + more));
  return next ?? ZERO;
}

/** The definition of correct rounding: no neighbour is nearer, and on a tie the mantissa of 512 bits is even. */
function expectNearest(float: Float, exact: Ratio): void {
  const own = distance(ratioOf(float), exact);
  for (const step of [1n, -1n]) {
    const order = compareRatios(own, distance(ratioOf(neighbour(float, step)), exact));
    expect(order).toBeLessThanOrEqual(0);
    if (order === 0) expect(bitLength(float.mantissa < 0n ? -float.mantissa : float.mantissa)).toBeLessThan(512);
  }
}

function read(text: string): Float {
  const float = readFloat(text);
  if (typeof float === 'string') throw new TypeError(`${text}: ${float}`);
  return float;
}

const textOf = (float: Float | undefined): string => (float === undefined ? 'none' : floatText(float));

describe('reading decimal text', () => {
  test.each([
    ['0', '0'],
    ['-0', '0'],
    ['+7', '7'],
    ['007', '7'],
    ['5.', '5'],
    ['.5', '0.5'],
    ['0.1', '0.1'],
    ['-12.50', '-12.5'],
    ['1e3', '1000'],
    ['1E+3', '1000'],
    ['25e-3', '0.025'],
    ['0e99999999999999999999', '0'],
    ['123456789012345678901234567890', '123456789012345678901234567890'],
    [
      '3.14159265358979323846264338327950288419716939937510582097494459',
      '3.14159265358979323846264338327950288419716939937510582097494459',
    ],
    ['1e200', `1${'0'.repeat(200)}`],
  ])('%s is %s', (text, expected) => {
    expect(floatText(read(text))).toBe(expected);
  });

  test.each(['', '+', '.', 'e5', '1e', '1e+', '1e5.5', '1.2.3', '1e2e3', ' 1', '1 ', '0x10', '1_000', 'Inf', 'NaN', '--1', '١'])(
    '%j is not a number',
    (text) => {
      expect(readFloat(text)).toBe('not-a-number');
    },
  );

  test.each(['1e2467', '1e999999999', '1e-999999999', '-1e2467', '1e-2467', `1e${'9'.repeat(400)}`, `1e-${'9'.repeat(400)}`])(
    '%s is out of range',
    (text) => {
      expect(readFloat(text)).toBe('out-of-range');
    },
  );

  test('both ends of the range', () => {
    expect(readFloat(`${2n ** 8192n - 2n ** 7680n}`)).toEqual({ mantissa: 2n ** 512n - 1n, exponent: 7680 });
    expect(readFloat(`${2n ** 8192n}`)).toBe('out-of-range');
    expect(floatText({ mantissa: 1n, exponent: -8192 })).toMatch(/^0\.0{2466}91680/);
    expect(roundToFloat(1n, -8193)).toBeUndefined();
  });

  test('millions of digits are read, and those past every tie still decide one', () => {
    const tie = `${2n ** 512n + 1n}`;
    const zeros = '0'.repeat(4_000_000);
    expect(readFloat(`${tie}.${zeros}`)).toEqual(roundToFloat(1n, 512));
    expect(readFloat(`${tie}.${zeros}1`)).toEqual(roundToFloat(2n ** 511n + 1n, 1));
    expect(readFloat(`1${zeros}`)).toBe('out-of-range');
    expect(readFloat(`0.${zeros}1`)).toBe('out-of-range');
  });

  test('is correctly rounded', () => {
    fc.assert(
      fc.property(decimals, (text) => {
        expectNearest(read(text), ratioOfText(text));
      }),
      OPTIONS,
    );
  });

  test('ties go to the even mantissa', () => {
    expect(roundToFloat(2n ** 512n + 1n, 0)).toEqual({ mantissa: 1n, exponent: 512 });
    expect(roundToFloat(2n ** 512n + 3n, 0)).toEqual({ mantissa: 2n ** 510n + 1n, exponent: 2 });
    expect(roundToFloat(-(2n ** 512n) - 3n, 0)).toEqual({ mantissa: -(2n ** 510n) - 1n, exponent: 2 });
    expect(roundToFloat(2n ** 513n - 1n, 0)).toEqual({ mantissa: 1n, exponent: 513 });
  });
});

describe('decimal text', () => {
  test('reads back to the same float', () => {
    fc.assert(
      fc.property(floats, (float) => {
        expect(read(floatText(float))).toEqual(float);
      }),
      OPTIONS,
    );
  });

  test('is never longer than what was read, when that was short', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 1n, max: 10n ** 150n }), fc.integer({ min: -700, max: 700 }), (digits, exponent) => {
        const significant = floatText(read(`${digits}e${exponent}`)).replace('.', '').replace(/^0+|0+$/g, '');
        expect(significant).toBe(`${digits}`.replace(/0+$/, ''));
      }),
      OPTIONS,
    );
  });

  test('no text with one digit less reads back to the same float', () => {
    fc.assert(
      fc.property(nonZero, (float) => {
        const text = floatText(float);
        const digits = text.replace(/[.-]/g, '').replace(/^0+/, '').replace(/0+$/, '');
        if (digits.length < 2) return;
        const shorter = BigInt(digits.slice(0, -1));
        const power = powerOf(text) + 1;
        const sign = text.startsWith('-') ? '-' : '';
        for (const candidate of [shorter, shorter + 1n]) {
          expect(readFloat(`${sign}${candidate}e${power}`)).not.toEqual(float);
        }
      }),
      OPTIONS,
    );
  });

  test('powers of two, below which floats lie twice as close', () => {
    for (let exponent = -1600; exponent <= 1600; exponent += 7) {
      const float = { mantissa: 1n, exponent };
      expect(read(floatText(float))).toEqual(float);
    }
  });

  test('a tie with a neighbour is no text of an odd mantissa, however short it is', () => {
    const odd = 2n ** 511n + 1n;
    // 16 * mantissa + 8, half way to the next float, is a multiple of 200 and so the shortest near this one.
    const mantissa = Array.from({ length: 50 }, (_, step) => odd + 2n * BigInt(step)).find((each) => each % 25n === 12n) ?? odd;
    const float = { mantissa, exponent: 4 };
    expect(mantissa % 25n).toBe(12n);
    expect(read(floatText(float))).toEqual(float);
  });

  test('an integer of up to 512 bits is written digit by digit', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: -(2n ** 512n), max: 2n ** 512n }), (integer) => {
        expect(textOf(roundToFloat(integer, 0))).toBe(`${integer}`);
      }),
      OPTIONS,
    );
  });
});

/** The power of ten of the last digit that is not zero. */
function powerOf(text: string): number {
  const [whole = '', fraction = ''] = text.split('.');
  if (fraction !== '') return -fraction.length;
  return whole.length - whole.replace(/0+$/, '').length;
}

describe('arithmetic', () => {
  test.each([
    ['2', '3.5', '5.5', add],
    ['0.1', '0.2', '0.3', add],
    ['3.5', '2', '1.5', subtract],
    ['2', '3.5', '-1.5', subtract],
    ['2', '4.5', '9', multiply],
    ['1', '10', '0.1', divide],
    ['-7', '2', '-3.5', divide],
    ['7', '-2', '-3.5', divide],
    ['11', '5', '1', remainder],
    ['-11', '5', '-1', remainder],
    ['11', '-5', '1', remainder],
    ['3', '5', '3', remainder],
    ['11', '5.1', `0.8${'0'.repeat(152)}24`, remainder],
  ] as const)('%s and %s give %s', (left, right, expected, operation) => {
    expect(textOf(operation(read(left), read(right)))).toBe(expected);
  });

  test('is undefined past the range and for a divisor of zero', () => {
    const [huge, tiny] = [read('1e2400'), read('1e-2400')];
    expect(multiply(huge, huge)).toBeUndefined();
    expect(multiply(tiny, tiny)).toBeUndefined();
    expect(divide(huge, tiny)).toBeUndefined();
    expect(remainder(huge, tiny)).toBeUndefined();
    expect(divide(huge, ZERO)).toBeUndefined();
    expect(remainder(ZERO, ZERO)).toBeUndefined();
    expect(add(read(`${2n ** 8192n - 2n ** 7680n}`), read(`${2n ** 7680n}`))).toBeUndefined();
  });

  test('every result is the float nearest to the exact one', () => {
    fc.assert(
      fc.property(floats, nonZero, (left, right) => {
        const [a, b] = [ratioOf(left), ratioOf(right)];
        const sign = b.over < 0n ? -1n : 1n;
        expectNearest(add(left, right) ?? ZERO, { over: a.over * b.under + b.over * a.under, under: a.under * b.under });
        expectNearest(multiply(left, right) ?? ZERO, { over: a.over * b.over, under: a.under * b.under });
        expectNearest(divide(left, right) ?? ZERO, { over: a.over * b.under * sign, under: a.under * b.over * sign });
      }),
      OPTIONS,
    );
  });

  test('a + b - b is a while 512 bits hold the sum', () => {
    const short = fc.bigInt({ min: -(2n ** 200n), max: 2n ** 200n });
    fc.assert(
      fc.property(short, short, fc.integer({ min: -100, max: 100 }), (a, b, exponent) => {
        const [left, right] = [roundToFloat(a, 0) ?? ZERO, roundToFloat(b, exponent) ?? ZERO];
        expect(subtract(add(left, right) ?? ZERO, right)).toEqual(left);
      }),
      OPTIONS,
    );
  });

  test('the remainder of integers is that of bigints', () => {
    const integers = fc.bigInt({ min: -(2n ** 120n), max: 2n ** 120n });
    fc.assert(
      fc.property(integers, integers.filter((value) => value !== 0n), (left, right) => {
        expect(textOf(remainder(read(`${left}`), read(`${right}`)))).toBe(`${left % right}`);
      }),
      OPTIONS,
    );
  });

  test('comparison, equality and negation agree with exact fractions', () => {
    fc.assert(
      fc.property(floats, floats, (left, right) => {
        expect(compareFloats(left, right)).toBe(compareRatios(ratioOf(left), ratioOf(right)));
        expect(equalFloats(left, right)).toBe(compareFloats(left, right) === 0);
        expect(compareFloats(negate(left), negate(right))).toBe(compareFloats(right, left));
      }),
      OPTIONS,
    );
  });
});

describe('as a number of JavaScript', () => {
  test.each([
    ['0', 0],
    ['-5', -5],
    ['9007199254740991', 9_007_199_254_740_991],
    ['9007199254740992', undefined],
    ['1e300', undefined],
    ['1.5', undefined],
  ])('the integer of %s is %s', (text, expected) => {
    expect(toInteger(read(text))).toBe(expected);
  });

  test.each([
    ['0', 0],
    ['0.1', 0.1],
    ['-1e300', -1e300],
    ['1e309', undefined],
    ['1e-400', undefined],
    ['9007199254740993', 9_007_199_254_740_992],
  ])('the double of %s is %s', (text, expected) => {
    expect(toNumber(read(text))).toBe(expected);
  });

  test('a double survives the way through a float', () => {
    fc.assert(
      fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (double) => {
        expect(toNumber(read(`${double}`))).toBe(double === 0 ? 0 : double);
      }),
      OPTIONS,
    );
  });

  test('the integer part is cut towards zero', () => {
    expect([truncate(read('-2.9')), truncate(read('2.9')), truncate(read('1e20'))]).toEqual([-2n, 2n, 10n ** 20n]);
  });
});
