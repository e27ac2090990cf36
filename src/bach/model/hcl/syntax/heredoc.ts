import { trimLeading } from './characters.ts';
import type { Piece, TextPiece } from './template-pieces.ts';

/**
 * Takes from every line of a `<<-` heredoc the indentation that all of them share. A line of white space alone has
 * no say and keeps its own; a line that starts with a sequence has no indentation.
 */
export function trimIndentation(pieces: readonly Piece[]): readonly Piece[] {
  const starts = lineStarts(pieces).filter((piece) => !isBlankLine(piece));
  const shared = starts.map(indentation).reduce((least, next) => Math.min(least, next), Number.POSITIVE_INFINITY);
  const indented = new Set<Piece>(starts);
  return pieces.map((piece) => (piece.kind === 'text' && indented.has(piece) ? without(piece, shared) : piece));
}

/** The first piece of each line. */
function lineStarts(pieces: readonly Piece[]): readonly Piece[] {
  return pieces.filter((_, index) => {
    const before = pieces[index - 1];
    return before === undefined || (before.kind === 'text' && before.value.endsWith('\n'));
  });
}

function isBlankLine(piece: Piece): boolean {
  return piece.kind === 'text' && piece.value.endsWith('\n') && trimLeading(piece.value) === '';
}

function indentation(piece: Piece): number {
  return piece.kind === 'text' ? piece.value.length - trimLeading(piece.value).length : 0;
}

function without(piece: TextPiece, indent: number): TextPiece {
  return { ...piece, value: piece.value.slice(indent) };
}
