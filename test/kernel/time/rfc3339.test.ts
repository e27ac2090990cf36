import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { formatRfc3339, formatRfc3339Nano, parseRfc3339 } from '../../../src/kernel/time/index.ts';

const FIRST = parseRfc3339('0001-01-01T00:00:00Z') ?? 0n;
const LAST = parseRfc3339('9999-12-31T23:59:59.999999999Z') ?? 0n;
const NOON = 1_780_920_000n * 1_000_000_000n;

describe('formatting', () => {
  test.each([
    [0n, '1970-01-01T00:00:00Z', '1970-01-01T00:00:00Z'],
    [NOON, '2026-06-08T12:00:00Z', '2026-06-08T12:00:00Z'],
    [NOON + 999_999_999n, '2026-06-08T12:00:00Z', '2026-06-08T12:00:00.999999999Z'],
    [NOON + 1_200_000n, '2026-06-08T12:00:00Z', '2026-06-08T12:00:00.0012Z'],
    [NOON + 500_000_000n, '2026-06-08T12:00:00Z', '2026-06-08T12:00:00.5Z'],
    [NOON + 1n, '2026-06-08T12:00:00Z', '2026-06-08T12:00:00.000000001Z'],
    [-1n, '1969-12-31T23:59:59Z', '1969-12-31T23:59:59.999999999Z'],
    [-1_000_000_000n, '1969-12-31T23:59:59Z', '1969-12-31T23:59:59Z'],
    [FIRST, '0001-01-01T00:00:00Z', '0001-01-01T00:00:00Z'],
    [FIRST + 1n, '0001-01-01T00:00:00Z', '0001-01-01T00:00:00.000000001Z'],
    [LAST, '9999-12-31T23:59:59Z', '9999-12-31T23:59:59.999999999Z'],
  ])('%s ns', (nanoseconds, seconds, nano) => {
    expect(formatRfc3339(nanoseconds)).toBe(seconds);
    expect(formatRfc3339Nano(nanoseconds)).toBe(nano);
  });

  test.each([FIRST - 1n, LAST + 1n, 10n ** 30n])('has no text for %s ns', (nanoseconds) => {
    expect(() => formatRfc3339(nanoseconds)).toThrow(expect.objectContaining({ code: 'time-out-of-range' }));
    expect(() => formatRfc3339Nano(nanoseconds)).toThrow(expect.objectContaining({ code: 'time-out-of-range' }));
  });
});

describe('parseRfc3339', () => {
  test.each([
    ['1970-01-01T00:00:00Z', 0n],
    ['2026-06-08T12:00:00Z', NOON],
    ['2026-06-08T14:00:00+02:00', NOON],
    ['2026-06-08T06:30:00-05:30', NOON],
    ['2026-06-08T12:00:00+00:00', NOON],
    ['2026-06-08T12:00:00-00:00', NOON],
    ['2026-06-08T12:00:00.5Z', NOON + 500_000_000n],
    ['2026-06-08T12:00:00.000000001Z', NOON + 1n],
    ['2026-06-08T12:00:00.0000000019Z', NOON + 1n],
    ['1969-12-31T23:59:59.25Z', -750_000_000n],
    ['2024-02-29T00:00:00Z', 1_709_164_800n * 1_000_000_000n],
    ['2000-02-29T00:00:00Z', 951_782_400n * 1_000_000_000n],
    ['0001-01-01T01:00:00+01:00', FIRST],
  ])('%s', (text, nanoseconds) => {
    expect(parseRfc3339(text)).toBe(nanoseconds);
  });

  test.each([
    ['', '2026-06-08', '2026-06-08T12:00Z', '2026-06-08T12:00:00', '2026-06-08 12:00:00Z', '2026-06-08t12:00:00z'],
    ['2026-02-29T00:00:00Z', '1900-02-29T00:00:00Z', '2026-04-31T00:00:00Z', '2026-13-01T00:00:00Z', '2026-00-01T00:00:00Z'],
    ['2026-06-00T12:00:00Z', '2026-06-08T24:00:00Z', '2026-06-08T12:60:00Z', '2026-06-08T12:00:60Z'],
    ['2026-06-08T12:00:00.Z', '2026-06-08T12:00:00,5Z', '2026-06-08T12:00:00+0200', '2026-06-08T12:00:00+2:00'],
    ['2026-06-08T12:00:00+24:00', '2026-06-08T12:00:00+01:60', '2026-06-08T1:00:00Z', ' 2026-06-08T12:00:00Z'],
    ['2026-06-08T12:00:00Z\n', '+002026-06-08T12:00:00Z', '10000-01-01T00:00:00Z', '24h'],
    ['0000-12-31T23:59:59Z', '0001-01-01T00:00:00+01:00', '9999-12-31T23:59:59-00:01'],
  ])('refuses %j and its like', (...texts) => {
    for (const text of texts) expect([text, parseRfc3339(text)]).toEqual([text, undefined]);
  });

  test('reads back every moment that can be written', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: FIRST, max: LAST }), (nanoseconds) => {
        expect(parseRfc3339(formatRfc3339Nano(nanoseconds))).toBe(nanoseconds);
      }),
      { seed: 31, numRuns: 1000 },
    );
  });
});
