import { endOf, endOfRegularExpression, endOfString, endOfTemplatePart } from './endings.mjs';

/** After these words, unlike after a name, a value begins: a slash is no division, and a `<` begins markup. */
const BEFORE_VALUES = new Set(
  'await case default delete do else extends in instanceof new of return throw typeof void yield'.split(' '),
);
const BEFORE_CONDITIONS = new Set(['for', 'if', 'while', 'with']);
const WORD = /[\w$#@\u0080-\uffff]+/y;
const BLANKS = /[\0-\x20]+/y;
const MARKUP = /<(?:>|(?!const\b)[\w$\u0080-\uffff][\w$.:\u0080-\uffff-]*(?=[\s/<>{])(?!\s+extends\s)(?!\s*,))/y;
const MARKUP_TEXT = /[^<{]*/y;

/**
 * Reads a program word by word: `next()` moves on, `kind` and `value` tell what is there: a `word`, a `string` without
 * its quotes, a `mark` of one letter (or `...`), or the `end`. Comments, regular expressions, templates that hold values
 * and the text of JSX are passed over. It knows no more of the language than that, and refuses nothing.
 */
export class Lexer {
  kind = 'end';
  value = '';
  /** True for the name of a property. */
  isAfterDot = false;
  #text;
  #hasMarkup;
  #at;
  #isValueNext = true;
  #isConditionNext = false;
  /** What is open, by how it began: `{`, `(`, `if(`, a template's `${`, a tag `<`, or the inside of an element `<>`. */
  #open = [];
  /** Before here no regular expression ends, which spares looking for one at each slash of a long line. */
  #noExpressionBefore = 0;

  /** @param {{ hasMarkup: boolean }} language whether a `<` may begin JSX */
  constructor(text, { hasMarkup }) {
    this.#text = text;
    this.#hasMarkup = hasMarkup;
    this.#at = text.startsWith('#!') ? endOf('\n', text, 0) : 0;
  }

  /** Behind what `kind` and `value` tell. */
  get at() {
    return this.#at;
  }

  /** True within JSX, and at the end where something was taken for JSX that was none. */
  get isInMarkup() {
    return this.#open.some((open) => open === '<' || open === '<>');
  }

  next() {
    this.isAfterDot = this.kind === 'mark' && this.value === '.';
    this.kind = undefined;
    while (this.kind === undefined) this.#step();
  }

  /** Passes one thing, and says so in `kind` when it is one that a program is made of. */
  #step() {
    const letter = this.#text[this.#at];
    const inside = this.#open.at(-1);
    if (letter === undefined) this.#found('end', '');
    else if (inside === '<>') this.#insideElement();
    else if (letter <= ' ') this.#at = matchEnd(BLANKS, this.#text, this.#at);
    else if (letter === '/' && this.#isComment()) this.#comment();
    else if (inside === '<') this.#insideTag(letter);
    else this.#code(letter);
  }

  #code(letter) {
    if (letter === '"' || letter === "'") this.#string();
    else if (letter === '`') this.#template(this.#at + 1);
    else if (letter === '/') this.#slash();
    else if (letter === '<' && this.#beginsMarkup()) this.#begin('<', 1);
    else this.#wordOrMark(letter);
  }

  #found(kind, value) {
    this.kind = kind;
    this.value = value;
  }

  #begin(opener, length) {
    this.#open.push(opener);
    this.#isValueNext = true;
    this.#at += length;
  }

  #close(length) {
    this.#open.pop();
    this.#isValueNext = false;
    this.#at += length;
  }

  #isComment() {
    const second = this.#text[this.#at + 1];
    return second === '/' || second === '*';
  }

  #comment() {
    const closing = this.#text[this.#at + 1] === '*' ? '*/' : '\n';
    this.#at = endOf(closing, this.#text, this.#at + 2);
  }

  /** What does not end on its line is no text: the rest of the line is passed over. */
  #string() {
    const start = this.#at;
    const end = endOfString(this.#text, start);
    this.#at = end ?? endOf('\n', this.#text, start);
    this.#isValueNext = false;
    if (end !== undefined) this.#found('string', this.#text.slice(start + 1, end - 1));
  }

  /** From behind a backtick, or behind the brace that ends a value in it. */
  #template(start) {
    const isWhole = this.#text[start - 1] === '`';
    const end = endOfTemplatePart(this.#text, start);
    this.#at = end;
    if (this.#text[end - 1] === '{') return this.#begin('${', 0);
    this.#isValueNext = false;
    if (isWhole) this.#found('string', this.#text.slice(start, end - 1));
    return undefined;
  }

  #slash() {
    const isPossible = this.#isValueNext && this.#at >= this.#noExpressionBefore;
    const end = isPossible ? endOfRegularExpression(this.#text, this.#at) : undefined;
    if (isPossible && end === undefined) this.#noExpressionBefore = endOf('\n', this.#text, this.#at);
    if (end === undefined) return this.#mark('/');
    this.#at = end;
    this.#isValueNext = false;
    return undefined;
  }

  #wordOrMark(letter) {
    const end = matchEnd(WORD, this.#text, this.#at);
    if (end === undefined) return this.#mark(letter);
    this.#found('word', this.#text.slice(this.#at, end));
    this.#at = end;
    this.#isValueNext = !this.isAfterDot && BEFORE_VALUES.has(this.value);
    this.#isConditionNext = !this.isAfterDot && BEFORE_CONDITIONS.has(this.value);
    return undefined;
  }

  #mark(letter) {
    const isDots = letter === '.' && this.#text.startsWith('...', this.#at);
    const isStep = (letter === '+' || letter === '-') && this.#text[this.#at + 1] === letter;
    this.#found('mark', isDots ? '...' : letter);
    if (letter === '(') return this.#begin(this.#wasCondition() ? 'if(' : '(', 1);
    if (letter === '{') return this.#begin('{', 1);
    if (letter === ')' || letter === '}') return this.#closeMark(letter);
    // What follows `i++` is what would follow `i`.
    if (!isStep) this.#isValueNext = letter !== ']';
    this.#at += isDots ? 3 : 1 + Number(isStep);
    return undefined;
  }

  #wasCondition() {
    const was = this.#isConditionNext;
    this.#isConditionNext = false;
    return was;
  }

  #closeMark(letter) {
    const opener = this.#open.at(-1);
    if (letter === '}' && opener === '${') {
      this.#open.pop();
      this.kind = undefined;
      return this.#template(this.#at + 1);
    }
    const fits = letter === '}' ? opener === '{' : opener === '(' || opener === 'if(';
    if (fits) this.#open.pop();
    // Behind a block or a condition a statement begins.
    this.#isValueNext = letter === '}' || opener === 'if(';
    this.#at += 1;
    return undefined;
  }

  #beginsMarkup() {
    return this.#hasMarkup && this.#isValueNext && matchEnd(MARKUP, this.#text, this.#at) !== undefined;
  }

  /** Quotes in a tag know no escapes, and may hold line breaks; angles in it hold the arguments of a type. */
  #insideTag(letter) {
    if (letter === '{') this.#begin('{', 1);
    else if (letter === '<') this.#begin('<', 1);
    else if (letter === '"' || letter === "'") this.#at = endOf(letter, this.#text, this.#at + 1);
    else if (this.#text.startsWith('/>', this.#at)) this.#close(2);
    else if (letter !== '>') this.#at += 1;
    else if (this.#open.at(-2) === '<') this.#close(1);
    else this.#open[this.#open.length - 1] = this.#enterElement();
  }

  #enterElement() {
    this.#at += 1;
    return '<>';
  }

  #insideElement() {
    this.#at = matchEnd(MARKUP_TEXT, this.#text, this.#at) ?? this.#at;
    if (this.#text.startsWith('</', this.#at)) this.#close(endOf('>', this.#text, this.#at) - this.#at);
    else if (this.#at < this.#text.length) this.#begin(this.#text[this.#at], 1);
  }
}

function matchEnd(expression, text, at) {
  expression.lastIndex = at;
  return expression.test(text) ? expression.lastIndex : undefined;
}
