import { tokenKind, type TokenKind } from './token.ts';

interface Spelling {
  readonly text: string;
  readonly kind: TokenKind;
}

/** Longest first among those that share a first character. */
const SPELLINGS: readonly Spelling[] = [
  { text: '...', kind: tokenKind.ellipsis },
  { text: '.', kind: tokenKind.dot },
  { text: '==', kind: tokenKind.doubleEqual },
  { text: '=>', kind: tokenKind.fatArrow },
  { text: '=', kind: tokenKind.equal },
  { text: '!=', kind: tokenKind.notEqual },
  { text: '!', kind: tokenKind.not },
  { text: '<=', kind: tokenKind.lessOrEqual },
  { text: '<', kind: tokenKind.less },
  { text: '>=', kind: tokenKind.greaterOrEqual },
  { text: '>', kind: tokenKind.greater },
  { text: '&&', kind: tokenKind.and },
  { text: '&', kind: tokenKind.bitwise },
  { text: '||', kind: tokenKind.or },
  { text: '|', kind: tokenKind.bitwise },
  { text: '^', kind: tokenKind.bitwise },
  { text: '~', kind: tokenKind.bitwise },
  { text: '::', kind: tokenKind.doubleColon },
  { text: ':', kind: tokenKind.colon },
  { text: ',', kind: tokenKind.comma },
  { text: '?', kind: tokenKind.question },
  { text: '+', kind: tokenKind.plus },
  { text: '-', kind: tokenKind.minus },
  { text: '*', kind: tokenKind.star },
  { text: '/', kind: tokenKind.slash },
  { text: '%', kind: tokenKind.percent },
  { text: '[', kind: tokenKind.openBracket },
  { text: ']', kind: tokenKind.closeBracket },
  { text: '(', kind: tokenKind.openParen },
  { text: ')', kind: tokenKind.closeParen },
  { text: '`', kind: tokenKind.backtick },
  { text: "'", kind: tokenKind.apostrophe },
  { text: ';', kind: tokenKind.semicolon },
];

const BY_FIRST_UNIT = grouped();

function grouped(): readonly (readonly Spelling[])[] {
  const table: Spelling[][] = Array.from({ length: 128 }, () => []);
  for (const spelling of SPELLINGS) table[spelling.text.charCodeAt(0)]?.push(spelling);
  return table;
}

/** The operator or mark that starts at `at`. */
export function operatorAt(text: string, at: number): Spelling | undefined {
  return BY_FIRST_UNIT[text.charCodeAt(at)]?.find((spelling) => text.startsWith(spelling.text, at));
}
