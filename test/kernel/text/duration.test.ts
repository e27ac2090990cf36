import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { formatDuration, parseDuration } from '../../../src/kernel/text/index.ts';

const US = 1_000n;
const MS = 1_000n * US;
const S = 1_000n * MS;
const M = 60n * S;
const H = 60n * M;
const LONGEST = 2n ** 63n - 1n;

describe('parseDuration', () => {
  test.each([
    ['0', 0n],
    ['-0', 0n],
    ['+0', 0n],
    ['5s', 5n * S],
    ['30s', 30n * S],
    ['1478s', 1478n * S],
    ['-5s', -5n * S],
    ['+5s', 5n * S],
    ['5.0s', 5n * S],
    ['5.6s', 5n * S + 600n * MS],
    ['5.s', 5n * S],
    ['.5s', 500n * MS],
    ['1.0s', S],
    ['1.00s', S],
    ['1.004s', S + 4n * MS],
    ['1.0040s', S + 4n * MS],
    ['100.00100s', 100n * S + MS],
    ['10ns', 10n],
    ['11us', 11n * US],
    ['12\u00b5s', 12n * US],
    ['12\u03bcs', 12n * US],
    ['13ms', 13n * MS],
    ['14s', 14n * S],
    ['15m', 15n * M],
    ['16h', 16n * H],
    ['3h30m', 3n * H + 30n * M],
    ['10.5s4m', 4n * M + 10n * S + 500n * MS],
    ['-2m3.4s', -(2n * M + 3n * S + 400n * MS)],
    ['1h2m3s4ms5us6ns', H + 2n * M + 3n * S + 4n * MS + 5n * US + 6n],
    ['39h9m14.425s', 39n * H + 9n * M + 14n * S + 425n * MS],
    ['1m1m', 2n * M],
    ['007s', 7n * S],
  ])('%s', (text, nanoseconds) => {
    expect(parseDuration(text)).toBe(nanoseconds);
  });

  test.each([
    ['52763797000ns', 52763797000n],
    ['0.3333333333333333333h', 20n * M],
    ['9007199254740993ns', 2n ** 53n + 1n],
    ['0.100000000000000000000h', 6n * M],
    ['0.830103483285477580700h', 49n * M + 48n * S + 372539827n],
    ['0.000000000000277777777777777777778h', 1n],
    ['1.9999999999s', S + 999999999n],
  ])('reads a long fraction as Go does: %s', (text, nanoseconds) => {
    expect(parseDuration(text)).toBe(nanoseconds);
  });

  test.each([
    ['9223372036854775807ns', LONGEST],
    ['9223372036854775.807us', LONGEST],
    ['9223372036s854ms775us807ns', LONGEST],
    ['-9223372036854775808ns', -LONGEST - 1n],
    ['-9223372036854775.808us', -LONGEST - 1n],
    ['-9223372036s854ms775us808ns', -LONGEST - 1n],
    ['00000000000000000000000000001ns', 1n],
  ])('reaches to 64 bits: %s', (text, nanoseconds) => {
    expect(parseDuration(text)).toBe(nanoseconds);
  });

  test.each([
    '9223372036854775808ns',
    '9223372036854775810ns',
    '-9223372036854775809ns',
    '9223372036854776us',
    '3000000h',
    '9223372036854775.808us',
    '9223372036854ms775us808ns',
    `${'9'.repeat(1_000_000)}h`,
  ])('does not reach further: %s', (text) => {
    expect(parseDuration(text)).toBeUndefined();
  });

  test.each(['', '3', '-', '+', 's', '.', '-.', '.s', '+.s', '1d', '1hour', '\u0085\u0085', 'hello', '1..5s', '1.5.5s'])(
    'is not a duration: %j',
    (text) => {
      expect(parseDuration(text)).toBeUndefined();
    },
  );

  test.each(['1 s', ' 1s', '1s ', '1S', '1mss', '1msm', '+-5s', '--5s', '1,5s', '1e3s', '0x1s', '\u0661s', '5s3', '00', '1h-5m'])(
    'nor is %j',
    (text) => {
      expect(parseDuration(text)).toBeUndefined();
    },
  );
});

describe('formatDuration', () => {
  test.each([
    [0n, '0s'],
    [1n, '1ns'],
    [999n, '999ns'],
    [1100n, '1.1\u00b5s'],
    [2200n * US, '2.2ms'],
    [3300n * MS, '3.3s'],
    [20n * MS, '20ms'],
    [5n * M, '5m0s'],
    [4n * M + 5n * S, '4m5s'],
    [4n * M + 5001n * MS, '4m5.001s'],
    [5n * H + 6n * M + 7001n * MS, '5h6m7.001s'],
    [8n * M + 1n, '8m0.000000001s'],
    [H, '1h0m0s'],
    [100n * H, '100h0m0s'],
    [S, '1s'],
    [S - 1n, '999.999999ms'],
    [-S, '-1s'],
    [LONGEST, '2562047h47m16.854775807s'],
    [-LONGEST - 1n, '-2562047h47m16.854775808s'],
  ])('%s ns is %s', (nanoseconds, text) => {
    expect(formatDuration(nanoseconds)).toBe(text);
  });

  test('is read back to the same nanosecond', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: -LONGEST - 1n, max: LONGEST }), (nanoseconds) => {
        expect(parseDuration(formatDuration(nanoseconds))).toBe(nanoseconds);
      }),
      { seed: 11, numRuns: 2000 },
    );
  });
});
