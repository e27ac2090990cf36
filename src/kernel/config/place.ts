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
