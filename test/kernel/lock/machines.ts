import type { Machine } from '../../../src/kernel/lock/index.ts';

/** A machine whose boot hand and start the test moves. */
export class ToyMachine implements Machine {
  nowMs = 1000;
  bootId: string | undefined = 'start 1';
  readonly clock = { boot: () => this.nowMs };
  #starts = 1;

  restart(): void {
    this.#starts += 1;
    this.bootId = `start ${this.#starts}`;
    this.nowMs = 10;
  }
}
