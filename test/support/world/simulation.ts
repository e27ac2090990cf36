import type { Ending, StepShapes, System } from '../../../src/engine/contract.ts';
import { History } from '../../../src/engine/history.ts';
import { runSystem } from '../../../src/engine/loop.ts';
import type { EnginePorts } from '../../../src/engine/ports.ts';
import { replay } from '../../../src/engine/replay.ts';
import { Node } from './node.ts';
import { seededRandom, type Random } from '../seeded-random.ts';
import { RunStorage } from './run-storage.ts';
import { Scheduler } from './scheduler.ts';

/** What a simulation needs to know of a system. One is built for each seed. */
export interface Simulated<State, Facts, Shapes extends StepShapes, World> {
  readonly system: System<State, Facts, Shapes, World>;
  readonly worldFor: (node: Node) => World;
  readonly settleLeftovers: (node: Node) => EnginePorts['settleLeftovers'];
  /** What other people do meanwhile; called now and then. */
  readonly disturb: () => void;
  /** Breaks of the invariants that can be seen at any moment. */
  readonly breaksNow: (current: string) => readonly string[];
  /** Breaks that can be seen once the run is done. */
  readonly breaksAtEnd: () => readonly string[];
}

export interface SimulationResult {
  readonly seed: number;
  readonly breaks: readonly string[];
  readonly holders: number;
  readonly records: number;
  /** How long the run lasted in the model, in milliseconds. */
  readonly lastedMs: number;
}

/** Longer than any run takes; one that is not done by then turns in place. */
const MOST_TASKS = 20_000;
const MOST_FAULTS = 8;

/**
 * Runs a system to its end in a world where anything may go wrong in between, as the seed says, and tells which
 * invariants broke. The same seed gives the same run.
 */
export async function simulate<State, Facts, Shapes extends StepShapes, World>(
  build: (tools: { readonly random: Random; readonly scheduler: Scheduler }) => Simulated<State, Facts, Shapes, World>,
  seed: number,
): Promise<SimulationResult> {
  const random = seededRandom(seed);
  const scheduler = new Scheduler();
  const simulation = new Simulation(build({ random, scheduler }), { random, scheduler });
  const breaks = await simulation.run();
  const { holders, storage } = simulation;
  return { seed, breaks, holders, records: storage.records.length, lastedMs: scheduler.clock.mono() };
}

class Simulation<State, Facts, Shapes extends StepShapes, World> {
  readonly storage = new RunStorage();
  holders = 0;
  readonly #simulated: Simulated<State, Facts, Shapes, World>;
  readonly #random: Random;
  readonly #scheduler: Scheduler;
  readonly #nodes: Node[] = [];
  readonly #breaks = new Set<string>();
  #faults: number;
  #ending: Ending | undefined;
  #stop = new AbortController();

  constructor(simulated: Simulated<State, Facts, Shapes, World>, { random, scheduler }: { random: Random; scheduler: Scheduler }) {
    this.#simulated = simulated;
    this.#random = random;
    this.#scheduler = scheduler;
    this.#faults = random.below(MOST_FAULTS + 1);
  }

  async run(): Promise<readonly string[]> {
    this.#start();
    for (let task = 0; task < MOST_TASKS; task += 1) {
      if (this.#faults > 0 && this.#random.chance(0.03)) this.#fault();
      if (this.#random.chance(0.01)) this.#simulated.disturb();
      const moved = await this.#scheduler.step();
      for (const found of this.#simulated.breaksNow(this.storage.owner)) this.#breaks.add(found);
      if (this.#ending?.is === 'done' && this.#nodes.every((node) => !node.alive)) return this.#finish();
      if (this.#isFree(moved)) this.#start();
    }
    return [...this.#breaks, `I1: it did not end (${JSON.stringify(this.#ending)})`];
  }

  /** A run that is done stays done, and whoever takes it up again puts its documented files right. */
  async #finish(): Promise<readonly string[]> {
    this.#faults = 0;
    this.storage.full = 0;
    this.#start();
    while (await this.#scheduler.step());
    if (this.#ending?.is !== 'done') this.#breaks.add(`I7: a run that was done ended again as ${JSON.stringify(this.#ending)}`);
    const replayed = replay(this.storage.records, this.#simulated.system);
    if (!replayed.equal) this.#breaks.add(`replay: ${JSON.stringify(replayed)}`);
    return [...this.#breaks, ...this.#simulated.breaksAtEnd()];
  }

  #start(): void {
    this.holders += 1;
    const node = new Node(`n${this.holders}`, { scheduler: this.#scheduler, random: this.#random });
    this.#nodes.push(node);
    this.#stop = new AbortController();
    this.#ending = undefined;
    const { signal } = this.#stop;
    const ports = { ...this.storage.portsFor(node, this.#scheduler), settleLeftovers: this.#simulated.settleLeftovers(node) };
    const stop = { graceful: signal, immediate: new AbortController().signal };
    runSystem(this.#simulated.system, { path: 'the run', world: this.#simulated.worldFor(node), stop, ports }).then(
      (ending) => this.#left(node, ending),
      (error: unknown) => this.#failed(node, error),
    );
  }

  #left(node: Node, ending: Ending): void {
    node.kill();
    if (ending.is === 'fenced') return;
    // It may have written its end before it was taken over.
    const isWritten = this.storage.records.some(({ type, by }) => type === 'ended' && by === node.name);
    if (!isWritten) this.#breaks.add(`I2: ${node.name} left as ${ending.is} although it had been taken over`);
    if (this.storage.owner !== node.name) return;
    this.#ending = ending;
    this.#checkStatus(ending);
  }

  /** Only a full disk may end a holder; anything else is a defect. */
  #failed(node: Node, error: unknown): void {
    node.kill();
    if ((error as { readonly code?: unknown }).code !== 'disk-full') this.#breaks.add(`${node.name}: ${String(error)}`);
  }

  #isFree(moved: boolean): boolean {
    const alive = this.#nodes.filter((node) => node.alive);
    if (!moved) for (const node of alive) this.#hang(node);
    return this.#ending?.is !== 'done' && !this.#nodes.some((node) => node.alive);
  }

  #hang(node: Node): void {
    this.#breaks.add(`${node.name} waits for something that never comes`);
    node.kill();
  }

  #fault(): void {
    const node = this.#nodes.findLast(({ alive }) => alive);
    if (node === undefined || node.paused) return;
    this.#faults -= 1;
    const faults = [
      () => node.kill(),
      () => node.kill(),
      () => this.#pauseAndTakeOver(node),
      () => this.#scheduler.suspend(this.#random.below(100_000)),
      () => this.#scheduler.stepClock(this.#random.below(7_200_000) - 3_600_000),
      () => void (this.storage.full = 1),
      () => this.#stop.abort(),
    ];
    faults[this.#random.below(faults.length)]?.();
  }

  /** It stands still, its lock gets lost, another takes over, and then it goes on as if nothing had been. */
  #pauseAndTakeOver(node: Node): void {
    node.pause();
    this.#scheduler.after(this.#random.next() * 200, () => node.resume());
    if (this.#random.chance(0.7)) {
      this.storage.loseLock();
      this.#start();
    }
  }

  /** What status reads is the log alone. */
  #checkStatus(ending: Ending): void {
    const history = new History({ initial: undefined, fold: () => undefined }, { path: 'the log' });
    for (const record of this.storage.records) history.apply(record);
    const told = history.ended?.standing;
    if (JSON.stringify(told) === JSON.stringify(ending)) return;
    this.#breaks.add(`I7: it ended as ${JSON.stringify(ending)}, the log tells ${JSON.stringify(told)}`);
  }
}
