import { isChangingStatement, problemOf } from './statement-rule.ts';
import type { Dialect } from './store-contract.ts';

/** What one statement is made of, as far as it matters for sending it. */
export interface ScannedStatement {
  /** As the database takes it: for PostgreSQL the placeholders are numbered. */
  readonly text: string;
  readonly parameters: number;
  /** Its first word in capitals, empty when there is none. */
  readonly verb: string;
  /** Whether it inserts, updates or deletes rows. */
  readonly isChanging: boolean;
  /** Why it cannot be sent. */
  readonly problem?: string;
}

const MAX_KNOWN = 1000;

const known: Readonly<Record<Dialect, Map<string, ScannedStatement>>> = { sqlite: new Map(), postgres: new Map() };

/** Looks at each text once; the stores of a program have a few hundred of them. */
export function scannedStatement(dialect: Dialect, sql: string): ScannedStatement {
  const found = known[dialect].get(sql);
  if (found !== undefined) return found;
  const scanned = scan(dialect, sql);
  if (known[dialect].size >= MAX_KNOWN) known[dialect].clear();
  known[dialect].set(sql, scanned);
  return scanned;
}

/**
 * What is skipped whole, since a `?` or `;` in it means nothing; each pattern is tried where the last one ended.
 * Both databases take every character past ASCII for a letter.
 */
const SHARED = {
  space: /\s+/y,
  lineComment: /--[^\n]*/y,
  string: /'(?:[^']|'')*'?/y,
  quotedName: /"(?:[^"]|"")*"?|`[^`]*`?/y,
  word: /[A-Za-z_\x80-\uffff][\w$\x80-\uffff]*/y,
  number: /\d[\w.\x80-\uffff]*/y,
} as const;

const ONLY_IN_POSTGRES = {
  escapeString: /[eE]'(?:[^'\\]|\\[^]|'')*'?/y,
  dollarString: /(\$(?:[A-Za-z_\x80-\uffff][\w\x80-\uffff]*)?\$)[^]*?(?:\1|$)/y,
} as const;

type Token = 'blank' | 'word' | 'other';

const QUOTED_NAME = /^["`]/;

interface Scan {
  readonly dialect: Dialect;
  readonly sql: string;
  text: string;
  parameters: number;
  /** In capitals; a quoted name with its quotes. */
  readonly words: string[];
  ended: boolean;
  problem?: string;
}

function scan(dialect: Dialect, sql: string): ScannedStatement {
  const state: Scan = { dialect, sql, text: '', parameters: 0, words: [], ended: false };
  for (let at = 0; at < sql.length; ) {
    const { token, end } = tokenAt(state, at);
    take(state, token, sql.slice(at, end));
    at = end;
  }
  const { text, parameters, words } = state;
  const problem = sql.includes('\0') ? 'it holds a NUL' : (state.problem ?? problemOf(dialect, words));
  const verb = words[0] ?? '';
  return { text, parameters, verb, isChanging: isChangingStatement(words), ...(problem === undefined ? {} : { problem }) };
}

function take(state: Scan, token: Token, part: string): void {
  const isPlaceholder = part === '?';
  if (isPlaceholder) state.parameters += 1;
  state.text += isPlaceholder && state.dialect === 'postgres' ? `$${state.parameters}` : part;
  if (token === 'blank') return;
  if (part === ';') {
    state.ended = true;
    return;
  }
  if (state.ended) state.problem ??= 'it holds more than one statement';
  if (token === 'word') state.words.push(part.toUpperCase());
  if (/^[?$:@]\w/.test(part)) state.problem ??= `a placeholder is a bare ?, not ${part}`;
}

function tokenAt({ dialect, sql }: Scan, at: number): { readonly token: Token; readonly end: number } {
  if (sql.startsWith('/*', at)) return { token: 'blank', end: endOfComment(dialect, sql, at) };
  for (const pattern of [SHARED.space, SHARED.lineComment]) {
    const end = endOf(pattern, sql, at);
    if (end !== undefined) return { token: 'blank', end };
  }
  for (const pattern of quotesOf(dialect)) {
    const end = endOf(pattern, sql, at);
    if (end !== undefined) return { token: QUOTED_NAME.test(sql.slice(at, end)) ? 'word' : 'other', end };
  }
  const end = endOf(SHARED.word, sql, at);
  if (end !== undefined) return { token: 'word', end };
  return { token: 'other', end: endOf(SHARED.number, sql, at) ?? endOfMark(sql, at) };
}

function quotesOf(dialect: Dialect): readonly RegExp[] {
  const shared = [SHARED.string, SHARED.quotedName];
  return dialect === 'postgres' ? [ONLY_IN_POSTGRES.escapeString, ONLY_IN_POSTGRES.dollarString, ...shared] : shared;
}

/** A mark with the name or number that makes it a placeholder of another style, or one sign; a cast `::type` is none. */
function endOfMark(sql: string, at: number): number {
  if (sql.startsWith('::', at)) return at + 2;
  return endOf(/\?\d+|[$:@][\w\x80-\uffff]+/y, sql, at) ?? at + 1;
}

/** PostgreSQL's comments nest, SQLite's end at the first end. */
function endOfComment(dialect: Dialect, sql: string, start: number): number {
  let depth = 0;
  for (const mark of sql.slice(start).matchAll(/\/\*|\*\//g)) {
    depth += mark[0] === '/*' ? 1 : -1;
    const isOver = depth === 0 || (dialect === 'sqlite' && mark[0] === '*/');
    if (isOver) return start + mark.index + 2;
  }
  return sql.length;
}

function endOf(pattern: RegExp, sql: string, at: number): number | undefined {
  pattern.lastIndex = at;
  return pattern.test(sql) ? pattern.lastIndex : undefined;
}
