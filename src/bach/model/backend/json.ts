/** Deeper values are not read: what walks over them afterwards has a stack with an end. */
const MOST_DEPTH = 100;

export type JsonRead = { readonly json: unknown } | { readonly fault: string };

/** Reads a payload, or says as a sentence why it is none. */
export function readJson(payload: Uint8Array): JsonRead {
  try {
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(payload);
    if (isTooDeep(text)) return { fault: `the payload is nested more than ${MOST_DEPTH} deep` };
    return { json: JSON.parse(text) as unknown };
  } catch (error) {
    // Decoder and parser each throw a class of their own.
    return { fault: error instanceof SyntaxError ? 'the payload is not valid JSON' : 'the payload is not valid UTF-8' };
  }
}

/** Told before it is parsed, since millions of brackets take a hundred times their size. */
function isTooDeep(text: string): boolean {
  let depth = 0;
  for (let at = 0; at < text.length; at += 1) {
    const character = text[at];
    if (character === '"') at = endOfString(text, at);
    else if (character === '[' || character === '{') depth += 1;
    else if (character === ']' || character === '}') depth -= 1;
    if (depth > MOST_DEPTH) return true;
  }
  return false;
}

/** The place of the closing quote; the end of the text where there is none. */
function endOfString(text: string, start: number): number {
  for (let at = start + 1; at < text.length; at += 1) {
    if (text[at] === '\\') at += 1;
    else if (text[at] === '"') return at;
  }
  return text.length;
}
