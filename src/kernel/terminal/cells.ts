const ASCII = /^[\x20-\x7e]*$/;
const WIDE = new RegExp(
  [
    '\\p{Extended_Pictographic}',
    '[\\u1100-\\u115f\\u2e80-\\ua4cf\\ua960-\\ua97f\\uac00-\\ud7a3\\uf900-\\ufaff]',
    '[\\ufe30-\\ufe6f\\uff00-\\uff60\\uffe0-\\uffe6]',
    '[\\u{16fe0}-\\u{18fff}\\u{1b000}-\\u{1b2ff}\\u{1f100}-\\u{1faff}\\u{20000}-\\u{3fffd}]',
  ].join('|'),
  'u',
);
const MARK = /^\p{M}$/u;

/** Columns that a text takes on a terminal; where terminals differ, the larger number, so that nothing wraps. */
export function cellsOf(text: string): number {
  if (ASCII.test(text)) return text.length;
  let cells = 0;
  for (const character of text) cells += cellsOfCharacter(character);
  return cells;
}

/** The longest beginning of `text` that fits `limit` columns, marked with dots when something was cut. */
export function cutToCells(text: string, limit: number): string {
  if (cellsOf(text) <= limit) return text;
  const dots = '.'.repeat(Math.min(3, Math.max(0, limit)));
  let kept = '';
  let room = limit - dots.length;
  for (const character of text) {
    room -= cellsOfCharacter(character);
    if (room < 0) break;
    kept += character;
  }
  return kept + dots;
}

function cellsOfCharacter(character: string): number {
  if (MARK.test(character)) return 0;
  return WIDE.test(character) ? 2 : 1;
}
