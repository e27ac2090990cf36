import type { Clock, ClockEvent } from '../../../src/kernel/time/index.ts';

const WALL_START_MS = 1_700_000_000_000;
const NANOSECONDS = 1_000_000n;

interface Task {
  readonly at: number;
  readonly order: number;
  readonly run: () => void;
}

/** Time and what happens in it: tasks run in the order of their moments, one at a time, with nothing in between. */
export class Scheduler {
  #tasks: Task[] = [];
  #order = 0;
  #mono = 0;
  #sleptMs = 0;
  #steppedMs = 0;
  readonly #watchers = new Set<(event: ClockEvent) => void>();

  readonly clock: Clock = {
    wall: () => BigInt(Math.round(WALL_START_MS + this.#mono + this.#sleptMs + this.#steppedMs)) * NANOSECONDS,
    mono: () => this.#mono,
    boot: () => Math.round((this.#mono + this.#sleptMs) / 10) * 10,
  };

  /** Runs it `ms` later; the returned function prevents that. */
  after(ms: number, run: () => void): () => void {
    const task = { at: this.#mono + ms, order: this.#order, run };
    this.#order += 1;
    this.#tasks.push(task);
    return () => {
      this.#tasks = this.#tasks.filter((each) => each !== task);
    };
  }

  watchClock(watcher: (event: ClockEvent) => void): () => void {
    this.#watchers.add(watcher);
    return () => void this.#watchers.delete(watcher);
  }

  /** The machine sleeps: the boot hand and the wall go on, timers do not. */
  suspend(ms: number): void {
    this.#sleptMs += ms;
    for (const watcher of this.#watchers) watcher({ kind: 'suspended', ms });
  }

  /** Somebody sets the wall clock. */
  stepClock(ms: number): void {
    this.#steppedMs += ms;
    const direction = ms > 0 ? 'forward' : 'back';
    for (const watcher of this.#watchers) watcher({ kind: 'clock-stepped', ms: Math.abs(ms), direction });
  }

  /** Runs the next task and everything that follows from it at once; false when none is left. */
  async step(): Promise<boolean> {
    await settled();
    const task = this.#takeNext();
    if (task === undefined) return false;
    this.#mono = Math.max(this.#mono, task.at);
    task.run();
    await settled();
    return true;
  }

  #takeNext(): Task | undefined {
    let next: Task | undefined;
    for (const task of this.#tasks) {
      if (next === undefined || task.at < next.at || (task.at === next.at && task.order < next.order)) next = task;
    }
    this.#tasks = this.#tasks.filter((task) => task !== next);
    return next;
  }
}

/** All promises that can settle have settled: nothing in a model waits for more than them. */
function settled(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
