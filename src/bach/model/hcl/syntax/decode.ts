import type { SpanDiagnostic } from '../diagnostic.ts';

export interface DecodedSource {
  /** Always fit for showing places: what cannot be read stands in it as U+FFFD. A byte-order mark is kept. */
  readonly text: string;
  /** Empty, or one error at the first byte that is no UTF-8. */
  readonly diagnostics: readonly SpanDiagnostic[];
}

/**
 * The text of a file. A byte-order mark stays in the text, where the parser passes over it, so that offsets and bytes
 * keep fitting the file.
 */
export function decodeSource(bytes: Uint8Array): DecodedSource {
  const text = decode(bytes);
  if (!text.includes('\ufffd')) return { text, diagnostics: [] };
  const valid = validLength(bytes);
  if (valid === bytes.length) return { text, diagnostics: [] };
  const start = decode(bytes.subarray(0, valid)).length;
  const detail = `Byte ${valid} (0x${hex(bytes[valid] ?? 0)}) starts no character in UTF-8; save the file as UTF-8.`;
  const span = { start, end: start + 1 };
  return { text, diagnostics: [{ severity: 'error', summary: 'Invalid character encoding', detail, span }] };
}

function decode(bytes: Uint8Array): string {
  return new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes);
}

function hex(byte: number): string {
  return byte.toString(16).padStart(2, '0');
}

interface Lead {
  readonly low: number;
  readonly high: number;
  readonly length: number;
  /** Bounds of the byte that follows; they keep out overlong forms, surrogates and what lies past U+10FFFF. */
  readonly second: readonly [number, number];
}

const LEADS: readonly Lead[] = [
  { low: 0x00, high: 0x7f, length: 1, second: [0, 0] },
  { low: 0xc2, high: 0xdf, length: 2, second: [0x80, 0xbf] },
  { low: 0xe0, high: 0xe0, length: 3, second: [0xa0, 0xbf] },
  { low: 0xe1, high: 0xec, length: 3, second: [0x80, 0xbf] },
  { low: 0xed, high: 0xed, length: 3, second: [0x80, 0x9f] },
  { low: 0xee, high: 0xef, length: 3, second: [0x80, 0xbf] },
  { low: 0xf0, high: 0xf0, length: 4, second: [0x90, 0xbf] },
  { low: 0xf1, high: 0xf3, length: 4, second: [0x80, 0xbf] },
  { low: 0xf4, high: 0xf4, length: 4, second: [0x80, 0x8f] },
];

/** How many bytes from the start are whole characters. */
function validLength(bytes: Uint8Array): number {
  let at = 0;
  for (let length = characterLength(bytes, at); length > 0; length = characterLength(bytes, at)) at += length;
  return at;
}

function characterLength(bytes: Uint8Array, at: number): number {
  const first = bytes[at] ?? -1;
  const lead = LEADS.find(({ low, high }) => first >= low && first <= high);
  if (lead === undefined) return 0;
  for (let index = 1; index < lead.length; index += 1) {
    const [low, high] = index === 1 ? lead.second : [0x80, 0xbf];
    const byte = bytes[at + index] ?? -1;
    if (byte < low || byte > high) return 0;
  }
  return lead.length;
}
