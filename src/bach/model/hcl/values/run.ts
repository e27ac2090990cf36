import type { Expression, Span } from '../ast.ts';
import type { SpanDiagnostic } from '../diagnostic.ts';
import type { Scope } from './scope.ts';
import type { UnknownValue, Value } from './value.ts';

export interface Evaluation {
  /** Unknown, or unknown in part, where a diagnostic says why. */
  readonly value: Value;
  readonly diagnostics: readonly SpanDiagnostic[];
}

/** What is said about a span: `summary` in the key words of HCL, `detail` a clause that names the value met. */
export interface Finding {
  readonly summary: string;
  readonly detail: string;
}

/** One evaluation in progress: each rule evaluates its parts and reports through it. */
export interface Run {
  value(expression: Expression, scope: Scope): Value;
  /** Reports an error, once for each span and summary, and gives the value that stands in. */
  fail(span: Span, finding: Finding): UnknownValue;
  /** Evaluates without a report: for a branch that is not taken. */
  silently(expression: Expression, scope: Scope): Value;
}
