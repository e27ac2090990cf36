import type { Range } from '../../kernel/text/index.ts';
import { SourceText, type Span } from './hcl/index.ts';

/** One of the files that make a project, in the row of all their texts. */
export interface Source {
  /** The path in messages. */
  readonly file: string;
  readonly text: string;
  /** Where its text begins in the row. */
  readonly base: number;
}

/** A place that a user can find. */
export interface Place {
  readonly file: string;
  readonly range: Range;
}

/**
 * The texts of a Bachfile and its imports in one row, so that a span of two offsets says which file it is in.
 * The end of one text and the start of the next are different offsets.
 */
export class Sources {
  readonly #sources: Source[] = [];
  readonly #texts: SourceText[] = [];

  constructor(sources: readonly Source[] = []) {
    for (const source of sources) this.#add(source);
  }

  get all(): readonly Source[] {
    return this.#sources;
  }

  /** Puts a text behind the others; what is told of it needs its base added to each offset. */
  append(file: string, text: string): Source {
    const last = this.#sources.at(-1);
    const source = { file, text, base: last === undefined ? 0 : last.base + last.text.length + 1 };
    this.#add(source);
    return source;
  }

  place(span: Span): Place {
    const index = this.#indexAt(span.start);
    const { file, base } = this.#sources[index] ?? { file: '', base: 0 };
    const text = this.#texts[index] ?? new SourceText('');
    return { file, range: text.range({ start: span.start - base, end: span.end - base }) };
  }

  fileAt(offset: number): string {
    return this.#sources[this.#indexAt(offset)]?.file ?? '';
  }

  #add(source: Source): void {
    this.#sources.push(source);
    this.#texts.push(new SourceText(source.text));
  }

  #indexAt(offset: number): number {
    let low = 0;
    let high = this.#sources.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((this.#sources[middle]?.base ?? 0) <= offset) low = middle;
      else high = middle - 1;
    }
    return low;
  }
}
