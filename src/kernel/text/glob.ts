import { matchesAll, MANY, type Wanted } from './wildcard.ts';

/** What one name of a path has to be, or any number of names. */
type GlobStep =
  | { readonly kind: 'name'; readonly name: string }
  | { readonly kind: 'pattern'; readonly matches: (name: string) => boolean }
  | { readonly kind: 'any-depth' };

export interface Glob {
  /** False for a plain path, which stands for itself. */
  readonly isGlob: boolean;
  /** How a sentence about a malformed pattern ends: `has a [ that is not closed`. Such a pattern matches nothing. */
  readonly fault: string | undefined;
  /** The folder below which everything lies that can match; empty where the first name is a pattern already. */
  readonly literalPrefix: string;
  /** For walks that look only where something can match. */
  readonly steps: readonly GlobStep[];
  /** Of a cleaned path from where the pattern starts. */
  matches(path: string): boolean;
}

const SPECIAL = /[*?[\\]/;

/**
 * Reads a pattern as Go's `filepath.Match` does, name by name, so that neither `*` nor a class crosses a slash; as an
 * addition a name that is `**` stands for any number of names, none included. A leading dot is a letter like others.
 *
 * @example
 * compileGlob('packages/*\/src/**').matches('packages/api/src/deep/a.ts'); // true
 */
export function compileGlob(pattern: string): Glob {
  const parsed = pattern.split('/').map(stepOf);
  const fault = parsed.find((step) => typeof step === 'string');
  const steps = parsed.filter((step) => typeof step !== 'string');
  const wanted = steps.map(wantedName);
  return {
    isGlob: SPECIAL.test(pattern),
    fault,
    literalPrefix: fault === undefined ? prefixOf(steps) : '',
    steps: fault === undefined ? steps : [],
    matches: (path) => fault === undefined && matchesAll(wanted, path.split('/')),
  };
}

function stepOf(name: string): GlobStep | string {
  if (name === '**') return { kind: 'any-depth' };
  if (!SPECIAL.test(name)) return { kind: 'name', name };
  const letters = lettersOf(name);
  if (typeof letters === 'string') return letters;
  const plain = letters.map((letter) => (typeof letter === 'object' ? letter.literal : undefined));
  if (plain.every((letter) => letter !== undefined)) return { kind: 'name', name: plain.join('') };
  const wanted = letters.map(wantedLetter);
  return { kind: 'pattern', matches: (text) => matchesAll(wanted, [...text]) };
}

function wantedName(step: GlobStep): Wanted<string> {
  if (step.kind === 'any-depth') return MANY;
  return step.kind === 'name' ? (name) => name === step.name : step.matches;
}

function prefixOf(steps: readonly GlobStep[]): string {
  const names = steps.map((step) => (step.kind === 'name' ? step.name : undefined));
  const end = names.indexOf(undefined);
  // Of a plain path the last name is what is sought, not where.
  return names.slice(0, end < 0 ? -1 : end).join('/');
}

type Letter = { readonly literal: string } | Wanted<string>;

function wantedLetter(letter: Letter): Wanted<string> {
  return typeof letter === 'object' ? (text) => text === letter.literal : letter;
}

/** A text for a fault. */
function lettersOf(name: string): readonly Letter[] | string {
  const text = [...name];
  const letters: Letter[] = [];
  for (let at = 0; at < text.length; ) {
    const read = letterAt(text, at);
    if (typeof read === 'string') return read;
    letters.push(read.letter);
    at = read.end;
  }
  return letters;
}

function letterAt(text: readonly string[], at: number): { readonly letter: Letter; readonly end: number } | string {
  const letter = text[at] ?? '';
  if (letter === '*') return { letter: MANY, end: at + 1 };
  if (letter === '?') return { letter: () => true, end: at + 1 };
  if (letter === '[') return classAt(text, at + 1);
  if (letter !== '\\') return { letter: { literal: letter }, end: at + 1 };
  const escaped = text[at + 1];
  return escaped === undefined ? 'has a backslash that escapes nothing' : { letter: { literal: escaped }, end: at + 2 };
}

interface LetterRange {
  readonly from: number;
  readonly to: number;
}

/** What follows a `[`. */
function classAt(text: readonly string[], start: number): { readonly letter: Wanted<string>; readonly end: number } | string {
  const isNegated = text[start] === '^';
  const ranges: LetterRange[] = [];
  let at = isNegated ? start + 1 : start;
  while (text[at] !== ']' || ranges.length === 0) {
    const read = rangeAt(text, at);
    if (typeof read === 'string') return read;
    ranges.push(read.range);
    at = read.end;
  }
  return { letter: (letter) => isIn(ranges, letter) !== isNegated, end: at + 1 };
}

function rangeAt(text: readonly string[], at: number): { readonly range: LetterRange; readonly end: number } | string {
  const first = borderAt(text, at);
  if (typeof first === 'string') return first;
  const last = text[first.end] === '-' ? borderAt(text, first.end + 1) : first;
  if (typeof last === 'string') return last;
  return { range: { from: first.code, to: last.code }, end: last.end };
}

function borderAt(text: readonly string[], at: number): { readonly code: number; readonly end: number } | string {
  const letter = text[at];
  if (letter === '-' || letter === ']') return 'has a [ with a range that is empty or lacks an end';
  const isEscape = letter === '\\';
  const border = isEscape ? text[at + 1] : letter;
  if (border === undefined) return 'has a [ that is not closed';
  return { code: codeOf(border), end: at + (isEscape ? 2 : 1) };
}

function isIn(ranges: readonly LetterRange[], letter: string): boolean {
  const code = codeOf(letter);
  return ranges.some(({ from, to }) => from <= code && code <= to);
}

function codeOf(letter: string): number {
  return letter.codePointAt(0) ?? 0;
}
