import { formatRfc3339 } from '../../kernel/time/index.ts';
import type { Output, VerbContext } from '../../kernel/terminal/index.ts';
import type { Clock } from '../../kernel/time/index.ts';

const NANOSECONDS_PER_SECOND = 1_000_000_000n;

/** The lines of one target on the terminal: `<UTC time> [<label>] <text>`. */
export class ProgressLines {
  readonly #out: Output;
  readonly #clock: Clock;
  readonly #label: string;
  #second = -1n;
  #stamp = '';

  constructor({ out, clock }: Pick<VerbContext, 'out' | 'clock'>, label: string) {
    this.#out = out;
    this.#clock = clock;
    this.#label = label;
  }

  /** A text of several lines becomes as many lines, each with its own beginning. */
  print(text: string): void {
    const beginning = `${this.#time()} [${this.#label}]`;
    for (const line of text.split('\n')) this.#out.line(beginning, line);
  }

  /** Written once a second, however many lines come. */
  #time(): string {
    const now = this.#clock.wall();
    const second = now / NANOSECONDS_PER_SECOND;
    if (second === this.#second) return this.#stamp;
    this.#second = second;
    this.#stamp = formatRfc3339(now);
    return this.#stamp;
  }
}
