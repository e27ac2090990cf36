import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { decodeSource, parseHcl, SourceText } from '../../../../../src/bach/model/hcl/syntax/index.ts';

const SEED = 20_260_414;
const PIECES = ['a', '"', ' ', '\n', '\r\n', '\r', '\t', 'é', 'e\u0301', 'ß', '€', '😀', '👩‍👩‍👧‍👦', '🇩🇪', '한', '\u0000'];

describe('a place in a text', () => {
  test.each([
    ['', 0, [1, 1, 0]],
    ['abc', 2, [1, 3, 2]],
    ['abc', 3, [1, 4, 3]],
    ['a\nb', 1, [1, 2, 1]],
    ['a\nb', 2, [2, 1, 2]],
    ['a\r\nb', 3, [2, 1, 3]],
    ['a\rb', 2, [1, 3, 2]],
    ['a\n', 2, [2, 1, 2]],
    ['é=1', 1, [1, 2, 2]],
    ['e\u0301=1', 2, [1, 2, 3]],
    ['"😀"x', 4, [1, 4, 6]],
    ['"👩‍👩‍👧‍👦"x', 13, [1, 4, 27]],
    ['🇩🇪🇫🇷x', 8, [1, 3, 16]],
    ['é\né😀x\n', 5, [2, 3, 9]],
    ['\ufeffa', 0, [1, 1, 0]],
    ['\ufeffa', 1, [1, 1, 3]],
    ['\ufeffa', 2, [1, 2, 4]],
    ['\ufeffa\nb', 3, [2, 1, 5]],
    ['abc', 99, [1, 4, 3]],
    ['abc', -1, [1, 1, 0]],
  ])('%j at %i', (text, offset, [line, column, byte]) => {
    expect(new SourceText(text).position(offset)).toEqual({ line, column, byte });
  });

  test('that stands within a cluster counts what is before it', () => {
    expect(new SourceText('"\u0301x').position(1)).toEqual({ line: 1, column: 2, byte: 1 });
  });

  test('is the same whatever was asked before', () => {
    const text = 'é\n"e\u0301👩‍👩‍👧‍👦" b\nx';
    const offsets = Array.from({ length: text.length + 1 }, (_, offset) => offset);
    const source = new SourceText(text);
    const backwards = [...offsets].reverse().map((offset) => source.position(offset));
    expect(backwards.reverse()).toEqual(offsets.map((offset) => new SourceText(text).position(offset)));
  });

  test('has the line, the grapheme clusters and the bytes before it', () => {
    const texts = fc.array(fc.constantFrom(...PIECES), { maxLength: 40 }).map((pieces) => pieces.join(''));
    fc.assert(
      fc.property(texts, (text) => {
        const source = new SourceText(text);
        for (const offset of boundaries(text)) expect(source.position(offset)).toEqual(counted(text, offset));
      }),
      { seed: SEED, numRuns: 400 },
    );
  });

  test('is found in one long line of clusters that go on over every border', () => {
    const family = '👩‍👩‍👧‍👦';
    const text = family.repeat(500) + 'e' + '\u0301'.repeat(2000) + 'x';
    const source = new SourceText(text);
    expect(source.position(family.length * 499)).toMatchObject({ column: 500 });
    expect(source.position(text.length - 1)).toMatchObject({ column: 502 });
    expect(source.position(text.length)).toMatchObject({ column: 503 });
  });

  test('stands at both ends of a range', () => {
    expect(new SourceText('é = 1\nb').range({ start: 0, end: 7 })).toEqual({
      start: { line: 1, column: 1, byte: 0 },
      end: { line: 2, column: 2, byte: 8 },
    });
  });
});

describe('bytes of a file', () => {
  test('are text where they are UTF-8', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        expect(decodeSource(Buffer.from(text))).toEqual({ text, diagnostics: [] });
      }),
      { seed: SEED },
    );
  });

  test('keep their mark, so that places fit the file', () => {
    const { text, diagnostics } = decodeSource(Buffer.from([0xef, 0xbb, 0xbf, 0x61, 0x3d, 0x5d]));
    expect(diagnostics).toEqual([]);
    const parsed = parseHcl(text);
    const [error] = parsed.diagnostics;
    expect(error && parsed.source.position(error.span.start)).toEqual({ line: 1, column: 3, byte: 5 });
  });

  test('may hold the replacement character itself', () => {
    expect(decodeSource(Buffer.from('a\ufffdb'))).toEqual({ text: 'a\ufffdb', diagnostics: [] });
  });

  test.each([
    ['a lone continuation', [0x61, 0x80, 0x62], 1],
    ['a start without its end', [0x61, 0x0a, 0xc3, 0xa9, 0xc3], 4],
    ['three of four bytes', [0xf0, 0x9f, 0x98], 0],
    ['an overlong form', [0x61, 0xc0, 0xaf], 1],
    ['an overlong form of three bytes', [0xe0, 0x80, 0xaf], 0],
    ['half a surrogate pair', [0x61, 0xed, 0xa0, 0x80], 1],
    ['a character past the last', [0xf4, 0x90, 0x80, 0x80], 0],
    ['Latin 1', [...Buffer.from('# é ü\nname = "'), 0xe4, 0x22], 16],
    ['UTF-16', [0xff, 0xfe, 0x61, 0x00], 0],
  ])('that are %s are an error at their place', (_, bytes, byte) => {
    const { text, diagnostics } = decodeSource(Uint8Array.from(bytes));
    expect(diagnostics).toMatchObject([{ severity: 'error', summary: 'Invalid character encoding' }]);
    expect(diagnostics[0]?.detail).toContain(`Byte ${byte} (0x`);
    expect(new SourceText(text).position(diagnostics[0]?.span.start ?? -1).byte).toBe(byte);
  });

  test('are judged as the platform judges them', () => {
    const strict = new TextDecoder('utf-8', { fatal: true });
    const bytes = fc.array(fc.oneof(fc.constantFrom(0x61, 0x80, 0xbf, 0xc3, 0xe0, 0xed, 0xef, 0xf0, 0xf4, 0x9f, 0xa0), fc.nat(255)));
    fc.assert(
      fc.property(bytes, (list) => {
        const array = Uint8Array.from(list);
        expect(decodeSource(array).diagnostics.length > 0).toBe(!decodes(strict, array));
      }),
      { seed: SEED, numRuns: 2000 },
    );
  });
});

function boundaries(text: string): readonly number[] {
  const segments = new Intl.Segmenter('und', { granularity: 'grapheme' }).segment(text);
  return [...Array.from(segments, ({ index }) => index), text.length];
}

function counted(text: string, offset: number): { line: number; column: number; byte: number } {
  const before = text.slice(0, offset);
  const line = before.slice(before.lastIndexOf('\n') + 1);
  const column = Array.from(new Intl.Segmenter('und', { granularity: 'grapheme' }).segment(line)).length + 1;
  return { line: before.split('\n').length, column, byte: Buffer.byteLength(before) };
}

function decodes(decoder: TextDecoder, bytes: Uint8Array): boolean {
  try {
    decoder.decode(bytes);
    return true;
  } catch {
    return false;
  }
}
