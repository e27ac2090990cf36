import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { cellsOf } from '../../../src/kernel/terminal/cells.ts';
import { statusText } from '../../../src/kernel/terminal/status-text.ts';

const names = (...all: string[]) => ({ done: 3, total: 10, running: all.map((name) => ({ name, sinceMono: 0 })) });
const at = (width: number, seconds = 0) => ({ now: seconds * 1000, width });

describe('what fits', () => {
  test.each([
    [80, '3/10 shell/build 12s, shell/test 12s, shell/lint 12s'],
    [52, '3/10 shell/build 12s, shell/test 12s, shell/lint 12s'],
    [51, '3/10 shell/build 12s, shell/test 12s, +1'],
    [40, '3/10 shell/build 12s, shell/test 12s, +1'],
    [39, '3/10 shell/build 12s, +2'],
    [23, '3/10 shell/build 12s...'],
    [12, '3/10 shel...'],
    [2, '..'],
  ])('in %i columns', (width, expected) => {
    expect(statusText(names('shell/build', 'shell/test', 'shell/lint'), at(width, 12))).toBe(expected);
  });

  test('nothing running leaves the counts alone', () => {
    expect(statusText(names(), at(80))).toBe('3/10');
  });
});

describe('durations', () => {
  test.each([
    [0, '0s'],
    [-5, '0s'],
    [59.9, '59s'],
    [60, '1m00s'],
    [3599, '59m59s'],
    [3661, '1h01m'],
  ])('%d seconds', (seconds, expected) => {
    expect(statusText(names('a'), at(80, seconds))).toBe(`3/10 a ${expected}`);
  });
});

describe('names', () => {
  test('lose every control and format character', () => {
    const name = 'a\x1b[31mb\nc\u202ed\u200be\x07f\x9bg';
    expect(statusText(names(name), at(80))).toBe('3/10 abcdefg 0s');
  });

  test('never make the line wider than asked, nor put a control character in it', () => {
    const special = fc.constantFrom('構建', '👩‍🚀', 'é');
    const name = fc.oneof(fc.string({ unit: 'binary' }), fc.string({ unit: 'grapheme' }), special);
    fc.assert(
      fc.property(fc.array(name, { maxLength: 5 }), fc.integer({ min: 1, max: 60 }), (all, width) => {
        const text = statusText(names(...all), at(width));
        expect(cellsOf(text)).toBeLessThanOrEqual(width);
        expect(text).not.toMatch(/\p{Cc}/u);
      }),
      { seed: 20260616, numRuns: 2000 },
    );
  });
});
