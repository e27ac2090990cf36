import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { FrameFault, FrameReader, frameOf, MAX_PAYLOAD_BYTES } from '../../../../src/bach/model/index.ts';
import { frame, payloadsIn } from '../../../support/backend-messages.ts';

/** The headers that bring one message to a length of headers. */
function headersOf(length: number): string {
  const rest = 'Content-Length: 2\r\n\r\n';
  return `X: ${'x'.repeat(length - rest.length - 5)}\r\n${rest}`;
}

function faultOf(bytes: Uint8Array | string): string {
  try {
    payloadsIn(Buffer.from(bytes));
  } catch (error) {
    if (error instanceof FrameFault) return error.message;
    throw error;
  }
  return 'none';
}

describe('messages are read', () => {
  test.each([
    ['CRLF', 'Content-Length: 2\r\n\r\n'],
    ['LF alone', 'Content-Length: 2\n\n'],
    ['both', 'Content-Length: 2\n\r\n'],
    ['a name in other letters', 'content-LENGTH: 2\r\n\r\n'],
    ['no blank', 'Content-Length:2\r\n\r\n'],
    ['more blanks', 'Content-Length : \t 2 \r\n\r\n'],
    ['zeros in front', 'Content-Length: 0002\r\n\r\n'],
    ['other headers', 'Content-Type: application/json; charset=utf-8\r\nContent-Length: 2\r\nX-Odd: \u00e9\r\n\r\n'],
    ['a header of the longest length', headersOf(16_384)],
  ])('%s', (_name, headers) => {
    expect(payloadsIn(Buffer.concat([frame('{}', headers), frame('[]')]))).toEqual(['{}', '[]']);
  });

  test('an empty payload is a message', () => {
    expect(payloadsIn(Buffer.concat([frame(''), frame('x'), frame('')]))).toEqual(['', 'x', '']);
  });

  test('however the bytes are cut', () => {
    const payloads = fc.array(fc.string({ unit: 'binary', maxLength: 50 }), { maxLength: 6 });
    const cuts = fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1, maxLength: 20 });
    fc.assert(
      fc.property(payloads, cuts, (texts, lengths) => {
        const bytes = Buffer.concat(texts.map((text) => frame(text)));
        const frames = new FrameReader();
        const found: string[] = [];
        for (let at = 0, turn = 0; at < bytes.length; turn += 1) {
          const length = lengths[turn % lengths.length] ?? 1;
          for (const payload of frames.take(bytes.subarray(at, at + length))) found.push(Buffer.from(payload).toString());
          at += length;
        }
        expect(found).toEqual(texts.map((text) => Buffer.from(text).toString()));
        expect(frames.isBetweenMessages).toBe(true);
      }),
      { numRuns: 100 },
    );
  });

  test('the largest payload comes through whole, one byte more is refused before it is read', () => {
    const largest = 'x'.repeat(MAX_PAYLOAD_BYTES);
    expect(payloadsIn(Buffer.from(frameOf(largest)))[0]?.length).toBe(8_388_608);
    expect(faultOf('Content-Length: 8388609\r\n\r\n')).toBe('Content-Length 8388609 exceeds max 8388608');
    expect(() => frameOf(`${largest}x`)).toThrow(expect.objectContaining({ message: 'Content-Length 8388609 exceeds max 8388608' }));
    // Two bytes each.
    expect(() => frameOf('\u00e9'.repeat(MAX_PAYLOAD_BYTES / 2 + 1))).toThrow();
  });
});

describe('what is no message', () => {
  test.each([
    ['Content-Length: 2\r\nContent-Length: 2\r\n\r\n{}', 'duplicate Content-Length header'],
    ['Content-Length: 2\r\ncontent-length: 3\r\n\r\n{}', 'duplicate Content-Length header'],
    ['X: 1\r\n\r\n{}', 'missing Content-Length header'],
    ['\r\n{}', 'missing Content-Length header'],
    ['\n', 'missing Content-Length header'],
    ['Content-Length: two\r\n\r\n', 'invalid Content-Length header "two"'],
    ['Content-Length: -2\r\n\r\n', 'invalid Content-Length header "-2"'],
    ['Content-Length: +2\r\n\r\n', 'invalid Content-Length header "+2"'],
    ['Content-Length: 2.0\r\n\r\n', 'invalid Content-Length header "2.0"'],
    ['Content-Length: 0x2\r\n\r\n', 'invalid Content-Length header "0x2"'],
    ['Content-Length: 2 2\r\n\r\n', 'invalid Content-Length header "2 2"'],
    ['Content-Length:\r\n\r\n', 'invalid Content-Length header ""'],
    ['Content-Length: 2\0\r\n\r\n', 'invalid Content-Length header "2\\u0000"'],
    ['Content-Length: 99999999999999999999\r\n\r\n', 'Content-Length 99999999999999999999 exceeds max 8388608'],
    [`Content-Length: ${'9'.repeat(400)}\r\n\r\n`, `Content-Length ${'9'.repeat(100)}… exceeds max 8388608`],
    ['{}\n\n', 'invalid header line "{}"'],
    ['no colon\r\n\r\n', 'invalid header line "no colon"'],
    [': 2\r\n\r\n', 'invalid header line ": 2"'],
    [`${headersOf(16_385)}{}`, 'message headers exceed 16384 bytes'],
    ['x'.repeat(16_385), 'message headers exceed 16384 bytes'],
    ['x: y\n'.repeat(10_000), 'message headers exceed 16384 bytes'],
  ])('%j', (text, message) => {
    expect(faultOf(text).slice(0, message.length)).toBe(message);
  });

  test('half a message is told from the end of one', () => {
    for (const [text, isBetween] of [['', true], ['C', false], ['Content-Length: 2\r\n\r\n', false], ['Content-Length: 2\r\n\r\n{', false], ['Content-Length: 2\r\n\r\n{}', true]] as const) {
      const frames = new FrameReader();
      expect([...frames.take(Buffer.from(text))].length).toBe(text.endsWith('{}') ? 1 : 0);
      expect(frames.isBetweenMessages).toBe(isBetween);
    }
  });
});
