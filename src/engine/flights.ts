import type { Intent, Receipt, StepContext, StepShapes, System } from './contract.ts';
import { Flight, type Landing } from './flight.ts';
import type { EnginePorts } from './ports.ts';

/** Between two looks at a step of which nobody can tell the end, in milliseconds. */
const LOOK_AGAIN_MS = 1000;

interface FlightsOptions<Shapes extends StepShapes, World> {
  readonly system: Pick<System<never, never, Shapes, World>, 'handlers' | 'limits'>;
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
    const { perform } = this.#handlerOf(intent);
    this.#launch(intent, { work: (context) => perform(intent, context), delayMs: 0 });
  }

  look(intent: Intent<Shapes>): void {
    const { reconcile } = this.#handlerOf(intent);
    this.#launch(intent, { work: (context) => reconcile(intent, context), delayMs: 0 });
  }

  lookAgain(intent: Intent<Shapes>): void {
    const { reconcile } = this.#handlerOf(intent);
    this.#launch(intent, { work: (context) => this.#later(() => reconcile(intent, context), context), delayMs: LOOK_AGAIN_MS });
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
    // A union of handlers takes the intersection of their steps; the kind of the intent keeps the pair.
    return this.#options.system.handlers[kind] as unknown as AnyHandler<Shapes, World>;
  }

  #launch(intent: Intent<Shapes>, { work, delayMs }: { readonly work: Work<World>; readonly delayMs: number }): void {
    const { system, world, ports, landed } = this.#options;
    const flight = new Flight<World>(
      {
        world,
        work,
        deadlineMs: system.limits.deadlineMs(intent) + delayMs,
        graceMs: system.limits.graceMs,
        windingDown: this.#windingDown,
        landed: (landing) => landed(intent.sequence, landing),
      },
      ports,
    );
    this.#flying.set(intent.sequence, flight);
  }

  #later(work: () => Promise<Receipt>, { signal }: StepContext<World>): Promise<Receipt> {
    return new Promise((resolve, reject) => {
      const begin = (): void => {
        cancel();
        signal.removeEventListener('abort', begin);
        work().then(resolve, reject);
      };
      const cancel = this.#options.ports.timers.after(LOOK_AGAIN_MS, begin);
      signal.addEventListener('abort', begin);
    });
  }
}

type Work<World> = (context: StepContext<World>) => Promise<Receipt>;

interface AnyHandler<Shapes extends StepShapes, World> {
  readonly perform: (intent: Intent<Shapes>, context: StepContext<World>) => Promise<Receipt>;
  readonly reconcile: (intent: Intent<Shapes>, context: StepContext<World>) => Promise<Receipt>;
}
