import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createSafeStream } from '../../../src/kernel/terminal/index.ts';

function shown(chunks: readonly (string | Uint8Array)[], colour = true): string {
  const stream = createSafeStream({ colour });
  return chunks.map((chunk) => stream.push(chunk)).join('') + stream.flush();
}

describe('a stream for a terminal', () => {
  test.each([
    ['plain é 構\ttext\nmore', 'plain é 構\ttext\nmore'],
    ['\x1b[31mred\nnot red', '\x1b[31mred\x1b[0m\nnot red'],
    ['\x1b[31mred', '\x1b[31mred\x1b[0m'],
    ['\x1b[2J\x1b[H\x1b[?1049hgone', 'gone'],
    ['10%\r20%\r\ndone\r', '10%\n20%\ndone'],
    ['\x1b]0;title\x07a\x1b]52;c;aGk=\x1b\\b\x1b]8;;http://x\x1b\\link', 'ablink'],
    ['\x1bPdcs\x1b\\a\x1b_apc\x1b\\b\x1b^pm\x9cc\x1bXsos\x07d', 'abcd'],
    ['\x1b]0;never ended\nnext', '\nnext'],
    ['\x1b]0;ended by another\x1b[31mred', '\x1b[31mred\x1b[0m'],
    ['\x1b(Btext\x1bc\x1b7', 'text'],
    ['a\bb\x07c\0d\x7f\u009b2J\u202ee', 'abcd2Je'],
    ['\x1b\x1b[2J[2J', '[2J'],
    ['\x1b[3\n1m', '\n1m'],
    [`\x1b[${'1;'.repeat(200)}mx`, 'x'],
    ['\x1b[31', ''],
    ['\x1b', ''],
  ])('%j shows %j', (text, expected) => {
    expect(shown([text])).toBe(expected);
    expect(shown(Array.from(Buffer.from(text), (byte) => new Uint8Array([byte])))).toBe(expected);
    // oxlint-disable-next-line no-control-regex -- colours are what is looked for
    expect(shown([text], false)).toBe(expected.replace(/\x1b\[[\d;]*m/g, ''));
  });

  test('shows text at once, also before its line ends', () => {
    const stream = createSafeStream({ colour: true });
    expect(stream.push('Password: ')).toBe('Password: ');
    expect(stream.push('\x1b]0;')).toBe('');
    for (let round = 0; round < 1000; round++) expect(stream.push('x'.repeat(1000))).toBe('');
    expect(stream.push('\x07y')).toBe('y');
  });

  test('a new stream begins after the end', () => {
    const stream = createSafeStream({ colour: false });
    expect(stream.push('a\x1b]x') + stream.flush() + stream.push('b')).toBe('ab');
  });

  const piece = fc.oneof(fc.constantFrom('\x1b', '\x07', '\x9b', '\x9c', '\r', '\n', '\x1b[', '\x1b[1m', '\x1b]', '\\', 'm', ';', '3', 'é', '\u202e', '🔑'), fc.string());
  const options = { seed: 20260616, numRuns: 3000 };

  test('shows the same however it is cut, and nothing but text, tabs, lines and colours', () => {
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 12 }), fc.integer({ min: 1, max: 5 }), (pieces, size) => {
        const bytes = Buffer.from(pieces.join(''));
        const cut = Array.from({ length: Math.ceil(bytes.length / size) }, (_, index) => bytes.subarray(index * size, (index + 1) * size));
        const whole = shown([bytes]);
        expect(shown(cut)).toBe(whole);
        // oxlint-disable-next-line no-control-regex -- this is what is looked for
        expect(whole.replace(/\x1b\[[\d;:]*m/g, '')).not.toMatch(/[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\u2028\u2029]/);
      }),
      options,
    );
  });
});
