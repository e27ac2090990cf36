import fc from 'fast-check';
import { parse, stringify } from 'smol-toml';
import { expect, test } from 'vitest';
import { positionsIn } from '../../../src/kernel/config/positions.ts';
import { isTable } from '../../../src/kernel/config/toml-text.ts';

const name = fc.oneof(fc.constantFrom('a', 'b', 'notify', '__proto__', 'a.b', '', '"', 'é', '👩‍👩‍👧'), fc.string({ unit: 'grapheme', maxLength: 5 }));
const leaf = fc.oneof(fc.boolean(), fc.integer(), fc.string({ unit: 'grapheme' }), fc.array(fc.string(), { maxLength: 3 }));
const { table } = fc.letrec<{ table: Record<string, unknown> }>((tie) => ({
  table: fc.dictionary(name, fc.oneof({ depthSize: 'small' }, leaf, tie('table')), { maxKeys: 4 }),
}));

test('every key that the reader of values sees has a place, and the key stands there', async () => {
  await fc.assert(
    fc.asyncProperty(table, async (content) => {
      const text = stringify(content);
      const positions = await positionsIn(text);
      const rows = text.split('\n');
      for (const path of pathsIn(parse(text), [])) {
        const place = positions.of(path);
        expect(place, `${JSON.stringify(path)} in ${text}`).toBeDefined();
        expect(textAt(rows[place!.line - 1]!, place!.column)).toMatch(startOf(path.at(-1)!));
      }
    }),
    { seed: 20260621, numRuns: 300 },
  );
});

test('the first place of a key counts, and one that is not written has none', async () => {
  const positions = await positionsIn('a.b = 1\na.c = 2\n[[d]]\nx = 1\n[[d]]\nx = 2\n');
  expect(positions.of(['a'])).toEqual({ line: 1, column: 1 });
  expect(positions.of(['a', 'c'])).toEqual({ line: 2, column: 3 });
  expect(positions.of(['d', 'x'])).toEqual({ line: 4, column: 1 });
  expect(positions.of(['b'])).toBeUndefined();
});

test('a text that this reader does not take has no places, and no error either', async () => {
  expect((await positionsIn('a = = 1')).of(['a'])).toBeUndefined();
});

function* pathsIn(value: object, above: readonly string[]): Generator<readonly string[]> {
  for (const [word, inner] of Object.entries(value)) {
    yield [...above, word];
    if (isTable(inner)) yield* pathsIn(inner, [...above, word]);
  }
}

function textAt(row: string, column: number): string {
  return [...new Intl.Segmenter('en').segment(row)].slice(column - 1).map(({ segment }) => segment).join('');
}

/** A name that is not bare stands in quotes, where more than its letters may differ. */
function startOf(word: string): RegExp {
  return /^[\w-]+$/.test(word) ? new RegExp(`^${word}\\s*[.=\\]]`) : /^["']/;
}
