import type { Span } from './ast.ts';

/** A finding in one source text, still as offsets; the file's name and the line are added where it is shown. */
export interface SpanDiagnostic {
  readonly severity: 'error' | 'warning';
  /** A few words, with the key words of HCL: `Unsupported argument`. */
  readonly summary: string;
  /** One sentence that names the value met and what was expected. */
  readonly detail: string;
  readonly span: Span;
}
