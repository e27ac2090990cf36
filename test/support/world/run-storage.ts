import type { EnginePorts } from '../../../src/engine/ports.ts';
import type { StepRecord } from '../../../src/engine/record.ts';
import { describeSystemError } from '../../../src/kernel/errors/index.ts';
import type { Node } from './node.ts';
import type { Scheduler } from './scheduler.ts';

/** The log, the lock and the fence of one run, as a disk would keep them. */
export class RunStorage {
  readonly records: StepRecord[] = [];
  #holder: Node | undefined;
  #raised = { epoch: 0, by: '' };
  /** How many of the next appends find no space. */
  full = 0;

  /** Who raised the fence last. */
  get owner(): string {
    return this.#raised.by;
  }

  /** The lock dies with its process, and a stopped process keeps it. */
  get isHeld(): boolean {
    return this.#holder?.alive === true;
  }

  /** The lock file is lost while its holder lives: nobody but the fence keeps two of them apart. */
  loseLock(): void {
    this.#holder = undefined;
  }

  portsFor(node: Node, scheduler: Scheduler): Omit<EnginePorts, 'settleLeftovers'> {
    return {
      clock: scheduler.clock,
      timers: node,
      by: node.name,
      mask: (value) => value,
      watchClock: (onEvent) => scheduler.watchClock((event) => void node.after(0, () => onEvent(event))),
      lock: () => {
        if (this.isHeld) return 'held';
        this.#holder = node;
        return { confirm: () => undefined, release: () => this.#release(node) };
      },
      fence: {
        raise: (least) =>
          node.io(() => {
            this.#raised = { epoch: Math.max(least, this.#raised.epoch) + 1, by: node.name };
            return this.#raised.epoch;
          }),
        isOurs: () => this.#raised.by === node.name,
      },
      logPath: 'the log',
      readLog: () => node.io(() => [...this.records]),
      openLog: () =>
        node.io(() => ({ append: (record) => node.io(() => this.#append(record)), close: () => Promise.resolve() })),
    };
  }

  #release(node: Node): void {
    if (this.#holder === node) this.#holder = undefined;
  }

  #append(record: StepRecord): void {
    if (this.full > 0) {
      this.full -= 1;
      throw describeSystemError({ code: 'ENOSPC' }, { action: 'write', path: 'the log' });
    }
    // What does not survive JSON would not survive the disk.
    this.records.push(JSON.parse(JSON.stringify(record)) as StepRecord);
  }
}
