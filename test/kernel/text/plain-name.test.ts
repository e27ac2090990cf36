import { expect, test } from 'vitest';
import { onOneLine, plainName } from '../../../src/kernel/text/index.ts';

test.each([
  ['a b/ö.txt', 'a b/ö.txt'],
  ['', '""'],
  ['a\nb', '"a\\nb"'],
  ['\u001b[2J"', '"\\u001b[2J\\""'],
  ['a\u202eb', '"a\\u{202e}b"'],
  ['a\u2028b\u007f', '"a\\u{2028}b\\u{7f}"'],
])('the name %j is shown as %s', (name, shown) => {
  expect(plainName(name)).toBe(shown);
});

test('a sentence stays on its line', () => {
  expect(onOneLine('cannot read a\nb: "no"\u0085')).toBe('cannot read a\\nb: "no"\\u{85}');
});
