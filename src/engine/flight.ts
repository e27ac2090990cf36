import { deadlineAfter, markClock, sleptMs, type ClockMark, type Deadline } from '../kernel/time/index.ts';
import type { Receipt, StepContext, Timing } from './contract.ts';
import type { EnginePorts } from './ports.ts';
import { receiptOf, receiptOfThrown, unknown } from './receipts.ts';

export interface FlightPlan<World> {
  readonly world: World;
  readonly deadlineMs: number;
  readonly graceMs: number;
  /** The run is being stopped already. */
  readonly windingDown: boolean;
  readonly work: (context: StepContext<World>) => Promise<Receipt>;
  readonly landed: (landing: Landing) => void;
}

export interface Landing {
  readonly receipt: Receipt;
  readonly timing: Timing;
  /** The work did not end in its grace: what it still does cannot be known. */
  readonly abandoned: boolean;
}

/** One call of a handler, from its start until it answered or was given up; it always lands, exactly once. */
export class Flight<World> {
  readonly #ports: Pick<EnginePorts, 'clock' | 'timers'>;
  readonly #plan: FlightPlan<World>;
  readonly #end = new AbortController();
  readonly #stopping = new AbortController();
  readonly #start: ClockMark;
  readonly #deadline: Deadline;
  #cancelTimer: () => void = () => undefined;
  #landed = false;

  constructor(plan: FlightPlan<World>, ports: Pick<EnginePorts, 'clock' | 'timers'>) {
    this.#plan = plan;
    this.#ports = ports;
    this.#start = markClock(ports.clock);
    this.#deadline = deadlineAfter(plan.deadlineMs, ports.clock);
    this.checkDeadline();
    if (plan.windingDown) this.windDown();
    void this.#fly();
  }

  /** Asks the handler to wind down. */
  windDown(): void {
    this.#stopping.abort();
  }

  /** Tells the handler to end now, and gives it up after its grace. */
  end(reason: string): void {
    if (this.#landed || this.#end.signal.aborted) return;
    this.#cancelTimer();
    this.#cancelTimer = this.#ports.timers.after(this.#plan.graceMs, () => {
      this.#land({ receipt: unknown(`it did not end after ${reason}`), abandoned: true });
    });
    this.#stopping.abort();
    this.#end.abort();
  }

  /** Also asked after the machine slept, when timers stood still and deadlines did not. */
  checkDeadline(): void {
    if (this.#landed || this.#end.signal.aborted) return;
    this.#cancelTimer();
    if (this.#deadline.expired()) return this.end('its deadline');
    this.#cancelTimer = this.#ports.timers.after(Math.ceil(this.#deadline.remainingMs()), () => this.checkDeadline());
  }

  async #fly(): Promise<void> {
    const { world, work } = this.#plan;
    try {
      const answer: unknown = await work({ world, signal: this.#end.signal, stopping: this.#stopping.signal });
      this.#land({ receipt: receiptOf(answer), abandoned: false });
    } catch (error) {
      this.#land({ receipt: receiptOfThrown(error), abandoned: false });
    }
  }

  #land(landing: Omit<Landing, 'timing'>): void {
    if (this.#landed) return;
    this.#landed = true;
    this.#cancelTimer();
    this.#plan.landed({ ...landing, timing: this.#timing() });
  }

  #timing(): Timing {
    const { clock } = this.#ports;
    return {
      ranMs: Math.round(clock.mono() - this.#start.mono),
      sleptMs: sleptMs(clock, this.#start),
      deadline: this.#end.signal.aborted ? this.#deadline.expiry() : 'running',
    };
  }
}
