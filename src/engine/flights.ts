import type { Intent, Receipt, StepContext, StepShapes, System } from './contract.ts';
import { hasHandler } from './decision-checks.ts';
import { stepTableGap } from './errors.ts';
import { Flight, type Landing } from './flight.ts';
import type { EnginePorts } from './ports.ts';

/** Between two looks at a step of which nobody can tell the end, in milliseconds. */
const LOOK_AGAIN_MS = 1000;

interface FlightsOptions<Shapes extends StepShapes, World> {
  readonly system: Pick<System<never, never, Shapes, World>, 'name' | 'handlers' | 'limits'>;
  readonly world: World;
  readonly ports: Pick<EnginePorts, 'clock' | 'timers'>;
  readonly landed: (sequence: number, landing: Landing) => void;
}

/** The steps in flight: each is performed, or looked at by `reconcile`, under its deadline. */
export class Flights<Shapes extends StepShapes, World> {
  readonly #options: FlightsOptions<Shapes, World>;
  readonly #flying = new Map<number, Flight<World>>();
  #windingDown = false;

  constructor(options: FlightsOptions<Shapes, World>) {
    this.#options = options;
  }

  get size(): number {
    return this.#flying.size;
  }

  perform(intent: Intent<Shapes>): void {
    this.#launch(intent, async (step, context) => this.#handlerOf(step).perform(step, context));
  }

  look(intent: Intent<Shapes>): void {
    this.#launch(intent, async (step, context) => this.#handlerOf(step).reconcile(step, context));
  }

  lookAgain(intent: Intent<Shapes>): void {
    const work: Work<Shapes, World> = async (step, context) => {
      await this.#pause(context.signal);
      return this.#handlerOf(step).reconcile(step, context);
    };
    this.#launch(intent, work, LOOK_AGAIN_MS);
  }

  /** Its landing was taken in. */
  remove(sequence: number): void {
    this.#flying.delete(sequence);
  }

  windDown(): void {
    this.#windingDown = true;
    for (const flight of this.#flying.values()) flight.windDown();
  }

  end(reason: string): void {
    for (const flight of this.#flying.values()) flight.end(reason);
  }

  checkDeadlines(): void {
    for (const flight of this.#flying.values()) flight.checkDeadline();
  }

  #handlerOf({ kind }: Intent<Shapes>): AnyHandler<Shapes, World> {
    const { name, handlers } = this.#options.system;
    // A version before may have begun what this one does not know.
    if (!hasHandler(handlers, kind)) throw stepTableGap({ system: name, kind, reason: 'has no handler' });
    // A union of handlers takes the intersection of their steps; the kind of the intent keeps the pair.
    return handlers[kind] as unknown as AnyHandler<Shapes, World>;
  }

  #launch(intent: Intent<Shapes>, work: Work<Shapes, World>, delayMs = 0): void {
    const { system, world, ports, landed } = this.#options;
    // What a handler does to its step stays there: the history folds the one that was recorded.
    const step = structuredClone(intent);
    const deadline = this.#deadlineOf(step);
    const flight = new Flight<World>(
      {
        world,
        work: async (context) => ('ms' in deadline ? work(step, context) : Promise.reject(deadline.thrown)),
        deadlineMs: 'ms' in deadline ? deadline.ms + delayMs : 0,
        graceMs: system.limits.graceMs,
        windingDown: this.#windingDown,
        landed: (landing) => landed(intent.sequence, landing),
      },
      ports,
    );
    this.#flying.set(intent.sequence, flight);
  }

  /** A step of another holder was never asked for its deadline here: that it has none becomes its receipt. */
  #deadlineOf(step: Intent<Shapes>): { readonly ms: number } | { readonly thrown: unknown } {
    try {
      return { ms: this.#options.system.limits.deadlineMs(step) };
    } catch (thrown) {
      return { thrown };
    }
  }

  #pause(signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const over = (): void => {
        cancel();
        signal.removeEventListener('abort', over);
        resolve();
      };
      const cancel = this.#options.ports.timers.after(LOOK_AGAIN_MS, over);
      signal.addEventListener('abort', over);
    });
  }
}

type Work<Shapes extends StepShapes, World> = (step: Intent<Shapes>, context: StepContext<World>) => Promise<Receipt>;

interface AnyHandler<Shapes extends StepShapes, World> {
  readonly perform: (intent: Intent<Shapes>, context: StepContext<World>) => Promise<Receipt>;
  readonly reconcile: (intent: Intent<Shapes>, context: StepContext<World>) => Promise<Receipt>;
}
