import type { Timers } from './ports.ts';

/** Brings what happens beside the loop into it: posts are kept in their order, a wake-up only ends a wait. */
export class Mailbox<Item> {
  readonly #timers: Timers;
  #items: Item[] = [];
  #woken = false;
  #resume: (() => void) | undefined;

  constructor(timers: Timers) {
    this.#timers = timers;
  }

  post(item: Item): void {
    this.#items.push(item);
    this.#resume?.();
  }

  wake(): void {
    this.#woken = true;
    this.#resume?.();
  }

  /** Takes the oldest item. */
  take(): Item | undefined {
    return this.#items.shift();
  }

  /** Resolves at once when something came since the last wait, else at the next post, wake-up, or after `ms`. */
  async wait(ms?: number): Promise<void> {
    if (this.#items.length === 0 && !this.#woken) await this.#arrival(ms);
    this.#woken = false;
  }

  #arrival(ms: number | undefined): Promise<void> {
    return new Promise((resolve) => {
      const resume = (): void => {
        this.#resume = undefined;
        cancel?.();
        resolve();
      };
      const cancel = ms === undefined ? undefined : this.#timers.after(ms, resume);
      this.#resume = resume;
    });
  }
}
