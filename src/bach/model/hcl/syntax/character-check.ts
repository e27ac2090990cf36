import type { DiagnosticList } from './diagnostic-list.ts';
import { tokenKind, type TokenKind, type TokenList } from './token.ts';

const VISIBLE = /^[\p{L}\p{N}\p{P}\p{S}]$/u;

interface Complaint {
  readonly summary: string;
  readonly detail: (met: string) => string;
}

const COMPLAINTS: ReadonlyMap<TokenKind, Complaint> = new Map<TokenKind, Complaint>([
  [
    tokenKind.bitwise,
    {
      summary: 'Unsupported operator',
      detail: (met) => `There are no bitwise operators, so "${met}" has no meaning.${logical(met)}`,
    },
  ],
  [
    tokenKind.backtick,
    {
      summary: 'Invalid character',
      detail: () => 'A backtick quotes nothing; a text over several lines is a heredoc such as <<EOT.',
    },
  ],
  [
    tokenKind.apostrophe,
    {
      summary: 'Invalid character',
      detail: () => 'An apostrophe quotes nothing; strings stand in double quotes (").',
    },
  ],
  [
    tokenKind.semicolon,
    {
      summary: 'Invalid character',
      detail: () => 'A semicolon separates nothing; arguments and blocks end with a newline, items with a comma.',
    },
  ],
  [tokenKind.invalid, { summary: 'Invalid character', detail: invalidCharacter }],
  [
    tokenKind.quotedNewline,
    {
      summary: 'Invalid multi-line string',
      detail: () => 'A quoted string ends on its line; write \\n for a newline, or a heredoc such as <<EOT.',
    },
  ],
]);

/** Reports tokens that no program may hold, once for each spelling. */
export function checkCharacters(text: string, tokens: TokenList, diagnostics: DiagnosticList): void {
  const told = new Set<string>();
  for (let index = 0; index < tokens.length && !diagnostics.isFull; index += 1) {
    const complaint = COMPLAINTS.get(tokens.kind(index));
    if (complaint === undefined) continue;
    const token = tokens.at(index);
    const met = text.slice(token.start, token.end);
    if (told.has(met)) continue;
    told.add(met);
    diagnostics.add(complaint.summary, complaint.detail(met), token);
    // Behind a quote that its line does not close, every later quote is taken for its opposite.
    if (token.kind === tokenKind.quotedNewline) return diagnostics.closeFrom(token.start + 1);
  }
}

function logical(met: string): string {
  return met === '&' || met === '|' ? ` Logic is written "${met}${met}".` : '';
}

function invalidCharacter(met: string): string {
  if (met === '\u201c' || met === '\u201d') return 'Curly quotes quote nothing; strings stand in straight ones (").';
  if (met === '\\') return 'A backslash must be followed by the character that it escapes.';
  return `The character ${named(met)} has no meaning here.`;
}

/** Characters that a terminal cannot show are named by their code point. */
function named(met: string): string {
  const point = met.codePointAt(0) ?? 0;
  const character = String.fromCodePoint(point);
  const hex = `U+${point.toString(16).toUpperCase().padStart(4, '0')}`;
  return VISIBLE.test(character) ? `"${character}" (${hex})` : hex;
}
