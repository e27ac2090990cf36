import { attributeOf } from './block-reader.ts';
import { readTimeout } from './durations.ts';
import { booleanOf, placedStringsOf, stringOf, stringsOf, type PlacedText, type Reading } from './expressions.ts';
import type { Findings } from './findings.ts';
import type { Attribute, Block, Scope, Span } from './hcl/index.ts';

export interface AttributeScope {
  /** What attributes may name. */
  readonly general: Scope;
  readonly findings: Findings;
}

/** Reads the attributes of one block. What is not set, null or faulty is empty; faults are told. */
export class AttributeReader {
  readonly block: Block;
  /** Begins each message: `target "shell/test"`. */
  readonly subject: string;
  readonly #scope: AttributeScope;

  constructor(block: Block, subject: string, scope: AttributeScope) {
    this.block = block;
    this.subject = subject;
    this.#scope = scope;
  }

  /** Null means that it is not set. */
  given(name: string): Attribute | undefined {
    const found = attributeOf(this.block.body, name);
    return found?.expression.kind === 'null' ? undefined : found;
  }

  text(name: string): string {
    const found = this.given(name);
    return found === undefined ? '' : (stringOf(found.expression, this.reading(name)) ?? '');
  }

  flag(name: string): boolean {
    const found = this.given(name);
    return found !== undefined && booleanOf(found.expression, this.reading(name)) === true;
  }

  words(name: string): readonly string[] {
    const found = this.given(name);
    return found === undefined ? [] : (stringsOf(found.expression, this.reading(name)) ?? []);
  }

  /** As `words`, each with its place. */
  placedWords(name: string): readonly PlacedText[] {
    const found = this.given(name);
    return found === undefined ? [] : (placedStringsOf(found.expression, this.reading(name)) ?? []);
  }

  /** An argv; one that starts with an empty string is told. */
  argv(name: string): readonly [string, ...string[]] | undefined {
    const [program, ...rest] = this.words(name);
    if (program === undefined) return undefined;
    if (program !== '') return [program, ...rest];
    this.fault(this.placeOf(name), `${name} must not start with an empty string`);
    return undefined;
  }

  timeoutMs(): number | undefined {
    const text = this.text('timeout');
    if (text === '') return undefined;
    const read = readTimeout(text);
    if ('ms' in read) return read.ms;
    this.fault(this.placeOf('timeout'), read.fault);
    return undefined;
  }

  fault(span: Span, what: string): void {
    this.#scope.findings.error(span, `${this.subject} ${what}`);
  }

  /** Where a message about an attribute points, also about a missing one. */
  placeOf(name: string): Span {
    return this.given(name)?.expression ?? this.block.header;
  }

  reading(name: string): Reading {
    return { subject: `${this.subject} ${name}`, scope: this.#scope.general, findings: this.#scope.findings };
  }
}
