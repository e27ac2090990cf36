import type { ClockEvent } from '../kernel/time/index.ts';
import type { Closing, Ending, Receipt, Standing, Step, StepShapes, System, Timing } from './contract.ts';
import { checkDecision, checkWait, nameOf, readySteps } from './decision-checks.ts';
import { Doubts } from './doubts.ts';
import type { Landing } from './flight.ts';
import { Flights } from './flights.ts';
import { Mailbox } from './mailbox.ts';
import { nowOf, type EnginePorts } from './ports.ts';
import { notDone } from './receipts.ts';
import type { Seen } from './record.ts';
import { onAbort, withinGrace, type StopSignals } from './stop.ts';
import { Fenced, takeTenure, type Tenure } from './tenure.ts';

export interface RunOptions<World> {
  /** The run as messages name it, such as its folder. */
  readonly path: string;
  readonly world: World;
  readonly stop: StopSignals;
  readonly ports: EnginePorts;
  /** Gets a function that ends the present wait; answers one that ends the listening. */
  readonly wakeUps?: (wake: () => void) => () => void;
}

/**
 * Holds a run and works on it until it is done, parked, stopped, or taken over by somebody else. The step log is
 * read first; steps that stand in it without a receipt are reconciled, in their order, before anything is decided.
 * Throws `run-held`, `bad-decision` before anything of that answer is written, `epoch-missing`, `epoch-unreadable`,
 * `lock-lost`, what makes the log unreadable or unwritable, and what `gather`, `decide`, `fold` or `publish` throw; the
 * run is then interrupted, and a later call resumes it.
 *
 * @example
 * const ending = await runSystem(toySystem, { path: folder, world, stop, ports: folderPorts(folder, { clock }) });
 */
export async function runSystem<State, Facts, Shapes extends StepShapes, World>(
  system: System<State, Facts, Shapes, World>,
  options: RunOptions<World>,
): Promise<Ending> {
  try {
    const tenure = await takeTenure(system, options);
    try {
      return await new Loop(system, tenure, options).run();
    } finally {
      await tenure.end();
    }
  } catch (error) {
    if (error instanceof Fenced) return { is: 'fenced' };
    throw error;
  }
}

type Mail = { readonly sequence: number; readonly landing: Landing } | { readonly event: ClockEvent };

interface SeenBy<Facts> extends Seen {
  readonly facts: Facts;
}

class Loop<State, Facts, Shapes extends StepShapes, World> {
  readonly #system: System<State, Facts, Shapes, World>;
  readonly #tenure: Tenure<State, Shapes>;
  readonly #options: RunOptions<World>;
  readonly #mailbox: Mailbox<Mail>;
  readonly #flights: Flights<Shapes, World>;
  readonly #doubts = new Doubts();
  /** How the run ends once nothing is in flight; from then on nothing new is decided. */
  #closing: Closing | undefined;
  #cancelGrace: (() => void) | undefined;
  /** Since something last happened; a step that is refused again would turn the loop in place. */
  readonly #refused = new Set<string>();

  constructor(system: System<State, Facts, Shapes, World>, tenure: Tenure<State, Shapes>, options: RunOptions<World>) {
    const { world, ports } = options;
    this.#system = system;
    this.#tenure = tenure;
    this.#options = options;
    this.#mailbox = new Mailbox(ports.timers);
    const landed = (sequence: number, landing: Landing): void => this.#mailbox.post({ sequence, landing });
    this.#flights = new Flights({ system, world, ports, landed });
  }

  async run(): Promise<Ending> {
    const silence = this.#listen();
    try {
      await this.#settleLeftovers();
      await this.#publish({ is: 'running' });
      await this.#reconcileOpen();
      for (;;) {
        const ending = await this.#turn();
        if (ending !== undefined) return ending;
      }
    } finally {
      silence();
      await this.#endFlights();
    }
  }

  /** A hard stop may well break it off: nothing is begun any more, and the next holder ends what is left. */
  async #settleLeftovers(): Promise<void> {
    const { ports, stop } = this.#options;
    try {
      await this.#withinGrace(ports.settleLeftovers(stop.immediate));
    } catch (error) {
      if (!stop.immediate.aborted) throw error;
    }
  }

  /** One after the other, as they were begun: what comes later may build on what came before. */
  async #reconcileOpen(): Promise<void> {
    for (const intent of this.#tenure.history.open) {
      if (this.#closing !== undefined) return;
      this.#doubts.inherit(intent.sequence);
      this.#flights.look(intent);
      while (this.#flights.size > 0) {
        await this.#mailbox.wait();
        await this.#absorb();
      }
    }
  }

  async #turn(): Promise<Ending | undefined> {
    await this.#absorb();
    const { size } = this.#flights;
    if (this.#closing !== undefined && size === 0) return this.#leave(this.#closing);
    if (this.#closing === undefined && size < this.#system.limits.maxInFlight) return this.#decide();
    await this.#mailbox.wait();
    return undefined;
  }

  async #decide(): Promise<Ending | undefined> {
    const seen = await this.#see();
    if (seen === undefined) return undefined;
    const { state, open } = this.#tenure.history;
    const decision = this.#system.decide(state, seen.facts, seen.now, open);
    checkDecision(this.#system.name, decision);
    if (decision.next === 'steps') return this.#begin(decision.steps, seen);
    const idle = this.#flights.size === 0;
    if (decision.next === 'done' && idle) return this.#leave({ is: 'done' }, { seen });
    if (decision.next === 'park' && idle) return this.#leave({ is: 'parked', reason: decision.reason }, { seen });
    const ms = decision.next === 'wait' ? decision.ms : undefined;
    checkWait(this.#system.name, { endless: idle && ms === undefined && this.#options.wakeUps === undefined });
    await this.#mailbox.wait(ms);
    this.#refused.clear();
    return undefined;
  }

  /** What a decision is made from, or nothing when a stop came meanwhile. */
  async #see(): Promise<SeenBy<Facts> | undefined> {
    const { world, stop, ports } = this.#options;
    try {
      const gathered = await this.#withinGrace(this.#system.gather(this.#tenure.history.state, world, stop.immediate));
      if (this.#closing !== undefined) return undefined;
      return { facts: ports.mask(gathered) as Facts, now: nowOf(ports.clock) };
    } catch (error) {
      // A stop may well break off the looking.
      if (this.#closing !== undefined) return undefined;
      throw error;
    }
  }

  async #begin(decided: readonly Step<Shapes>[], seen: SeenBy<Facts>): Promise<undefined> {
    const { mask } = this.#options.ports;
    const steps = readySteps(this.#system, decided, { open: this.#tenure.history.open, mask });
    for (const [place, { kind, key, input }] of steps.entries()) {
      if (this.#closing !== undefined || this.#flights.size >= this.#system.limits.maxInFlight) return;
      const sequence = this.#tenure.history.lastSequence + 1;
      const begun = { sequence, kind, key, input, place, ...(place === 0 ? { seen } : {}) };
      const allowance = this.#system.allow?.({ kind, key, input } as Step<Shapes>, seen.facts) ?? { allowed: true };
      if (!allowance.allowed) {
        await this.#tenure.write({ type: 'refused', ...begun, reason: allowance.reason });
        return this.#refuse(nameOf(begun), allowance.reason);
      }
      await this.#tenure.write({ type: 'intent', ...begun });
      await this.#launch(sequence);
    }
  }

  async #launch(sequence: number): Promise<void> {
    const intent = this.#tenure.history.intentOf(sequence);
    if (this.#closing === undefined) return this.#flights.perform(intent);
    await this.#settle(sequence, { receipt: notDone('the run was stopped before the step began'), timing: {} });
  }

  /** What is left of the decision is dropped: the refusal is part of the state now. */
  async #refuse(step: string, reason: string): Promise<undefined> {
    if (this.#refused.has(step)) this.#closing ??= { is: 'parked', reason };
    this.#refused.add(step);
    await this.#publish({ is: 'running' });
  }

  /** Takes in what happened since. */
  async #absorb(): Promise<void> {
    for (let mail = this.#mailbox.take(); mail !== undefined; mail = this.#mailbox.take()) {
      if ('landing' in mail) await this.#receive(mail.sequence, mail.landing);
      else await this.#noticeClock(mail.event);
    }
  }

  async #noticeClock(event: ClockEvent): Promise<void> {
    this.#flights.checkDeadlines();
    await this.#tenure.write({ type: 'clock', event });
  }

  async #receive(sequence: number, landing: Landing): Promise<void> {
    this.#flights.remove(sequence);
    const { next, ...judged } = this.#doubts.judge(sequence, landing);
    await this.#settle(sequence, judged);
    if (next === 'settled' || this.#options.stop.immediate.aborted) return;
    const intent = this.#tenure.history.intentOf(sequence);
    if (next === 'look') return this.#flights.look(intent);
    if (next === 'look-again') return this.#flights.lookAgain(intent);
    this.#closing ??= { is: 'parked', reason: `nobody can tell what became of ${nameOf(intent)}: ${next.hopeless}` };
  }

  async #settle(sequence: number, { receipt, timing }: { receipt: Receipt; timing: { timing?: Timing } }): Promise<void> {
    await this.#tenure.write({ type: 'receipt', sequence, receipt, ...timing });
    if (receipt.outcome === 'unknown') return;
    this.#refused.clear();
    await this.#publish({ is: 'running' });
  }

  /** The documented files first: a crash between the two is repaired by the next holder, which ends the run again. */
  async #leave(unmasked: Closing, seen: { readonly seen?: Seen } = {}): Promise<Closing> {
    const closing = this.#options.ports.mask(unmasked) as Closing;
    this.#tenure.confirm();
    await this.#publish(closing);
    await this.#tenure.write({ type: 'ended', standing: closing, ...seen });
    return closing;
  }

  async #publish(standing: Standing): Promise<void> {
    await this.#withinGrace(this.#system.publish(this.#tenure.history.state, standing, this.#options.world));
  }

  #withinGrace<Result>(work: Promise<Result>): Promise<Result | undefined> {
    const { stop, ports } = this.#options;
    return withinGrace(work, { signal: stop.immediate, graceMs: this.#system.limits.graceMs, timers: ports.timers });
  }

  #listen(): () => void {
    const { stop, ports, wakeUps } = this.#options;
    const silences = [
      onAbort(stop.graceful, () => this.#stopGracefully()),
      onAbort(stop.immediate, () => this.#stopHard()),
      ports.watchClock((event) => this.#mailbox.post({ event })),
      wakeUps?.(() => this.#mailbox.wake()),
      () => this.#cancelGrace?.(),
    ];
    return () => silences.forEach((silence) => silence?.());
  }

  #stopGracefully(): void {
    const { stopGraceMs } = this.#system.limits;
    this.#closing ??= { is: 'stopped', how: 'graceful' };
    this.#flights.windDown();
    if (stopGraceMs !== undefined) {
      this.#cancelGrace = this.#options.ports.timers.after(stopGraceMs, () => this.#flights.end('the stop'));
    }
    this.#mailbox.wake();
  }

  #stopHard(): void {
    this.#closing = { is: 'stopped', how: 'hard' };
    this.#flights.end('the stop');
    this.#mailbox.wake();
  }

  /** Only after a failure anything still flies here. */
  async #endFlights(): Promise<void> {
    this.#flights.end('the end of the run');
    while (this.#flights.size > 0) {
      await this.#mailbox.wait();
      const mail = this.#mailbox.take();
      if (mail !== undefined && 'landing' in mail) this.#flights.remove(mail.sequence);
    }
  }
}
