/** How often the watch looks, at least, within the time that the main thread may be silent. */
const LOOKS = 8;
const LONGEST_STEP_MS = 1000;

/** Tells whether the main thread still has its turns, from the thread that renews its lease. */
export class MainWatch {
  /** How long to wait until the next look, in milliseconds. */
  readonly stepMs: number;
  readonly #hungAfterMs: number;
  #ticks: number;
  #lookedAt: number;
  #silentMs = 0;

  constructor({ hungAfterMs, ticks, nowMs }: { readonly hungAfterMs: number; readonly ticks: number; readonly nowMs: number }) {
    this.stepMs = Math.min(LONGEST_STEP_MS, hungAfterMs / LOOKS);
    this.#hungAfterMs = hungAfterMs;
    this.#ticks = ticks;
    this.#lookedAt = nowMs;
  }

  /** How long the main thread has been silent while this one was running. */
  get silentMs(): number {
    return this.#silentMs;
  }

  get isHung(): boolean {
    return this.#silentMs > this.#hungAfterMs;
  }

  /** `nowMs` by the monotonic hand. */
  look(ticks: number, nowMs: number): void {
    const passed = nowMs - this.#lookedAt;
    this.#lookedAt = nowMs;
    if (ticks === this.#ticks) {
      // A longer gap means that this thread did not run either: the process was stopped, and nobody hangs.
      this.#silentMs += Math.min(passed, this.stepMs * 2);
      return;
    }
    this.#ticks = ticks;
    this.#silentMs = 0;
  }
}
