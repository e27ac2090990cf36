import type { EnvironmentEntry } from './project.ts';

export type Dotenv =
  | { readonly entries: readonly EnvironmentEntry[] }
  | { readonly line: number; readonly message: string };

/**
 * Reads the text of an environment file: `KEY=value` lines, blank lines, `#` comments, an optional `export `,
 * values bare or in matching quotes, which are taken as they stand. The first bad line ends the reading.
 */
export function parseDotenv(text: string): Dotenv {
  const entries: EnvironmentEntry[] = [];
  const lines = text.replace(/^\uFEFF/, '').split(/\r?\n/);
  for (const [index, raw] of lines.entries()) {
    const parsed = parseLine(raw.trim());
    if (parsed === undefined) continue;
    if ('message' in parsed) return { line: index + 1, message: parsed.message };
    entries.push(parsed);
  }
  return { entries };
}

function parseLine(line: string): EnvironmentEntry | { readonly message: string } | undefined {
  if (line === '' || line.startsWith('#')) return undefined;
  const assignment = line.replace(/^export\s+/, '');
  const equals = assignment.indexOf('=');
  if (equals < 0) return { message: 'expected KEY=value' };
  const name = assignment.slice(0, equals).trim();
  if (name === '') return { message: 'empty key' };
  if (name.includes('\0') || assignment.includes('\0')) return { message: 'a NUL byte is not allowed' };
  const value = parseValue(assignment.slice(equals + 1).trim());
  return value === undefined ? { message: 'unterminated quoted value' } : { name, value };
}

function parseValue(text: string): string | undefined {
  const quote = text.charAt(0);
  if (quote === '"' || quote === "'") return quotedValue(text, quote);
  if (quote === '#') return '';
  const comment = text.indexOf(' #');
  return (comment < 0 ? text : text.slice(0, comment)).trim();
}

function quotedValue(text: string, quote: string): string | undefined {
  if (text.length > 1 && text.endsWith(quote)) return text.slice(1, -1);
  const close = text.indexOf(quote, 1);
  const followedByComment = close > 0 && /^\s+#/.test(text.slice(close + 1));
  return followedByComment ? text.slice(1, close) : undefined;
}
