import type { Expression, Span } from '../ast.ts';
import { BracketStack } from './brackets.ts';
import { checkCharacters } from './character-check.ts';
import { DiagnosticList } from './diagnostic-list.ts';
import { exceedsHeight } from './height.ts';
import { MAX_TOKENS } from './lexer.ts';
import { TokenReader } from './token-reader.ts';
import { tokenKind, type Token, type TokenKind, type TokenList } from './token.ts';

/** How many brackets, blocks and sequences may be open at once. The grammar recurses for nothing else. */
const MAX_NESTING = 200;

/** How tall one expression may stand with the links of its chains (`a.b.c`, `1 + 1 + 1`, `!!x`) counted. */
const MAX_HEIGHT = 1000;

const LONGEST_QUOTE = 20;

/** What the grammar functions share: the tokens, the findings, and the two bounds that make recursion safe. */
export class Parser {
  readonly text: string;
  readonly reader: TokenReader;
  readonly diagnostics = new DiagnosticList();
  readonly #parseExpression: (parser: Parser) => Expression;
  readonly #open = new BracketStack();
  #recovering = false;
  #links = 0;

  constructor(text: string, tokens: TokenList, parseExpression: (parser: Parser) => Expression) {
    this.text = text;
    this.reader = new TokenReader(tokens);
    this.#parseExpression = parseExpression;
    checkCharacters(text, tokens, this.diagnostics);
    if (tokens.cutAt !== undefined) this.#tooLong(tokens.cutAt);
  }

  /** True between a structural error and the end of its body item: what is met there is noise. */
  get recovering(): boolean {
    return this.#recovering;
  }

  /** One expression inside brackets that the caller has entered. */
  expression(): Expression {
    return this.#parseExpression(this);
  }

  /** One expression that stands for itself: its height is bounded, chains included. */
  wholeExpression(): Expression {
    return this.whole(() => this.#parseExpression(this));
  }

  /** Whatever `parse` reads, with its height bounded. */
  whole(parse: () => Expression): Expression {
    this.#links = 0;
    const expression = parse();
    // Each open bracket adds few levels, so only links can make a tree tall.
    if (this.#links < MAX_HEIGHT / 2) return expression;
    const place = exceedsHeight(expression, MAX_HEIGHT);
    if (place === undefined) return expression;
    this.note('Expression too deep', `An expression may be ${MAX_HEIGHT} levels deep; split this one.`, place);
    return { kind: 'invalid', start: expression.start, end: expression.end };
  }

  /** Counts one more link of a chain in the expression under way. */
  link(): void {
    this.#links += 1;
  }

  /**
   * Runs `inside` one level deeper. Past the limit it reports the opener, gives up on the rest of the text, so that
   * nothing more is reported, and returns undefined.
   */
  nested<Value>(opener: Token, inside: () => Value): Value | undefined {
    if (this.#open.depth >= MAX_NESTING) {
      const detail = `Brackets, blocks and sequences may be nested ${MAX_NESTING} deep; this one goes deeper.`;
      this.fail('Nesting too deep', detail, opener);
      this.reader.skipToEnd();
      return undefined;
    }
    this.#open.push(opener.kind);
    const value = inside();
    this.#open.pop();
    return value;
  }

  /** `nested`, where newlines are passed over or seen. */
  bracketed<Value>(opener: Token, newlines: 'seen' | 'passed-over', inside: () => Value): Value | undefined {
    return this.nested(opener, () => {
      this.reader.pushNewlines(newlines);
      const value = inside();
      this.reader.popNewlines();
      return value;
    });
  }

  /** An error after which the next tokens are not what they seem. */
  fail(summary: string, detail: string, place: Span): void {
    this.note(summary, detail, place);
    this.#recovering = true;
  }

  /** `fail` at a token that stands where something else must. */
  unexpected(met: Token, summary: string, expected: string): void {
    this.fail(summary, `Found ${this.describe(met)} where ${expected}.`, met);
  }

  /** An error that leaves the structure sound. */
  note(summary: string, detail: string, { start, end }: Span): void {
    if (this.#recovering) return;
    this.diagnostics.add(summary, detail, { start, end });
    if (this.diagnostics.isFull) this.reader.skipToEnd();
  }

  /** Where a text is read only in part, its structure cannot be judged. */
  #tooLong(start: number): void {
    const detail = `At most ${MAX_TOKENS} words and signs are read, and these end here; import the rest from other files.`;
    this.diagnostics.add('File too long', detail, { start, end: start + 1 });
    this.reader.skipToEnd();
  }

  skipPast(closer: TokenKind): void {
    this.reader.skipPast(closer, this.#open);
  }

  /** Leaves a broken body item. At the end of the file nothing is left to report, so recovery goes on. */
  skipItem(): void {
    this.reader.skipItem(this.#open);
    if (!this.reader.is(tokenKind.endOfFile)) this.#recovering = false;
  }

  /** How a message names a token. */
  describe(token: Token): string {
    if (token.kind === tokenKind.endOfFile) return 'the end of the file';
    if (token.kind === tokenKind.newline || token.kind === tokenKind.quotedNewline) return 'a newline';
    const written = this.text.slice(token.start, Math.min(token.end, token.start + LONGEST_QUOTE));
    return `"${written}"`;
  }
}
