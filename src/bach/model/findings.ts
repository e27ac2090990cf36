import type { Diagnostic, Range } from '../../kernel/text/index.ts';
import type { SourceText, Span, SpanDiagnostic } from './hcl/index.ts';

/** Message parts that decide a finding's code; the first one met wins. */
const CODES: readonly (readonly [part: string, code: string])[] = [
  ['obsolete target reference', 'obsolete-target-reference'],
  ['unknown target', 'unknown-target-reference'],
  ['missing target', 'unknown-target-reference'],
  ['does not exist', 'unknown-target-reference'],
  ['duplicate target', 'duplicate-target'],
  ['duplicate alias', 'duplicate-alias'],
  ['duplicate input', 'duplicate-input'],
  ['missing project block', 'missing-project-block'],
  ['parse ', 'hcl-parse-error'],
  ['decode ', 'hcl-decode-error'],
];

/** Collects what is wrong with one file, each finding with its true range. */
export class Findings {
  /** The path as the user gave it. */
  readonly file: string;
  readonly #source: SourceText;
  readonly #diagnostics: Diagnostic[] = [];

  constructor(file: string, source: SourceText) {
    this.file = file;
    this.#source = source;
  }

  /** In the order of the file. */
  get diagnostics(): readonly Diagnostic[] {
    return this.#diagnostics.toSorted((a, b) => a.range.start.byte - b.range.start.byte);
  }

  get hasErrors(): boolean {
    return this.#diagnostics.some(({ severity }) => severity === 'error');
  }

  rangeOf(span: Span): Range {
    return this.#source.range(span);
  }

  /** A rule of bach that the file breaks. */
  error(span: Span, message: string): void {
    this.#add('error', span, message, codeOf(message));
  }

  /** A word of the language that this release does not know yet. */
  later(span: Span, word: string): void {
    this.#add('error', span, `${word} is not supported by this release of bach`, 'not-in-this-release');
  }

  /** What the parser found. */
  syntax(found: readonly SpanDiagnostic[]): void {
    for (const one of found) this.#add(one.severity, one.span, this.#hclText('parse', one), 'hcl-parse-error');
  }

  /** What does not fit the schema, or what an expression could not give. */
  decode(found: SpanDiagnostic): void {
    this.#add(found.severity, found.span, this.#hclText('decode', found), 'hcl-decode-error');
  }

  #hclText(step: 'parse' | 'decode', { summary, detail }: SpanDiagnostic): string {
    return `${step} ${this.file}: ${summary}; ${detail}`;
  }

  #add(severity: Diagnostic['severity'], span: Span, message: string, code: string): void {
    this.#diagnostics.push({ severity, code, message, file: this.file, range: this.#source.range(span) });
  }
}

/** An error about a place whose range is known already. */
export function fileDiagnostic(file: string, range: Range, message: string): Diagnostic {
  return { severity: 'error', code: codeOf(message), message, file, range };
}

function codeOf(message: string): string {
  return CODES.find(([part]) => message.includes(part))?.[1] ?? 'bachfile-validation-error';
}
