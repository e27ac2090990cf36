import type { Expression, Span } from '../ast.ts';
import { code, normalized, trimLeading, trimTrailing } from './characters.ts';
import { parseForHeader, type ForHeader } from './for.ts';
import type { Parser } from './parser.ts';
import { decodePlain, decodeQuoted } from './text-literal.ts';
import { tokenKind, type Token, type TokenKind } from './token.ts';

/** A template as it is written, one piece behind the other; directives are not yet matched. */
export type Piece = TextPiece | InterpolationPiece | IfPiece | ForPiece | MarkerPiece;

export interface TextPiece extends Span {
  readonly kind: 'text';
  readonly value: string;
}

interface InterpolationPiece extends Span {
  readonly kind: 'interpolation';
  readonly expression: Expression;
}

export interface IfPiece extends Span {
  readonly kind: 'if';
  readonly condition: Expression;
}

export interface ForPiece extends Span {
  readonly kind: 'for';
  readonly header: ForHeader;
}

export interface MarkerPiece extends Span {
  readonly kind: 'else' | 'endif' | 'endfor';
}

type Unplaced<Placed extends Span> = Omit<Placed, keyof Span>;

interface Shape {
  readonly closer: TokenKind;
  readonly quoted: boolean;
}

interface Template {
  readonly pieces: readonly Piece[];
  /** The closing mark, or where it was missed. */
  readonly end: Token;
}

/** Reads up to and past `closer`, with strip markers applied. */
export function readPieces(parser: Parser, shape: Shape): Template {
  return new PieceReader(parser, shape).read();
}

class PieceReader {
  readonly #parser: Parser;
  readonly #shape: Shape;
  readonly #first: Token;
  readonly #pieces: Piece[] = [];
  #stripNext = false;

  constructor(parser: Parser, shape: Shape) {
    this.#parser = parser;
    this.#shape = shape;
    this.#first = parser.reader.peek();
  }

  read(): Template {
    const { reader } = this.#parser;
    for (;;) {
      if (reader.is(this.#shape.closer)) return { pieces: this.#pieces, end: reader.take() };
      if (reader.is(tokenKind.text)) this.#readText(reader.take());
      else if (opensSequence(reader.kind)) this.#readSequence(reader.take());
      else return this.#giveUp();
    }
  }

  #giveUp(): Template {
    const end = this.#parser.reader.peek();
    this.#parser.unexpected(end, 'Unterminated template string', `the string's closing mark is expected`);
    this.#parser.skipPast(this.#shape.closer);
    return { pieces: this.#pieces, end };
  }

  #readText(token: Token): void {
    const decode = this.#shape.quoted ? decodeQuoted : decodePlain;
    const text = normalized(decode(this.#parser, token));
    const value = this.#stripNext ? trimLeading(text) : text;
    this.#stripNext = false;
    this.#pieces.push({ kind: 'text', value, start: token.start, end: token.end });
  }

  #readSequence(open: Token): void {
    this.#stripNext = false;
    if (open.end - open.start === 3) this.#stripPrevious();
    const piece = this.#parser.bracketed(open, 'passed-over', () =>
      open.kind === tokenKind.openInterpolation ? this.#readInterpolation(open) : this.#readDirective(open),
    );
    if (piece !== undefined) this.#pieces.push(piece);
  }

  /** Strips the text token right before the sequence; in a heredoc that is at most back to the line's start. */
  #stripPrevious(): void {
    const previous = this.#pieces.at(-1);
    if (previous?.kind !== 'text') return;
    this.#pieces.splice(-1, 1, { ...previous, value: trimTrailing(previous.value) });
  }

  #readInterpolation(open: Token): Piece {
    const expression = this.#parser.expression();
    const end = this.#close((met) => this.#failInterpolation(met));
    return { kind: 'interpolation', expression, start: open.start, end };
  }

  /** A quote in the place of the brace means that the brace was forgotten; the template's start is blamed then. */
  #failInterpolation(met: Token): void {
    const quote = met.kind === tokenKind.closeQuote || met.kind === tokenKind.openQuote;
    if (met.kind === tokenKind.endOfFile || (quote && this.#shape.closer === tokenKind.closeQuote)) {
      const detail = `Found ${this.#parser.describe(met)} before the "}" of a "\${" in this template.`;
      this.#parser.fail('Unclosed template interpolation sequence', detail, this.#first);
      return;
    }
    const expected = `"}" is expected; write "$\${" to mean "\${" literally`;
    this.#parser.unexpected(met, 'Extra characters after interpolation expression', expected);
  }

  #readDirective(open: Token): Piece | undefined {
    const { reader, text } = this.#parser;
    const met = reader.peek();
    const keyword = text.slice(met.start, met.end);
    if (met.kind === tokenKind.identifier) reader.take();
    const directive = met.kind === tokenKind.identifier ? this.#directive(keyword) : undefined;
    if (directive === undefined) this.#failKeyword(met);
    const end = this.#close((extra) => this.#failDirectiveEnd(keyword, extra));
    return directive === undefined ? undefined : { ...directive, start: open.start, end };
  }

  /** What stands between `%{` and `}`. */
  #directive(keyword: string): Unplaced<IfPiece> | Unplaced<ForPiece> | Unplaced<MarkerPiece> | undefined {
    if (keyword === 'if') return { kind: keyword, condition: this.#parser.expression() };
    if (keyword === 'else' || keyword === 'endif' || keyword === 'endfor') return { kind: keyword };
    if (keyword !== 'for') return undefined;
    const header = parseForHeader(this.#parser, 'directive');
    return header === undefined ? undefined : { kind: keyword, header };
  }

  #failKeyword(met: Token): void {
    const isWord = met.kind === tokenKind.identifier;
    const summary = isWord ? 'Invalid template control keyword' : 'Invalid template directive';
    this.#parser.unexpected(met, summary, 'if, else, endif, for or endfor must follow "%{"');
  }

  #failDirectiveEnd(keyword: string, met: Token): void {
    this.#parser.unexpected(met, `Extra characters in ${keyword} marker`, `"}" must end the ${keyword} directive`);
  }

  /** Takes the `}` or `~}` of a sequence and returns where it ends. */
  #close(fail: (met: Token) => void): number {
    const { reader, text } = this.#parser;
    const close = reader.peek();
    if (!this.#parser.recovering && close.kind !== tokenKind.closeSequence) fail(close);
    if (this.#parser.recovering) {
      this.#parser.skipPast(tokenKind.closeSequence);
      return reader.previousEnd;
    }
    this.#stripNext = text.charCodeAt(close.start) === code.tilde;
    return reader.take().end;
  }
}

function opensSequence(kind: TokenKind): boolean {
  return kind === tokenKind.openInterpolation || kind === tokenKind.openDirective;
}
