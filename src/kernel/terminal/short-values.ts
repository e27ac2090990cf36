/** Longer ones tell nobody more, and push everything else off the screen. */
const LONGEST = 1000;
const HEAD = 400;
const TAIL = 100;

/**
 * A message with its values cut: what stands between double quotes, and words such as paths. For text that is masked
 * already: half a secret would not be known again.
 */
export function withShortValues(line: string): string {
  if (line.length <= LONGEST) return line;
  const pieces: string[] = [];
  const lastClosing = closingBefore(line, line.length);
  for (let at = 0; at < line.length; ) {
    const end = line[at] === '"' && at < lastClosing ? quotedEnd(line, at) : wordEnd(line, at, lastClosing);
    pieces.push(end - at > LONGEST ? cut(line.slice(at, end)) : line.slice(at, end));
    at = end;
  }
  return pieces.join('');
}

/** The last quote that may close something: a quote behind it is a character of a word. */
function closingBefore(line: string, before: number): number {
  let at = line.lastIndexOf('"', before);
  while (at > 0 && isEscaped(line, at)) at = line.lastIndexOf('"', at - 1);
  return at;
}

function quotedEnd(line: string, at: number): number {
  let end = line.indexOf('"', at + 1);
  while (isEscaped(line, end)) end = line.indexOf('"', end + 1);
  return end + 1;
}

function isEscaped(line: string, at: number): boolean {
  let backslashes = 0;
  while (line[at - 1 - backslashes] === '\\') backslashes += 1;
  return backslashes % 2 === 1;
}

/** One word or one gap. */
function wordEnd(line: string, at: number, lastClosing: number): number {
  const isGap = isSpace(line, at);
  let end = at + 1;
  while (end < line.length && (line[end] !== '"' || end > lastClosing) && isSpace(line, end) === isGap) end += 1;
  return end;
}

function isSpace(line: string, at: number): boolean {
  const unit = line[at];
  return unit === ' ' || unit === '\t' || unit === '\n';
}

function cut(value: string): string {
  const head = wholeUpTo(value, HEAD);
  const tail = wholeUpTo(value, value.length - TAIL);
  return `${value.slice(0, head)}… ${tail - head} more characters …${value.slice(tail)}`;
}

/** No character of two units is cut in half. */
function wholeUpTo(value: string, at: number): number {
  return (value.codePointAt(at - 1) ?? 0) > 0xffff ? at - 1 : at;
}
