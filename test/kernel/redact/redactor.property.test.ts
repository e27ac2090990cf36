import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createRedaction } from '../../../src/kernel/redact/index.ts';
import { MORE_ENCODINGS } from '../../support/redact/encodings.ts';

const SECRETS = [
  'hunter2x',
  'hunter2xhunter2y',
  'aaaaaaaaaaab',
  'two words%20and',
  'a"quote\\and/slash',
  'ünïcödé🔑',
  'k3y+/'.repeat(30),
  'first line here\nsecond line here\nthird line here',
];

const REDACTION = createRedaction(SECRETS);
const ENCODERS = Object.values(MORE_ENCODINGS);

const secretPiece = fc.tuple(fc.constantFrom(...SECRETS), fc.constantFrom(...ENCODERS), fc.constantFrom('', 'x', 'xy')).map(
  ([secret, encode, before]) => encode(before + secret),
);
/** Parts of what is looked for, so that beginnings, ends and neighbours meet. */
const brokenPiece = fc.tuple(secretPiece, fc.nat(), fc.nat(40)).map(([text, from, length]) => text.slice(from % text.length).slice(0, length));
const shapePiece = fc.constantFrom(
  'ghp_0123456789abcdefghijABCDEFGHIJ012345',
  'AKIAIOSFODNN7EXAMPLE',
  'sk-ant-api03-0123456789abcdef',
  'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2lnbmF0dXJlLW9mLWl0',
  'eyJhbGciOiJIUzI1NiJ9.',
  'https://user:pa@ss@host/x',
  '://u:',
  'Authorization: Bearer abc.def~',
  '-----BEGIN RSA PRIVATE KEY-----\nMIIE/+ab\n',
  '-----END RSA PRIVATE KEY-----\n',
  'sk-',
  'ey',
  'gh',
);
const noise = fc.constantFrom('\n', ' ', '\\', '\\\\', '\\u00', '%', '%4', '\x1b[', '\x1b[1m', 'x', '@', '"', 'A'.repeat(61), 'é', '\r\n');
const piece = fc.oneof({ weight: 3, arbitrary: secretPiece }, brokenPiece, shapePiece, { weight: 2, arbitrary: noise }, fc.string());
const text = fc.array(piece, { maxLength: 8 }).map((pieces) => pieces.join(''));

function inChunks(bytes: Buffer, sizes: readonly number[]): Buffer {
  const redactor = REDACTION.createRedactor();
  const parts: Buffer[] = [];
  const reused = Buffer.alloc(Math.max(1, ...sizes));
  let at = 0;
  for (let turn = 0; at < bytes.length; turn++) {
    const size = sizes[turn % sizes.length] ?? 1;
    const count = bytes.copy(reused, 0, at, at + size);
    parts.push(Buffer.from(redactor.push(reused.subarray(0, count))));
    at += count;
  }
  return Buffer.concat([...parts, redactor.flush()]);
}

function whole(bytes: Buffer): Buffer {
  return inChunks(bytes, [bytes.length + 1]);
}

const options = { seed: 20260616, numRuns: 1000 };

describe('a redactor', () => {
  test('gives the same however its input is cut', () => {
    const sizes = fc.array(fc.oneof(fc.integer({ min: 1, max: 3 }), fc.integer({ min: 1, max: 80 })), { minLength: 1, maxLength: 6 });
    fc.assert(
      fc.property(text, sizes, (input, cuts) => {
        const bytes = Buffer.from(input);
        expect(inChunks(bytes, cuts).toString('latin1')).toBe(whole(bytes).toString('latin1'));
      }),
      options,
    );
  });

  test('changes no length, and no byte but to a mask', () => {
    fc.assert(
      fc.property(text, (input) => {
        const bytes = Buffer.from(input);
        const masked = whole(bytes);
        expect(masked.length).toBe(bytes.length);
        expect(masked.every((byte, at) => byte === bytes[at] || byte === 0x2a)).toBe(true);
      }),
      options,
    );
  });

  test('finds nothing more in what it gave', () => {
    fc.assert(
      fc.property(text, (input) => {
        const once = whole(Buffer.from(input));
        expect(whole(once).toString('latin1')).toBe(once.toString('latin1'));
      }),
      options,
    );
  });

  test('leaves bytes of any kind alone that hold no secret', () => {
    fc.assert(
      fc.property(fc.array(fc.uint8Array({ maxLength: 40 }), { maxLength: 6 }), (parts) => {
        const bytes = Buffer.concat(parts);
        expect(inChunks(bytes, [7]).equals(bytes)).toBe(true);
      }),
      options,
    );
  });

  test('lets no encoded value through', () => {
    fc.assert(
      fc.property(fc.constantFrom(...SECRETS), fc.constantFrom(...ENCODERS), fc.string(), fc.string(), (secret, encode, before, after) => {
        // The neighbours stand outside what was encoded here.
        const encoded = encode(secret);
        const masked = whole(Buffer.from(`${before}\n${encoded}\n${after}`)).toString();
        const middle = masked.slice(`${before}\n`.length, masked.length - `\n${after}`.length);
        expect(middle.replace(/[*=\n]/g, '').length).toBeLessThanOrEqual(Number(encoded.includes('=')));
      }),
      options,
    );
  });
});
