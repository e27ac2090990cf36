import { ClosureWalk } from './closure.ts';
import { successors, type After, type ExecutionGraph } from './graph.ts';
import type { GraphTarget } from './graph-target.ts';
import { completionLine, timeoutMessage } from './lines.ts';
import { LockTable } from './locks.ts';
import { NodeHeap } from './node-heap.ts';
import type { Cause, Command, RunResult, SchedulerEvent } from './protocol.ts';
import { isStart, NONE } from './shape.ts';

export interface SchedulerOptions {
  /** How many commands may run at once; less than 1 counts as 1. */
  readonly jobs: number;
}

/**
 * Runs one execution graph: events in, commands out, nothing else. The caller owns processes and time; the same events
 * always give the same commands. A report about a target that is not running changes nothing.
 *
 * @example
 * const scheduler = new Scheduler(executionGraph(plan), { jobs: 2 });
 * scheduler.handle({ type: 'tick' }); // [{ type: 'start', target: 'shell/lint' }, ...]
 */
export class Scheduler {
  readonly #graph: ExecutionGraph;
  readonly #jobs: number;
  readonly #after: After;
  readonly #pending: Int32Array;
  readonly #done: Uint8Array;
  readonly #locks: LockTable;
  /** Takes neither a slot nor a lock, hence no time: most scope starts, barriers, ends of composites. */
  readonly #instant: NodeHeap;
  /** What competes for slots and locks. */
  readonly #queue: NodeHeap;
  readonly #running = new Set<number>();
  readonly #opened = new Set<number>();
  readonly #armed = new Set<number>();
  readonly #cancelled = new Set<number>();
  /** Failed targets; the message where the scheduler knows it. */
  readonly #failed = new Map<number, string | undefined>();
  readonly #lent: string[] = [];
  #unfinished: number;
  #cause: Cause | undefined;
  #commands: Command[] = [];
  #ended = false;

  constructor(graph: ExecutionGraph, { jobs }: SchedulerOptions) {
    const rank = ranksOf(graph);
    this.#graph = graph;
    this.#jobs = jobs >= 1 ? Math.floor(jobs) : 1;
    this.#after = successors(graph.before);
    this.#pending = Int32Array.from(graph.before, (nodes) => nodes.length);
    this.#done = new Uint8Array(graph.size);
    this.#instant = new NodeHeap(rank);
    this.#queue = new NodeHeap(rank);
    this.#locks = new LockTable({ graph, done: this.#done, rank, wake: (node) => this.#ready(node) });
    this.#unfinished = graph.size;
    this.#pending.forEach((count, node) => {
      if (count === 0) this.#ready(node);
    });
  }

  handle(event: SchedulerEvent): readonly Command[] {
    if (this.#ended) return [];
    this.#commands = [];
    if (event.type === 'finished') this.#finish(event.target, event.outcome);
    if (event.type === 'deadline') this.#expire(event.targets);
    if (event.type === 'stop') this.#halt({ kind: 'stop', message: event.message }, new Map());
    this.#advance();
    return this.#commands;
  }

  #advance(): void {
    while (this.#cause === undefined && this.#step());
    if (this.#running.size > 0) return;
    this.#ended = true;
    this.#failOpenComposites();
    const status = this.#cause === undefined ? 'success' : 'failed';
    const result: RunResult = { status, cause: this.#cause, lent: this.#lent };
    this.#commands.push({ type: 'finished', result });
  }

  /** One node further; false when only an event can help, or all is finished. */
  #step(): boolean {
    const instant = this.#instant.pop();
    const next = instant ?? (this.#running.size < this.#jobs ? this.#queue.pop() : undefined);
    if (next !== undefined) {
      if (next === instant || this.#locks.take(next)) this.#enter(next);
      return true;
    }
    if (this.#running.size > 0 || this.#unfinished === 0) return false;
    this.#enterAnyway();
    return true;
  }

  #enterAnyway(): void {
    const { node, lent } = this.#locks.lend();
    if (lent) this.#lent.push(this.#target(this.#graph.owner[node]!).name);
    this.#enter(node);
  }

  #ready(node: number): void {
    const needsSlot = this.#graph.owner[node] === node && this.#target(node).runnable;
    const competes = needsSlot || this.#locks.isNeededBy(node);
    (competes ? this.#queue : this.#instant).push(node);
  }

  #enter(node: number): void {
    const owner = this.#graph.owner[node]!;
    if (owner !== node) {
      if (isStart(this.#graph, node)) this.#openScope(owner);
      return this.#settle(node);
    }
    const target = this.#target(node);
    if (!target.runnable) return this.#complete(node, target);
    this.#running.add(node);
    this.#commands.push({ type: 'start', target: target.name });
    this.#arm(node);
  }

  #openScope(composite: number): void {
    this.#opened.add(composite);
    this.#arm(composite);
  }

  #complete(index: number, target: GraphTarget): void {
    this.#disarm(index);
    this.#commands.push({ type: 'complete', target: target.name, status: 'success', line: completionLine(target) });
    this.#locks.release(index);
    this.#settle(index);
  }

  #settle(node: number): void {
    const { first, to } = this.#after;
    this.#done[node] = 1;
    this.#unfinished--;
    for (let at = first[node]!; at < first[node + 1]!; at++) {
      const later = to[at]!;
      if (--this.#pending[later]! === 0) this.#ready(later);
    }
  }

  #finish(name: string, outcome: 'success' | 'failed'): void {
    const index = this.#indexOf(name);
    if (!this.#running.delete(index)) return;
    this.#disarm(index);
    this.#locks.release(index);
    if (outcome === 'success') return this.#settle(index);
    this.#failed.set(index, undefined);
    this.#halt({ kind: 'failure', target: name, message: `target ${JSON.stringify(name)} failed` }, new Map());
  }

  #expire(names: readonly string[]): void {
    const expired = names.map((name) => this.#indexOf(name)).filter((index) => this.#armed.delete(index));
    const scopes = expired.filter((index) => this.#graph.startOf[index] !== NONE).sort((a, b) => a - b);
    for (const index of expired) if (this.#running.has(index)) this.#cancel(index, this.#timeoutOf(index));
    for (const scope of scopes) this.#failed.set(scope, this.#timeoutOf(scope).message);
    if (scopes.length > 0) this.#halt(this.#timeoutOf(scopes[0]!), this.#innermost(scopes));
  }

  /** For each node inside expired scopes the innermost of them: visited before those around it. */
  #innermost(scopes: readonly number[]): ReadonlyMap<number, Cause> {
    const walk = new ClosureWalk(this.#graph);
    const causes = new Map<number, Cause>();
    for (const scope of scopes) walk.visit(scope, (node) => causes.set(node, this.#timeoutOf(scope)));
    return causes;
  }

  #timeoutOf(index: number): Cause {
    const { name, timeoutMs } = this.#target(index);
    return { kind: 'timeout', target: name, message: timeoutMessage(name, timeoutMs!) };
  }

  /** Nothing starts from here on; what runs is ended, each target with its own cause where it has one. */
  #halt(cause: Cause, own: ReadonlyMap<number, Cause>): void {
    if (this.#cause !== undefined) return;
    this.#cause = cause;
    for (const index of [...this.#armed].sort((a, b) => a - b)) this.#disarm(index);
    const because = cause.kind === 'stop' ? cause : { ...cause, message: `stopped because ${cause.message}` };
    for (const index of [...this.#running].sort((a, b) => a - b)) this.#cancel(index, own.get(index) ?? because);
  }

  #cancel(index: number, why: Cause): void {
    if (this.#cancelled.has(index)) return;
    this.#cancelled.add(index);
    this.#commands.push({ type: 'cancel', target: this.#target(index).name, why });
  }

  /** An open composite fails with a member; one that nothing failed in, or that never opened, leaves no record. */
  #failOpenComposites(): void {
    if (this.#cause === undefined) return;
    const { plan, links } = this.#graph;
    const stopped = this.#cause.kind === 'stop' ? this.#cause.message : undefined;
    plan.targets.forEach(({ name }, index) => {
      const inside = links.to.subarray(links.first[index], links.first[index + 1]);
      if (!this.#failed.has(index) && !inside.some((link) => this.#failed.has(link))) return;
      const message = this.#failed.get(index) ?? stopped;
      this.#failed.set(index, message);
      if (this.#opened.has(index)) this.#commands.push({ type: 'complete', target: name, status: 'failed', message });
    });
  }

  #arm(index: number): void {
    const { name, timeoutMs } = this.#target(index);
    if (timeoutMs === undefined) return;
    this.#armed.add(index);
    this.#commands.push({ type: 'arm-deadline', target: name, ms: timeoutMs });
  }

  #disarm(index: number): void {
    if (this.#armed.delete(index)) this.#commands.push({ type: 'disarm-deadline', target: this.#target(index).name });
  }

  #indexOf(name: string): number {
    return this.#graph.plan.indexOf.get(name) ?? NONE;
  }

  #target(index: number): GraphTarget {
    return this.#graph.plan.targets[index]!;
  }
}

/** Plan order of the owner; of one owner's nodes, the order of their numbers. */
function ranksOf({ size, owner }: ExecutionGraph): Int32Array {
  const nodes = Array.from({ length: size }, (_, node) => node).sort((a, b) => owner[a]! - owner[b]! || a - b);
  const rank = new Int32Array(size);
  nodes.forEach((node, position) => {
    rank[node] = position;
  });
  return rank;
}
