import { jsonPlain } from './json-view.ts';
import { isLongEnough } from './secrets.ts';

/** What is left of a value without its backslashes has to be this long to stand for it; the shortest mask. */
const FEWEST_BYTES = 6;

/**
 * Every sequence of bytes that shows one of the values: the value itself, its lines, in hex, and in base64 wherever
 * it may stand in what was encoded. Escapes (percent, JSON) are undone by views, not listed here.
 */
export function needlesOf(secrets: readonly string[]): readonly Buffer[] {
  const byBytes = new Map<string, Buffer>();
  for (const secret of secrets) {
    for (const needle of formsOf(secret.trim())) {
      if (needle.length >= FEWEST_BYTES) byBytes.set(needle.toString('latin1'), needle);
    }
  }
  return [...byBytes.values()];
}

function formsOf(secret: string): readonly Buffer[] {
  if (!isLongEnough(secret)) return [];
  const bytes = Buffer.from(secret);
  const hex = bytes.toString('hex');
  const texts = [...linesOf(secret), secret.replaceAll(' ', '+'), hex, hex.toUpperCase(), ...base64FormsOf(bytes)];
  return [bytes, ...texts.map((text) => Buffer.from(text)), ...withoutBackslashes(bytes)];
}

/** A key of several lines is shown line by line more often than whole; its frame is no secret. */
function linesOf(secret: string): readonly string[] {
  if (!secret.includes('\n')) return [];
  return secret.split('\n').map((line) => line.trim()).filter((line) => isLongEnough(line) && !line.startsWith('-----'));
}

/**
 * Three bytes become four characters, so that a value looks different after 0, 1 or 2 bytes of a neighbour. Characters
 * that a neighbour has a part in are left out; the last one is there also as it is where the value ends the data.
 */
function base64FormsOf(bytes: Buffer): readonly string[] {
  const forms = [0, 1, 2].flatMap((before) => {
    const encoded = Buffer.concat([Buffer.alloc(before), bytes]).toString('base64');
    const from = Math.ceil((before * 8) / 6);
    const bits = (before + bytes.length) * 8;
    return [encoded.slice(from, Math.floor(bits / 6)), encoded.slice(from, Math.ceil(bits / 6))];
  });
  return [...forms, ...forms.map((form) => form.replaceAll('+', '-').replaceAll('/', '_'))];
}

/** What the view of JSON makes of a value that holds backslashes itself. */
function withoutBackslashes(bytes: Buffer): readonly Buffer[] {
  if (!bytes.includes('\\')) return [];
  return [jsonPlain(bytes), Buffer.from(bytes.toString().replaceAll('\\', ''))];
}
