/** Spaces before a description that stands below its term. */
const BELOW = 4;

/** No wider than people read. */
const WIDEST = 80;

/**
 * A help page for a terminal of so many columns: what is wider goes on below, and a description that has no room beside
 * its term stands under it. A word is never cut.
 */
export function fitPage(page: string, width: number | undefined): string {
  const columns = pageColumns(width);
  return page.split('\n').flatMap((row) => (row.length <= columns ? [row] : fitRow(row, columns))).join('\n');
}

/** Some pseudo terminals say that they have no columns at all. */
export function pageColumns(width: number | undefined): number {
  return width === undefined || width < 1 ? WIDEST : Math.min(width, WIDEST);
}

function fitRow(row: string, columns: number): readonly string[] {
  const [, indent = '', term = '', text] = /^( *)(.*?\S)(?: {2,}(\S.*))?$/.exec(row) ?? [];
  const hanging = ' '.repeat(Math.min(indent.length + BELOW, Math.max(0, columns - 1)));
  const terms = wrapped(term, { columns, first: indent, next: indent === '' ? '' : hanging });
  return text === undefined ? terms : [...terms, ...wrapped(text, { columns, first: hanging, next: hanging })];
}

interface Shape {
  readonly columns: number;
  readonly first: string;
  readonly next: string;
}

function wrapped(text: string, { columns, first, next }: Shape): readonly string[] {
  const rows: string[] = [];
  for (const word of text.split(/ +/)) {
    const last = rows.at(-1);
    if (last !== undefined && last.length + 1 + word.length <= columns) rows[rows.length - 1] = `${last} ${word}`;
    else rows.push(`${last === undefined ? first : next}${word}`);
  }
  return rows;
}
