/** Line and column of a text, both from 1; the column counts grapheme clusters, as an editor does. */
export interface Place {
  readonly line: number;
  readonly column: number;
}

/** The same place as a person counts it, from one whose column counts UTF-16 units from 1. */
export function placeAt(text: string, { line, column }: Place): Place {
  const row = text.split('\n')[line - 1] ?? '';
  const clusters = new Intl.Segmenter('en', { granularity: 'grapheme' }).segment(row.slice(0, column - 1));
  return { line, column: [...clusters].length + 1 };
}

/** The place of a character, counted from 0 in UTF-16 units. */
export function placeOfIndex(text: string, index: number): Place {
  const before = text.slice(0, index).split('\n');
  return placeAt(text, { line: before.length, column: (before.at(-1) ?? '').length + 1 });
}
