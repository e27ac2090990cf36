import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { TextSearch } from '../../../src/bach/act/text-search.ts';

function found(texts: readonly string[], chunks: readonly string[]): readonly string[] {
  const search = new TextSearch(texts);
  for (const chunk of chunks) search.write(Buffer.from(chunk));
  return texts.filter((text) => search.has(text));
}

describe('a text is found', () => {
  test.each([
    ['in one chunk', ['BACK'], ['ROLLBACK'], ['BACK']],
    ['where two chunks share it', ['ROLLBACK'], ['ROL', 'LBACK'], ['ROLLBACK']],
    ['where many share it', ['abc'], ['a', 'b', 'c'], ['abc']],
    ['whatever its length beside others', ['a', 'long text'], ['lon', 'g', ' text'], ['long text']],
    ['over a line break', ['a\nb'], ['a\n', 'b'], ['a\nb']],
    ['in the bytes of its letters', ['naïve ✓'], ['na', 'ïve ✓'], ['naïve ✓']],
  ])('%s', (_, texts, chunks, expected) => {
    expect(found(texts, chunks)).toEqual(expected);
  });

  test('exactly when all that came holds it, however it was cut', () => {
    const letters = fc.string({ unit: fc.constantFrom('a', 'b', 'ß'), maxLength: 12 });
    const needles = fc.array(fc.string({ unit: fc.constantFrom('a', 'b', 'ß'), minLength: 1, maxLength: 4 }), { maxLength: 4 });
    fc.assert(
      fc.property(needles, fc.array(letters, { maxLength: 8 }), (texts, chunks) => {
        const whole = chunks.join('');
        expect(found(texts, chunks)).toEqual(texts.filter((text) => whole.includes(text)));
      }),
      { numRuns: 300 },
    );
  });
});

test('the memory of a chunk may be used again', () => {
  const search = new TextSearch(['xy']);
  const chunk = Buffer.from('ax');
  search.write(chunk);
  chunk.fill('-');
  search.write(Buffer.from('y'));
  expect(search.has('xy')).toBe(true);
});
