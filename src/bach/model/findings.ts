import type { Diagnostic, Range } from '../../kernel/text/index.ts';
import type { Span, SpanDiagnostic } from './hcl/index.ts';
import type { Place, Sources } from './sources.ts';

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

/** A diagnostic with the offset that gives it its place among those of all files. */
export interface Finding {
  readonly diagnostic: Diagnostic;
  readonly offset: number;
}

/** An option of the command line names what no block declares. */
export interface Misnamed {
  readonly option: '--profile' | '--var';
  readonly message: string;
  /** What there is to name, in the order of the file. */
  readonly declared: readonly string[];
}

/** Collects what is wrong with the files of a project, each finding with its true range. */
export class Findings {
  readonly #sources: Sources;
  readonly #found: Finding[];
  readonly #misnamed = new Map<string, Misnamed>();

  /** `earlier` are what was found in the same files before. */
  constructor(sources: Sources, earlier: readonly Finding[] = []) {
    this.#sources = sources;
    this.#found = [...earlier];
  }

  /** No fault of a file, so that it has no place in one. */
  get misnamed(): readonly Misnamed[] {
    return [...this.#misnamed.values()];
  }

  get all(): readonly Finding[] {
    return this.#found;
  }

  /** In the order of the files, the Bachfile first. */
  get diagnostics(): readonly Diagnostic[] {
    return this.#found.toSorted((a, b) => a.offset - b.offset).map(({ diagnostic }) => diagnostic);
  }

  get hasErrors(): boolean {
    return this.#found.some(({ diagnostic }) => diagnostic.severity === 'error');
  }

  /** An error that begins in the span or right behind it, where something was expected. */
  hasErrorsIn({ start, end }: Span): boolean {
    return this.#found.some(({ diagnostic, offset }) => diagnostic.severity === 'error' && offset >= start && offset <= end);
  }

  placeOf(span: Span): Place {
    return this.#sources.place(span);
  }

  rangeOf(span: Span): Range {
    return this.#sources.place(span).range;
  }

  fileAt(offset: number): string {
    return this.#sources.fileAt(offset);
  }

  /** A rule of bach that the file breaks. */
  error(span: Span, message: string): void {
    this.#add('error', span, { message, code: codeOf(message) });
  }

  misname(misnamed: Misnamed): void {
    this.#misnamed.set(misnamed.message, misnamed);
  }

  /** What may stand once stands at `first` already; a file other than that of `span` is named. */
  duplicate(span: Span, message: string, first: Span): void {
    const { file, range } = this.placeOf(first);
    const { line, column } = range.start;
    this.error(span, file === this.fileAt(span.start) ? message : `${message}: ${file}:${line}:${column} has it already`);
  }

  /** Something that is likely not meant. */
  warning(span: Span, message: string): void {
    this.#add('warning', span, { message, code: codeOf(message) });
  }

  /** What the parser found. */
  syntax(found: readonly SpanDiagnostic[]): void {
    for (const one of found) this.#hcl('parse', one);
  }

  /** What does not fit the schema, or what an expression could not give. */
  decode(found: SpanDiagnostic): void {
    this.#hcl('decode', found);
  }

  /** A variable or a key of an environment that has no value, since its expression names what is not there. */
  unresolved(subject: string, found: SpanDiagnostic): void {
    this.#hcl('decode', found, `${subject} could not be resolved: `);
  }

  #hcl(step: 'parse' | 'decode', { severity, summary, detail, span }: SpanDiagnostic, beginning = ''): void {
    const message = `${beginning}${step} ${this.#sources.fileAt(span.start)}: ${summary}; ${detail}`;
    this.#add(severity, span, { message, code: `hcl-${step}-error` });
  }

  #add(severity: Diagnostic['severity'], span: Span, told: Pick<Diagnostic, 'message' | 'code'>): void {
    const diagnostic = { severity, ...told, ...this.#sources.place(span) };
    this.#found.push({ diagnostic, offset: span.start });
  }
}

/** An error about a place whose range is known already. */
export function fileDiagnostic(file: string, range: Range, message: string): Diagnostic {
  return { severity: 'error', code: codeOf(message), message, file, range };
}

function codeOf(message: string): string {
  return CODES.find(([part]) => message.includes(part))?.[1] ?? 'bachfile-validation-error';
}
