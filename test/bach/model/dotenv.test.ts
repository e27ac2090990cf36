import { describe, expect, test } from 'vitest';
import { parseDotenv } from '../../../src/bach/model/index.ts';

function entries(text: string): Record<string, string> {
  const parsed = parseDotenv(text);
  if (!('entries' in parsed)) throw new Error(`${parsed.line}: ${parsed.message}`);
  return Object.fromEntries(parsed.entries.map(({ name, value }) => [name, value]));
}

describe('environment files', () => {
  test.each([
    ['A=1', { A: '1' }],
    ['export A=1', { A: '1' }],
    ['  A = one two  ', { A: 'one two' }],
    ['# note\n\nA=1\r\nB=2\r\n', { A: '1', B: '2' }],
    ['A=x # note', { A: 'x' }],
    ['A=x#y', { A: 'x#y' }],
    ['A=#note', { A: '' }],
    ['A=', { A: '' }],
    ['A="x # y"', { A: 'x # y' }],
    ["A='$B \\n'", { A: '$B \\n' }],
    ['A="say "hi""', { A: 'say "hi"' }],
    ['A="x" # note', { A: 'x' }],
    ['A=b=c', { A: 'b=c' }],
    ['\uFEFFA=1', { A: '1' }],
  ])('%j', (text, expected) => {
    expect(entries(text)).toEqual(expected);
  });

  test('a later line wins', () => {
    expect(entries('A=1\nA=2')).toEqual({ A: '2' });
  });

  test.each([
    ['A=1\nno assignment', 2, 'expected KEY=value'],
    ['=1', 1, 'empty key'],
    ['\n\nA="open', 3, 'unterminated quoted value'],
    ["A='", 1, 'unterminated quoted value'],
    ['A=\0', 1, 'a NUL byte is not allowed'],
  ])('%j is refused with its line', (text, line, message) => {
    expect(parseDotenv(text)).toEqual({ line, message });
  });
});
