import type { Dialect } from './store-contract.ts';

/**
 * What a store takes. Anything else could change the connection for those who use it next, end the transaction that it
 * stands in, or store less durably than was promised.
 */
const VERBS: Readonly<Record<Dialect, ReadonlySet<string>>> = {
  sqlite: new Set(['SELECT', 'VALUES', 'WITH', 'INSERT', 'UPDATE', 'DELETE', 'REPLACE']),
  postgres: new Set(['SELECT', 'VALUES', 'WITH', 'INSERT', 'UPDATE', 'DELETE', 'MERGE']),
};
const TABLE_VERBS = new Set(['CREATE', 'ALTER', 'DROP']);
const TABLE_THINGS = new Set(['TABLE', 'INDEX', 'VIEW']);
const TEMPORARY_PLACE = /^["`]?(TEMP|TEMPORARY|PG_TEMP\w*)["`]?$/;

/** Functions whose effect outlives the transaction in its connection. */
const SESSION_FUNCTION = /^["`]?(SET_CONFIG|SETSEED|PG_(TRY_)?ADVISORY_(LOCK|LOCK_SHARED|UNLOCK|UNLOCK_SHARED|UNLOCK_ALL))["`]?$/;

const CHANGING_VERBS = new Set(['INSERT', 'UPDATE', 'DELETE', 'REPLACE', 'MERGE']);
/** `replace` alone is a function as well. */
const CHANGING_BEHIND_WITH = new Set(['INSERT', 'UPDATE', 'DELETE', 'INTO']);
const INTO_VERBS = new Set(['INSERT', 'REPLACE', 'MERGE']);
/** `INSERT OR IGNORE INTO` */
const WORDS_BEFORE_INTO = 3;

/** Why a statement of these words, in capitals, is not sent, or `undefined`. */
export function problemOf(dialect: Dialect, words: readonly string[]): string | undefined {
  const [verb] = words;
  if (verb === undefined) return undefined;
  if (!VERBS[dialect].has(verb) && !isForTables(words)) return `it begins with ${begin(words)}, which a store does not take`;
  if (TABLE_VERBS.has(verb)) return TEMPORARY_PLACE.test(nameIn(words)) ? `its ${begin(words)} makes something that only one connection sees` : undefined;
  const session = words.find((word) => SESSION_FUNCTION.test(word));
  if (session !== undefined) return `${verb} uses ${session}, which outlives its transaction`;
  return makesTable(words) ? `${verb} INTO makes a table` : undefined;
}

/** Whether rows are changed by it, also where that stands behind a `WITH`. */
export function isChangingStatement(words: readonly string[]): boolean {
  const [verb = ''] = words;
  return CHANGING_VERBS.has(verb) || (verb === 'WITH' && words.some((word) => CHANGING_BEHIND_WITH.has(word)));
}

function isForTables([verb = '', second = '', third = '']: readonly string[]): boolean {
  const thing = verb === 'CREATE' && second === 'UNIQUE' ? third : second;
  return TABLE_VERBS.has(verb) && TABLE_THINGS.has(thing);
}

/** A verb alone would not tell `CREATE TABLE`, which is taken, from `CREATE TRIGGER`. */
function begin([verb = '', second = '']: readonly string[]): string {
  return TABLE_VERBS.has(verb) ? `${verb} ${second}`.trimEnd() : verb;
}

/** The name, or the schema in front of it, of what is created. */
function nameIn(words: readonly string[]): string {
  const rest = words.slice(words[1] === 'UNIQUE' ? 3 : 2);
  return (rest[0] === 'IF' ? rest[rest[1] === 'NOT' ? 3 : 2] : rest[0]) ?? '';
}

function makesTable(words: readonly string[]): boolean {
  return words.some((word, at) => word === 'INTO' && !words.slice(Math.max(0, at - WORDS_BEFORE_INTO), at).some((before) => INTO_VERBS.has(before)));
}
