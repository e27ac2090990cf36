import type { Random } from '../seeded-random.ts';
import type { Scheduler } from './scheduler.ts';

/** One process in the model: what it does takes time, and it can be killed or stopped between any two effects. */
export class Node {
  readonly name: string;
  alive = true;
  #paused = false;
  #held: (() => void)[] = [];
  readonly #scheduler: Scheduler;
  readonly #random: Random;

  constructor(name: string, { scheduler, random }: { readonly scheduler: Scheduler; readonly random: Random }) {
    this.name = name;
    this.#scheduler = scheduler;
    this.#random = random;
  }

  /** An effect: it happens after a while, and its answer comes after another. Nothing comes back to a killed one. */
  io<Result>(effect: () => Result): Promise<Result> {
    return new Promise((resolve, reject) => {
      this.after(this.#random.next() * 5, () => {
        const answer = attempt(effect);
        this.after(this.#random.next() * 5, () => (answer.failed ? reject(answer.error) : resolve(answer.result)));
      });
    });
  }

  after(ms: number, run: () => void): () => void {
    return this.#scheduler.after(ms, () => this.#enter(run));
  }

  kill(): void {
    this.alive = false;
    this.#held = [];
  }

  get paused(): boolean {
    return this.#paused;
  }

  pause(): void {
    this.#paused = true;
  }

  /** Everything that came due meanwhile comes now. */
  resume(): void {
    this.#paused = false;
    const held = this.#held;
    this.#held = [];
    for (const run of held) this.after(0, run);
  }

  #enter(run: () => void): void {
    if (!this.alive) return;
    if (this.#paused) this.#held.push(run);
    else run();
  }
}

type Answer<Result> = { readonly failed: false; readonly result: Result } | { readonly failed: true; readonly error: unknown };

function attempt<Result>(effect: () => Result): Answer<Result> {
  try {
    return { failed: false, result: effect() };
  } catch (error) {
    return { failed: true, error };
  }
}
