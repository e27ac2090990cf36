import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { displayPath, gitPath, pathBytes, pathFromBytes } from '../../../src/kernel/git/index.ts';

const TEXT = fc.string({ unit: 'binary' }).map((text) => text.replaceAll('\0', 'n'));

describe('paths of git', () => {
  test('any bytes come back', () => {
    fc.assert(
      fc.property(fc.uint8Array({ min: 1 }), (bytes) => {
        expect(Buffer.from(bytes).equals(pathBytes(pathFromBytes(bytes)))).toBe(true);
      }),
    );
  });

  test('text comes back, and sorts by its bytes', () => {
    fc.assert(
      fc.property(TEXT, TEXT, (one, other) => {
        expect(pathBytes(gitPath(one)).toString()).toBe(Buffer.from(one).toString());
        expect(gitPath(one) < gitPath(other)).toBe(Buffer.compare(Buffer.from(one), Buffer.from(other)) < 0);
      }),
    );
  });

  test.each([
    ['src/größe.ts', 'src/größe.ts'],
    ['two words', 'two words'],
    ['', '""'],
    [' a', '" a"'],
    ['a\nb', String.raw`"a\nb"`],
    ['say "x"', String.raw`"say \"x\""`],
    ['a\x7f', String.raw`"a\u{7f}"`],
    ['gpj\u202e.exe', String.raw`"gpj\u{202e}.exe"`],
  ])('%j is shown as %s', (text, shown) => {
    expect(displayPath(gitPath(text))).toBe(shown);
  });

  test('what is not UTF-8 is shown by its bytes, and no two alike', () => {
    expect(displayPath(pathFromBytes(Buffer.from('a\xff"', 'latin1')))).toBe(String.raw`"a\xff\x22"`);
    fc.assert(
      fc.property(fc.uint8Array({ min: 1, maxLength: 4 }), fc.uint8Array({ min: 1, maxLength: 4 }), (one, other) => {
        const same = Buffer.from(one).equals(Buffer.from(other));
        expect(displayPath(pathFromBytes(one)) === displayPath(pathFromBytes(other))).toBe(same);
      }),
    );
  });
});
