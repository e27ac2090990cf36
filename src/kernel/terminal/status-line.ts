import type { ProgressState } from './contract.ts';
import { statusText } from './status-text.ts';

const ERASE_ROW = '\r\x1b[K';
/** Kept free at the right: a terminal echoes `^C` there, and a full row would wrap. */
const FREE_COLUMNS = 3;
const DEFAULT_COLUMNS = 80;
const NEWLINE = 0x0a;

/** What the last row of the terminal shows, and the bytes that change it. */
export class StatusLine {
  readonly #now: () => number;
  readonly #columns: () => number | undefined;
  #state: ProgressState | undefined;
  #shown = '';
  #rowIsOpen = false;

  constructor({ now, columns }: { readonly now: () => number; readonly columns: () => number | undefined }) {
    this.#now = now;
    this.#columns = columns;
  }

  get active(): boolean {
    return this.#state !== undefined;
  }

  set(state: ProgressState | undefined): void {
    this.#state = state;
  }

  /** `body` above the status line, which is painted anew; nothing when the screen is already right. */
  painted(body: string): string {
    this.follow(body);
    return this.#change(body, this.#text());
  }

  /** `body` and no status line below it. */
  bare(body: string): string {
    this.follow(body);
    return this.#change(body, '');
  }

  /** Takes note of what reached the terminal: below a row that is not finished nothing may be painted. */
  follow(chunk: string | Uint8Array): void {
    if (chunk.length === 0) return;
    const end = typeof chunk === 'string' ? chunk.charCodeAt(chunk.length - 1) : chunk[chunk.length - 1];
    this.#rowIsOpen = end !== NEWLINE;
  }

  #text(): string {
    if (this.#state === undefined || this.#rowIsOpen) return '';
    const width = (this.#columns() ?? DEFAULT_COLUMNS) - FREE_COLUMNS;
    return statusText(this.#state, { now: this.#now(), width: Math.max(1, width) });
  }

  #change(body: string, next: string): string {
    if (body === '' && next === this.#shown) return '';
    const erase = this.#shown === '' ? '' : ERASE_ROW;
    this.#shown = next;
    return erase + body + next;
  }
}
