import { formatRfc3339 } from '../../kernel/time/index.ts';
import type { Output, VerbContext } from '../../kernel/terminal/index.ts';
import type { Clock } from '../../kernel/time/index.ts';
import { targetLabel } from '../decide/index.ts';
import type { Target } from '../model/index.ts';
import type { RunContext } from './run-context.ts';

const NANOSECONDS_PER_SECOND = 1_000_000_000n;

export function progressLinesOf(target: Target, { verb, shown }: Pick<RunContext, 'verb' | 'shown'>): ProgressLines {
  return new ProgressLines(verb, targetLabel(target), { shown: isShown(target, shown) });
}

/** A quiet target tells the terminal nothing, unless everything is to be seen. */
export function isShown({ quiet }: Target, { verbose }: RunContext['shown']): boolean {
  return verbose || !quiet;
}

/** The lines of one target on the terminal: `<UTC time> [<label>] <text>`. */
export class ProgressLines {
  readonly #out: Output;
  readonly #clock: Clock;
  readonly #label: string;
  /** False for a target that tells its log alone. */
  readonly isShown: boolean;
  #second = -1n;
  #stamp = '';

  constructor({ out, clock }: Pick<VerbContext, 'out' | 'clock'>, label: string, { shown } = { shown: true }) {
    this.#out = out;
    this.#clock = clock;
    this.#label = label;
    this.isShown = shown;
  }

  /** A text of several lines becomes as many lines, each with its own beginning. */
  print(text: string): void {
    if (!this.isShown) return;
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
