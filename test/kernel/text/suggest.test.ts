import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { didYouMean, nearest } from '../../../src/kernel/text/index.ts';

describe('nearest', () => {
  test.each([
    ['depend_on', ['description', 'depends_on', 'env'], 'depends_on'],
    ['dpeends_on', ['depends_on'], 'depends_on'],
    ['comand', ['command', 'commands'], 'command'],
    ['shel', ['shell', 'shed'], 'shell'],
    ['env', ['env'], 'env'],
    ['evn', ['env'], 'env'],
    ['Shell', ['shell'], 'shell'],
  ])('%s means one of %j', (word, candidates, found) => {
    expect(nearest(word, candidates)).toBe(found);
  });

  test.each([
    ['frobnicate', ['shell', 'env', 'command']],
    ['x', ['y', 'yz']],
    ['', ['a']],
    ['ab', ['cd']],
    ['anything', []],
  ])('%j means none of %j', (word, candidates) => {
    expect(nearest(word, candidates)).toBeUndefined();
  });

  test('gives a tie to the first', () => {
    expect(nearest('tast', ['test', 'task'])).toBe('test');
    expect(nearest('tast', ['task', 'test'])).toBe('task');
  });

  test('says nothing about a word that nobody typed', () => {
    const long = 'a'.repeat(100_000);
    expect(nearest(long, [`${long}b`])).toBeUndefined();
  });

  test('finds a word again after one slip', () => {
    const words = ['depends_on', 'description', 'command', 'outputs', 'timeout', 'workdir'];
    const slip = fc.record({ word: fc.constantFrom(...words), at: fc.nat(), kind: fc.constantFrom('drop', 'double', 'swap', 'replace') });
    fc.assert(
      fc.property(slip, ({ word, at, kind }) => {
        expect(nearest(slipped(word, at % word.length, kind), words)).toBe(word);
      }),
      { seed: 13, numRuns: 500 },
    );
  });
});

function slipped(word: string, at: number, kind: string): string {
  const [before, letter, after] = [word.slice(0, at), word.charAt(at), word.slice(at + 1)];
  if (kind === 'drop') return before + after;
  if (kind === 'double') return before + letter + letter + after;
  if (kind === 'replace') return `${before}#${after}`;
  return before + after.charAt(0) + letter + after.slice(1);
}

describe('didYouMean', () => {
  test('is the end of a sentence, or nothing', () => {
    expect(didYouMean('shel', ['shell'])).toBe('; did you mean "shell"?');
    expect(didYouMean('frobnicate', ['shell'])).toBe('');
  });

  test('quotes what could be read as something else', () => {
    expect(didYouMean('a"bc', ['a"bcd'])).toBe('; did you mean "a\\"bcd"?');
  });
});
