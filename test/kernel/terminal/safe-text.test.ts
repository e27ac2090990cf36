import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { safeLine, safeName } from '../../../src/kernel/terminal/safe-text.ts';

describe('a line for a terminal', () => {
  test.each([
    ['plain text\twith a tab, é 構', 'plain text\twith a tab, é 構'],
    ['\x1b[31mred\x1b[0m', '\x1b[31mred\x1b[0m\x1b[0m'],
    ['\x1b[1;38:5:1mbold', '\x1b[1;38:5:1mbold\x1b[0m'],
    ['\x1b[2J\x1b[Hgone', 'gone'],
    ['\x1b]0;title\x07text', 'text'],
    ['\x1b]8;;http://x\x1b\\link\x1b]8;;\x1b\\', 'link'],
    ['\x1bPdevice\x1b\\text', 'text'],
    ['\x1b(Btext\x1bc', 'text'],
    ['\x1b\x1b[2J[2J', '[2J'],
    ['\x9b2Jtext\x07', '2Jtext'],
    ['10%\r20%\r100%', '100%'],
    ['windows\r', 'windows'],
    ['\r', ''],
    ['nul\0', 'nul'],
  ])('%j', (text, expected) => {
    expect(safeLine(text)).toBe(expected);
  });

  test('keeps no control character but tabs and colours, whatever comes', () => {
    const controls = ['\x1b', '\x07', '\x9b', '\r', '\n', '\x1b[', '\x1b[0m'];
    const piece = fc.constantFrom(...controls, '[', ']', '3', ';', 'm', 'J', '\\', 'a', 'P');
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 20 }), (pieces) => {
        // oxlint-disable-next-line no-control-regex -- this is what is looked for
        expect(safeLine(pieces.join('')).replace(/\x1b\[[\d;:]*m/g, '')).not.toMatch(/[\x00-\x08\x0a-\x1f\x7f-\x9f]/);
      }),
      { seed: 20260616, numRuns: 5000 },
    );
  });
});

test('a name keeps only what can be seen', () => {
  expect(safeName('a\tb\x1b[31mc\u202e\u2028d\ud800')).toBe('abcd');
});
