import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { plainLine, safeLine, safeName } from '../../../src/kernel/terminal/safe-text.ts';

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
    ['user\u202egnp.exe', 'usergnp.exe'],
    ['\u2066a\u2069\u202ab\u202c', 'ab'],
    ['one\u2028two\u2029', 'onetwo'],
    ['\u200eleft and \u200dright', '\u200eleft and \u200dright'],
    ['\x1b]52;c;aGk=\x07clip', 'clip'],
    ['\x1b_app\x1b\\x\x1b^pm\x1b\\y\x1bXsos\x1b\\z', 'xyz'],
    ['a\bb', 'ab'],
    ['\u0085next\u0090dcs\u009c', 'nextdcs'],
    [`\x1b[${'1;'.repeat(40)}mlong`, 'long'],
    ['\x1b\0[2J', '[2J'],
    ['\x1b[31', '31'],
    ['\x1b]0;never ended', ''],
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

test('a line without colours has none, and is as safe', () => {
  expect(plainLine('\x1b[1mbold\x1b[0m \x1b[2Jx\r')).toBe('bold x');
  expect(plainLine('a\x1b\0[31mb')).toBe('a[31mb');
  expect(plainLine('plain\ttext')).toBe('plain\ttext');
});
