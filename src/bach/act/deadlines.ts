import type { Clock } from '../../kernel/time/index.ts';

/** A timer takes no longer wait than 31 bits of milliseconds; a longer one is waited for in steps. */
export const LONGEST_WAIT_MS = 2 ** 31 - 1;

/** One that is found so late passed while we were suspended. */
const LATE_MS = 200;
/** Then what ended by itself meanwhile is heard of first. */
const HEARING_MS = 100;

/** Tells which deadlines have passed; those found together are told together. */
export class Deadlines {
  readonly #clock: Clock;
  readonly #passed: (names: readonly string[]) => void;
  readonly #due = new Map<string, number>();
  /** When what passed while we were suspended is told. */
  #heardAt: number | undefined;
  #timer: NodeJS.Timeout | undefined;

  constructor(clock: Clock, passed: (names: readonly string[]) => void) {
    this.#clock = clock;
    this.#passed = passed;
  }

  arm(name: string, milliseconds: number): void {
    this.#due.set(name, this.#clock.mono() + milliseconds);
    this.#wait();
  }

  disarm(name: string): void {
    this.#due.delete(name);
    this.#wait();
  }

  #wait(): void {
    clearTimeout(this.#timer);
    if (this.#due.size === 0) return;
    const left = Math.max(Math.min(...this.#due.values()), this.#heardAt ?? 0) - this.#clock.mono();
    this.#timer = setTimeout(() => this.#look(), Math.min(Math.max(0, Math.ceil(left)), LONGEST_WAIT_MS));
  }

  #look(): void {
    const now = this.#clock.mono();
    if (now - Math.min(...this.#due.values()) > LATE_MS) this.#heardAt ??= now + HEARING_MS;
    if (this.#heardAt !== undefined && now < this.#heardAt) return this.#wait();
    this.#heardAt = undefined;
    const names = [...this.#due].filter(([, due]) => due <= now).map(([name]) => name);
    for (const name of names) this.#due.delete(name);
    this.#wait();
    if (names.length > 0) this.#passed(names);
  }
}
