import { describe, expect, test } from 'vitest';
import { createRedaction, createRedactor } from '../../../src/kernel/redact/index.ts';
import { MORE_ENCODINGS } from '../../support/redact/encodings.ts';

const VALUES: Readonly<Record<string, string>> = {
  'eight letters': 'hunter2x',
  'a long token': 'Zx81-quite_LONG.token~with+signs/and=more0123456789abcdefghijklmnop',
  'quotes and slashes': 'a"b\\c/d\'e<f>g&h',
  'spaces and percent': '100% sure of 20%41 this',
  'letters of other scripts': 'pässwörd-構-🔑-ключ',
  'a backslash before n': 'path\\name\\to\\rule',
  'a tab within': 'left\tright\tend',
  'longer than a line of base64': 'k3y/'.repeat(40),
};
const AROUND = ['', 'x', 'xy', 'token: '];

/** What is left of a text when its masks and what stood around are taken away. */
function leaked(masked: string): number {
  return masked.replace(/\*/g, '').length;
}

describe.each(Object.entries(VALUES))('a value with %s', (_name, value) => {
  test.each(Object.entries(MORE_ENCODINGS))('is masked in %s', (_encoding, encode) => {
    const { redactText } = createRedaction([value]);
    for (const before of AROUND) {
      for (const after of AROUND) {
        const text = `${encode(before + value + after)}\n`;
        const masked = redactText(text);
        expect(Buffer.byteLength(masked)).toBe(Buffer.byteLength(text));
        // The neighbours, what joins them, and characters of base64 that they have a part in.
        const neighbours = encode(before).length + encode(after).length + 16;
        expect({ masked, fits: leaked(masked) <= neighbours }).toEqual({ masked, fits: true });
      }
    }
  });
});

describe('masks', () => {
  const { redactText } = createRedaction(['correct horse', 'correct horse battery', 'battery staple', 'hunter2x']);

  test.each([
    ['say hunter2x twice: hunter2xhunter2x', 'say ******** twice: ****************'],
    ['correct horse battery staple!', '****************************!'],
    ['correct horse!', '*************!'],
    ['hunter2', 'hunter2'],
    ['a=hunter2x&b=%68unter2x;', 'a=********&b=**********;'],
    ['"\\u0068unter2x\\n"', '"*************\\n"'],
    ['\x1b[1mhunter2x\x1b[0m', '\x1b[1m********\x1b[0m'],
    ['é構hunter2xé', 'é構********é'],
  ])('%j', (text, expected) => {
    expect(redactText(text)).toBe(expected);
  });

  test('take as many bytes as what they cover', () => {
    expect(createRedaction(['pässwörd']).redactText('<pässwörd>')).toBe('<**********>');
  });

  test('keep the ends of lines of a value, and cover its lines where they stand alone', () => {
    const key = '-----BEGIN THING-----\nfirst-line-of-it\r\nsecond-line-of-it\nshort\n-----END THING-----';
    const { redactText: redact } = createRedaction([key]);
    expect(redact(key)).toBe(key.replace(/[^\r\n]/g, '*'));
    expect(redact('[a] first-line-of-it\n[a] second-line-of-it\n[a] short')).toBe('[a] ****************\n[a] *****************\n[a] short');
  });

  test('hold nothing back that cannot be the beginning of a value', () => {
    const redactor = createRedactor(['hunter2x']);
    expect(redactor.push(Buffer.from('Password? ')).toString()).toBe('Password? ');
    expect(redactor.push(Buffer.from('the hun')).toString()).toBe('the ');
    expect(redactor.push(Buffer.from('gry?')).toString()).toBe('hungry?');
    expect(redactor.push(Buffer.from('hunter2')).toString()).toBe('');
    expect(redactor.flush().toString()).toBe('hunter2');
    expect(redactor.push(Buffer.from('x.')).toString()).toBe('x.');
  });

  test('cover a value that is cut at any byte, and leave the chunk as it was', () => {
    const text = Buffer.from('one hunter2x two');
    for (let cut = 0; cut <= text.length; cut++) {
      const redactor = createRedactor(['hunter2x']);
      const parts = [Buffer.from(text.subarray(0, cut)), Buffer.from(text.subarray(cut))];
      const masked = Buffer.concat([...parts.map((part) => Buffer.from(redactor.push(part))), redactor.flush()]);
      expect(masked.toString()).toBe('one ******** two');
      expect(Buffer.concat(parts)).toEqual(text);
    }
  });

  test('stay away without secrets', () => {
    const text = 'nothing to see, not even hunter2x';
    expect(createRedaction([]).redactText(text)).toBe(text);
    expect(createRedaction(['short', '        ']).redactText(text)).toBe(text);
  });
});
