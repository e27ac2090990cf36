import type { TemplatePart } from '../ast.ts';
import type { Parser } from './parser.ts';
import type { ForPiece, IfPiece, MarkerPiece, Piece } from './template-pieces.ts';
import { tokenKind, type Token } from './token.ts';

/** Matches the directives of a template; `end` is blamed for one that is never closed. */
export function buildParts(parser: Parser, pieces: readonly Piece[], end: Token): readonly TemplatePart[] {
  const builder = new TreeBuilder(parser, pieces, end);
  return builder.build();
}

interface Section {
  readonly parts: readonly TemplatePart[];
  /** The marker that ended the section; undefined at the end of the template. */
  readonly marker: MarkerPiece | undefined;
}

class TreeBuilder {
  readonly #parser: Parser;
  readonly #pieces: readonly Piece[];
  readonly #end: Token;
  #at = 0;

  constructor(parser: Parser, pieces: readonly Piece[], end: Token) {
    this.#parser = parser;
    this.#pieces = pieces;
    this.#end = end;
  }

  build(): readonly TemplatePart[] {
    const { parts, marker } = this.#section();
    if (marker !== undefined) this.#failMarker(marker, 'nothing that it could belong to is open');
    return parts;
  }

  /** Parts up to the next marker that belongs to no directive inside them. */
  #section(): Section {
    const parts: TemplatePart[] = [];
    for (let piece = this.#take(); piece !== undefined; piece = this.#take()) {
      if (isMarker(piece)) return { parts, marker: piece };
      const part = this.#part(piece);
      if (part !== undefined) parts.push(part);
    }
    return { parts, marker: undefined };
  }

  #take(): Piece | undefined {
    const piece = this.#pieces[this.#at];
    this.#at += 1;
    return piece;
  }

  #part(piece: Exclude<Piece, MarkerPiece>): TemplatePart | undefined {
    if (piece.kind === 'text') return piece.value === '' ? undefined : piece;
    if (piece.kind === 'interpolation') return piece;
    const opener = { kind: tokenKind.openDirective, start: piece.start, end: piece.end };
    return this.#parser.nested(opener, () => (piece.kind === 'if' ? this.#if(piece) : this.#for(piece)));
  }

  #if(piece: IfPiece): TemplatePart | undefined {
    const first = this.#section();
    const second = first.marker?.kind === 'else' ? this.#section() : { parts: [], marker: first.marker };
    const { marker } = second;
    if (marker?.kind !== 'endif') return this.#failMarker(marker, 'an endif must close the if directive');
    const { condition, start } = piece;
    return { kind: 'template-if', condition, whenTrue: first.parts, whenFalse: second.parts, start, end: marker.end };
  }

  #for(piece: ForPiece): TemplatePart | undefined {
    const { parts, marker } = this.#section();
    if (marker?.kind !== 'endfor') return this.#failMarker(marker, 'an endfor must close the for directive');
    return { kind: 'template-for', ...piece.header, body: parts, start: piece.start, end: marker.end };
  }

  #failMarker(marker: MarkerPiece | undefined, reason: string): undefined {
    if (marker === undefined) {
      this.#parser.fail('Unexpected end of template', `The template ends here, but ${reason}.`, this.#end);
      return undefined;
    }
    this.#parser.fail(`Unexpected ${marker.kind} directive`, `Found ${marker.kind}, but ${reason}.`, marker);
    return undefined;
  }
}

function isMarker(piece: Piece): piece is MarkerPiece {
  return piece.kind === 'else' || piece.kind === 'endif' || piece.kind === 'endfor';
}
