import type { Decision, Ending, Handlers, Intent, Receipt, Settled, Standing, StepContext, System } from '../../../src/engine/contract.ts';
import { runSystem, type RunOptions } from '../../../src/engine/loop.ts';
import type { EnginePorts } from '../../../src/engine/ports.ts';
import { ok } from '../../../src/engine/receipts.ts';
import type { StepRecord } from '../../../src/engine/record.ts';
import { Node } from '../../support/world/node.ts';
import { seededRandom } from '../../support/seeded-random.ts';
import { RunStorage } from '../../support/world/run-storage.ts';
import { Scheduler } from '../../support/world/scheduler.ts';

/** Two kinds of steps that do nothing: what they are for is in the test. */
export type Shapes = {
  readonly work: { readonly input: { readonly n: number }; readonly data: number };
  readonly rest: { readonly input: null; readonly data: null };
};

export type State = readonly Settled<Shapes>[];
type Facts = { readonly seen: number };
type TestSystem = System<State, Facts, Shapes, Bench>;

export const work = (n: number): { kind: 'work'; key: string; input: { n: number } } => ({ kind: 'work', key: `k${n}`, input: { n } });

/** A run on a model disk and a model clock, whose system is written by the test. */
export class Bench {
  readonly scheduler = new Scheduler();
  readonly storage = new RunStorage();
  readonly published: { readonly state: State; readonly standing: Standing }[] = [];
  readonly events: string[] = [];
  readonly graceful = new AbortController();
  readonly immediate = new AbortController();
  #holders = 0;

  /** The system decides once for each of these, in turn; then it is done. */
  static answers(...answers: readonly Decision<Shapes>[]): TestSystem['decide'] {
    const rest = [...answers];
    return () => rest.shift() ?? { next: 'done' };
  }

  system(parts: Partial<TestSystem>): TestSystem {
    return {
      name: 'test',
      initial: [],
      limits: { maxInFlight: 2, deadlineMs: () => 1000, graceMs: 100 },
      decide: () => ({ next: 'done' }),
      fold: (state, settled) => [...state, settled],
      gather: async (state) => ({ seen: state.length }),
      publish: async (state, standing) => void this.published.push({ state, standing }),
      ...parts,
      handlers: this.#noting(parts.handlers ?? handlers({})),
    };
  }

  /** Each effect is an event: "perform k1". */
  #noting({ work: { perform, reconcile }, rest }: Handlers<Shapes, Bench>): Handlers<Shapes, Bench> {
    const noted = (step: Intent<Shapes, 'work'>, context: StepContext<Bench>): Promise<Receipt<number>> => {
      this.events.push(`perform ${step.key}`);
      return perform(step, context);
    };
    return { rest, work: { perform: noted, reconcile } };
  }

  /** Starts the system in a process of its own, which a test may kill or stop. */
  start(system: TestSystem, options: StartOptions = {}): Started {
    this.#holders += 1;
    const node = new Node(`n${this.#holders}`, { scheduler: this.scheduler, random: seededRandom(this.#holders) });
    const ports: EnginePorts = {
      ...this.storage.portsFor(node, this.scheduler),
      settleLeftovers: async () => void this.events.push('leftovers'),
      ...options.ports,
    };
    const stop = { graceful: this.graceful.signal, immediate: this.immediate.signal };
    return { node, ended: outcome(runSystem(system, { path: 'the run', world: this, stop, ...options, ports })) };
  }

  /** Runs it to its end. */
  async run(system: TestSystem, options: StartOptions = {}): Promise<Ending> {
    return this.endOf(this.start(system, options));
  }

  async endOf({ ended }: Started): Promise<Ending> {
    let isOver = false;
    const over = ended.finally(() => {
      isOver = true;
    });
    while (!isOver) if (!(await this.scheduler.step()) && !isOver) throw new Error('the run hangs');
    const end = await over;
    if ('error' in end) throw end.error;
    return end.ending;
  }

  /** Steps until it holds; the model is at rest then. */
  async until(holds: () => boolean): Promise<void> {
    while (!holds()) if (!(await this.scheduler.step())) throw new Error('it never came to hold');
  }

  /** `intent k1`, `receipt 1 ok`, ... */
  get log(): readonly string[] {
    return this.storage.records.map(lineOf);
  }

  get state(): State {
    return this.published.at(-1)?.state ?? [];
  }
}

interface StartOptions extends Partial<Omit<RunOptions<Bench>, 'ports'>> {
  readonly ports?: Partial<EnginePorts>;
}

export interface Started {
  readonly node: Node;
  readonly ended: Promise<Outcome>;
}

type Outcome = { readonly ending: Ending } | { readonly error: unknown };

/** A rejection that is looked at later is no unhandled one. */
function outcome(run: Promise<Ending>): Promise<Outcome> {
  return run.then(
    (ending) => ({ ending }),
    (error: unknown) => ({ error }),
  );
}

type WorkHandler = Handlers<Shapes, Bench>['work'];

export function handlers(parts: Partial<WorkHandler>): Handlers<Shapes, Bench> {
  const quiet = { perform: async () => ok(null), reconcile: async () => ok(null) };
  return { rest: quiet, work: { perform: async ({ input }) => ok(input.n), reconcile: async ({ input }) => ok(input.n), ...parts } };
}

/** A handler that ends only when it is told to, with what it then says. */
export function untilAborted(which: 'signal' | 'stopping', receipt: Receipt<number>): WorkHandler['perform'] {
  return (_step: unknown, context: StepContext<Bench>) =>
    new Promise((resolve) => {
      context[which].addEventListener('abort', () => resolve(receipt), { once: true });
    });
}

export const never = (): Promise<never> => new Promise(() => undefined);

function lineOf(record: StepRecord): string {
  switch (record.type) {
    case 'opened':
      return `opened ${record.epoch}`;
    case 'intent':
      return `intent ${record.key}`;
    case 'refused':
      return `refused ${record.key}`;
    case 'receipt':
      return `receipt ${record.sequence} ${record.receipt.outcome}`;
    case 'clock':
      return `clock ${record.event.kind}`;
    case 'ended':
      return `ended ${record.standing.is}`;
  }
}
