import type { ToldLine } from '../store/index.ts';

/** Keeps what a run says of its targets, in order, so that a run that comes out the same can say it again. */
export class Transcript {
  readonly #lines: ToldLine[] = [];

  get lines(): readonly ToldLine[] {
    return this.#lines;
  }

  hear(label: string, line: string): void {
    this.#lines.push([label, line]);
  }
}
