import type { Position, Range } from '../../../../kernel/text/index.ts';
import type { Span } from '../ast.ts';
import { clusterStarts, lastAtMost, LineTable } from './line-table.ts';

const BYTE_ORDER_MARK = 0xfeff;

/** The columns of the line that was asked for last; undefined starts mean that every unit is a column. */
interface Columns {
  readonly line: number;
  readonly starts: Uint32Array | undefined;
}

/**
 * One text and the places in it. Offsets count UTF-16 units; positions count lines and grapheme clusters from 1 and
 * bytes of UTF-8 from 0. A byte-order mark takes bytes but no column. Tables are made when a place is asked for.
 *
 * @example
 * new SourceText('a = é').position(5); // { line: 1, column: 6, byte: 6 }
 */
export class SourceText {
  readonly text: string;
  #lines: LineTable | undefined;
  #columns: Columns | undefined;

  constructor(text: string) {
    this.text = text;
  }

  range({ start, end }: Span): Range {
    return { start: this.position(start), end: this.position(end) };
  }

  /** The place of an offset; one outside the text is taken to its nearest end. */
  position(offset: number): Position {
    const inside = Math.max(0, Math.min(offset, this.text.length));
    this.#lines ??= new LineTable(this.text);
    const line = this.#lines.lineAt(inside);
    const within = inside - this.#lines.start(line);
    const column = this.#column(this.#lines, line, within) - (line === 0 ? this.#markColumns(inside) : 0);
    return { line: line + 1, column, byte: this.#lines.byte(line, inside) };
  }

  #markColumns(offset: number): number {
    return offset > 0 && this.text.charCodeAt(0) === BYTE_ORDER_MARK ? 1 : 0;
  }

  #column(lines: LineTable, line: number, within: number): number {
    if (this.#columns?.line !== line) this.#columns = { line, starts: clusterStarts(lines.lineText(line)) };
    const { starts } = this.#columns;
    if (starts === undefined) return within + 1;
    const cluster = lastAtMost(starts, within);
    // A token may start within a cluster, such as a combining mark behind a quote: what stands before it counts.
    return starts[cluster] === within ? cluster + 1 : cluster + 2;
  }
}
