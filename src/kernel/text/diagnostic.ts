/** A place in a text: line and column count from 1, column in grapheme clusters, byte from 0 in UTF-8. */
export interface Position {
  readonly line: number;
  readonly column: number;
  readonly byte: number;
}

export interface Range {
  readonly start: Position;
  readonly end: Position;
}

export type Severity = 'error' | 'warning' | 'info' | 'hint';

/** One finding about a user's file. */
export interface Diagnostic {
  readonly severity: Severity;
  /** Kebab word, stable across releases. */
  readonly code: string;
  readonly message: string;
  /** The path as the user gave it. */
  readonly file: string;
  readonly range: Range;
}

/** `file:line:column: message`, the form that editors and problem matchers read. */
export function formatDiagnostic(diagnostic: Diagnostic): string {
  const { line, column } = diagnostic.range.start;
  return `${diagnostic.file}:${line}:${column}: ${diagnostic.message}`;
}
