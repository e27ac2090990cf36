import type { Span } from '../ast.ts';
import type { SpanDiagnostic } from '../diagnostic.ts';

/** A text with more errors than this is not worth reading on: whoever reads the list mends the first ones. */
const MAX_DIAGNOSTICS = 100;

/**
 * Findings in the order of the reference parser: those about single characters first, then those about structure.
 * One place is reported once.
 */
export class DiagnosticList {
  readonly #found: SpanDiagnostic[] = [];
  readonly #starts = new Set<number>();
  #horizon = Number.POSITIVE_INFINITY;

  get all(): readonly SpanDiagnostic[] {
    return this.#found;
  }

  get isFull(): boolean {
    return this.#found.length >= MAX_DIAGNOSTICS;
  }

  add(summary: string, detail: string, { start, end }: Span): void {
    if (this.isFull || start >= this.#horizon || this.#starts.has(start)) return;
    this.#starts.add(start);
    this.#found.push({ severity: 'error', summary, detail, span: { start, end } });
  }

  /** Takes nothing more from `offset` on. */
  closeFrom(offset: number): void {
    this.#horizon = Math.min(this.#horizon, offset);
  }
}
