import type { Span } from '../ast.ts';
import { unitsAt } from './characters.ts';
import type { Parser } from './parser.ts';

const SIMPLE_ESCAPES: ReadonlyMap<string, string> = new Map([
  ['n', '\n'],
  ['r', '\r'],
  ['t', '\t'],
  ['"', '"'],
  ['\\', '\\'],
]);

const HEX_DIGITS: ReadonlyMap<string, number> = new Map([
  ['u', 4],
  ['U', 8],
]);

const HEX = /^[0-9a-fA-F]*/;
const MAX_CODE_POINT = 0x10ffff;

/** The text of one token of a heredoc or bare template: only `$${` and `%%{` mean something else than they show. */
export function decodePlain(parser: Parser, { start, end }: Span): string {
  const raw = parser.text.slice(start, end);
  return raw.includes('{') ? raw.replaceAll('$${', '${').replaceAll('%%{', '%{') : raw;
}

/** The text of one token of a quoted template, with its escapes read; what cannot be read is reported and kept. */
export function decodeQuoted(parser: Parser, span: Span): string {
  const raw = parser.text.slice(span.start, span.end);
  if (!raw.includes('\\')) return decodePlain(parser, span);
  const pieces: string[] = [];
  for (let at = span.start; at < span.end; ) {
    const backslash = parser.text.indexOf('\\', at);
    const stop = backslash === -1 || backslash >= span.end ? span.end : backslash;
    pieces.push(decodePlain(parser, { start: at, end: stop }));
    if (stop === span.end) break;
    const escape = readEscape(parser.text, stop);
    if (escape.fault !== undefined) {
      parser.note('Invalid escape sequence', escape.fault, { start: stop, end: stop + escape.length });
    }
    pieces.push(escape.value);
    at = stop + escape.length;
  }
  return pieces.join('');
}

interface Escape {
  readonly value: string;
  readonly length: number;
  readonly fault?: string;
}

function readEscape(text: string, at: number): Escape {
  const selector = text.slice(at + 1, at + 1 + unitsAt(text, at + 1));
  const simple = SIMPLE_ESCAPES.get(selector);
  if (simple !== undefined) return { value: simple, length: 2 };
  const digits = HEX_DIGITS.get(selector);
  if (digits !== undefined) return readCodePoint(text, at, digits);
  const fault = `"\\${selector}" is no escape; known are \\n, \\r, \\t, \\", \\\\, \\uNNNN and \\UNNNNNNNN.`;
  return { value: selector, length: 1 + selector.length, fault };
}

function readCodePoint(text: string, at: number, digits: number): Escape {
  const hex = HEX.exec(text.slice(at + 2, at + 2 + digits))?.[0] ?? '';
  const raw = text.slice(at, at + 2 + hex.length);
  if (hex.length < digits) {
    return { value: raw, length: raw.length, fault: `"${raw}" must have ${digits} hexadecimal digits.` };
  }
  const point = Number.parseInt(hex, 16);
  if (point > MAX_CODE_POINT || (point >= 0xd800 && point <= 0xdfff)) {
    return { value: raw, length: raw.length, fault: `"${raw}" is not a character that a text can hold.` };
  }
  return { value: String.fromCodePoint(point), length: raw.length };
}
