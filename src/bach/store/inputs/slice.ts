/** How long the thread is kept at a stretch, in milliseconds; others on it wait no longer than this. */
const SLICE_MS = 15;

/**
 * Synchronous work that may wait in between: it yields what it waits for. A promise for each of ten thousand small steps
 * would take longer than the steps.
 */
export type Work<Result> = Generator<Promise<unknown>, Result, void>;

/** Does the work to its end. */
export async function done<Result>(work: Work<Result>): Promise<Result> {
  for (let step = work.next(); ; step = work.next()) {
    if (step.done === true) return step.value;
    await step.value;
  }
}

/** Waits for a promise within work. */
export function* awaited<Value>(promise: Promise<Value>): Work<Value> {
  const values: Value[] = [];
  yield promise.then((value) => values.push(value));
  return values[0] as Value;
}

/** Lets long synchronous work give way: `if (slice.isOver()) await slice.rest()`. */
export class Slice {
  readonly #clock: { mono(): number };
  readonly #signal: AbortSignal | undefined;
  #began: number;

  constructor(clock: { mono(): number }, signal?: AbortSignal) {
    this.#clock = clock;
    this.#signal = signal;
    this.#began = clock.mono();
  }

  isOver(): boolean {
    return this.#clock.mono() - this.#began >= SLICE_MS;
  }

  /** What `rest` rejected with is no fault of what was worked on. */
  isStop(error: unknown): boolean {
    return this.#signal?.aborted === true && error === this.#signal.reason;
  }

  /** Rejects with the reason of the signal. */
  async rest(): Promise<void> {
    this.#signal?.throwIfAborted();
    await new Promise<void>((resume) => setImmediate(resume));
    this.#signal?.throwIfAborted();
    this.#began = this.#clock.mono();
  }
}
