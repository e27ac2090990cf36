import { Lexer } from './lexer.mjs';

/** Each form has one of these words in it. */
const MENTION = /\b(?:import|require|from)\b/g;

/**
 * The specifiers that a file names in `import`, `export from`, `import('...')` and `require('...')`, types included, in
 * the order of the file.
 *
 * @param {{ hasMarkup: boolean }} language whether the file may hold JSX
 * @example
 * specifiersIn("import a from './a.js'", { hasMarkup: false }); // ['./a.js']
 */
export function specifiersIn(text, { hasMarkup }) {
  const end = endOfLastMention(text);
  if (end === 0) return [];
  const lexer = new Lexer(text, { hasMarkup });
  const found = new Set();
  for (lexer.next(); lexer.kind !== 'end' && (lexer.at <= end || lexer.isInMarkup); ) {
    const specifier = specifierAt(lexer);
    if (specifier !== undefined) found.add(specifier);
  }
  // A type like `<T>(x: T) => T` looks like an element that never ends.
  if (lexer.isInMarkup) for (const specifier of specifiersIn(text, { hasMarkup: false })) found.add(specifier);
  return [...found];
}

/** What comes behind it need not be read. */
function endOfLastMention(text) {
  let end = 0;
  for (const { 0: word, index } of text.matchAll(MENTION)) end = index + word.length;
  return end;
}

/** Takes at least one word or mark, and no more than belongs to the import. */
function specifierAt(lexer) {
  const { kind, value, isAfterDot } = lexer;
  lexer.next();
  if (kind !== 'word' || isAfterDot) return undefined;
  if (value === 'import') return behindImport(lexer);
  if (value === 'export') return behindExport(lexer);
  return value === 'require' ? behindRequire(lexer) : undefined;
}

function behindImport(lexer) {
  if (lexer.kind === 'string') return taken(lexer);
  return isMark(lexer, '(') ? argument(lexer) : behindNames(lexer);
}

function behindExport(lexer) {
  if (isWord(lexer, 'type')) lexer.next();
  return isMark(lexer, '{') || isMark(lexer, '*') ? behindNames(lexer) : undefined;
}

/** `require.resolve` names a file as well. */
function behindRequire(lexer) {
  if (isMark(lexer, '.')) {
    lexer.next();
    if (!isWord(lexer, 'resolve')) return undefined;
    lexer.next();
  }
  return isMark(lexer, '(') ? argument(lexer) : undefined;
}

/** A text that is the whole first argument. */
function argument(lexer) {
  lexer.next();
  if (lexer.kind !== 'string') return undefined;
  const specifier = taken(lexer);
  return isMark(lexer, ')') || isMark(lexer, ',') ? specifier : undefined;
}

/** What stands behind the `from` that ends a list of names. */
function behindNames(lexer) {
  while (lexer.kind === 'word' || isMark(lexer, ',') || isMark(lexer, '*')) {
    const isFrom = isWord(lexer, 'from');
    lexer.next();
    if (isFrom && lexer.kind === 'string') return taken(lexer);
  }
  return isMark(lexer, '{') ? behindBraces(lexer) : undefined;
}

/** Any other word than `from` begins the next statement. */
function behindBraces(lexer) {
  do lexer.next();
  while (lexer.kind === 'word' || lexer.kind === 'string' || isMark(lexer, ','));
  if (!isMark(lexer, '}')) return undefined;
  lexer.next();
  if (!isWord(lexer, 'from')) return undefined;
  lexer.next();
  return lexer.kind === 'string' ? taken(lexer) : undefined;
}

function taken(lexer) {
  const { value } = lexer;
  lexer.next();
  return value;
}

function isMark(lexer, mark) {
  return lexer.kind === 'mark' && lexer.value === mark;
}

function isWord(lexer, word) {
  return lexer.kind === 'word' && lexer.value === word;
}
