import type { Before } from './barriers.ts';
import { ClosureWalk } from './closure.ts';
import { NodeSet } from './node-set.ts';
import { childrenOf, compositesOutermostFirst, dependenciesOf, NONE, type Shape } from './shape.ts';

/**
 * Holds back what a composite contains: until what it depends on is finished, and, when it has a lock or a timeout,
 * until its scope opens. What is ordered before that anyway stays free. Outermost first: what an outer composite
 * depends on must not wait for an inner one that shares it.
 */
export function gateScopes(shape: Shape, before: Before): void {
  const gates = new ScopeGates(shape, before);
  const composites = compositesOutermostFirst(shape);
  for (const composite of composites) gates.holdForDependencies(composite);
  for (const composite of composites) gates.holdForOpening(composite);
}

/** A composite with a lock, as far as others have to keep out of its way. */
interface LockedScope {
  readonly composite: number;
  /** What has to finish while it is open. */
  readonly awaited: Int32Array;
  /** Locks of composites that are taken meanwhile. */
  readonly needs: ReadonlySet<string>;
}

class ScopeGates {
  readonly #shape: Shape;
  readonly #before: Before;
  readonly #walk: ClosureWalk;
  /** Locks that composites hold. */
  readonly #heldLong: ReadonlySet<string>;
  readonly #locked: LockedScope[] = [];
  /** What the composite at hand contains. */
  readonly #inside: NodeSet;
  /** Before the opening of a scope. */
  readonly #ordered: NodeSet;
  /** Before the end of a scope, or of what it is compared with. */
  readonly #earlier: NodeSet;
  readonly #held: NodeSet;

  constructor(shape: Shape, before: Before) {
    const composites = shape.plan.targets.filter((_, index) => shape.startOf[index] !== NONE);
    this.#shape = shape;
    this.#before = before;
    this.#walk = new ClosureWalk(shape);
    this.#heldLong = new Set(composites.map(({ lock }) => lock).filter((lock) => lock !== ''));
    this.#inside = new NodeSet(shape.size);
    this.#ordered = new NodeSet(shape.size);
    this.#earlier = new NodeSet(shape.size);
    this.#held = new NodeSet(shape.size);
  }

  holdForDependencies(composite: number): void {
    const dependencies = dependenciesOf(this.#shape.links, composite);
    if (dependencies.length === 0) return;
    this.#inside.clear();
    this.#addContents(composite);
    this.#hold(composite, dependencies);
  }

  /** With neither lock nor timeout an opening makes no difference. */
  holdForOpening(composite: number): void {
    const { lock, timeoutMs } = this.#shape.plan.targets[composite]!;
    if (lock === '' && timeoutMs === undefined) return;
    this.#inside.clear();
    this.#addContents(composite);
    if (lock !== '') this.#keepApart(composite, lock);
    this.#hold(composite, [this.#shape.startOf[composite]!]);
  }

  #addContents(composite: number): void {
    const add = (node: number) => this.#inside.add(node);
    this.#walk.restart();
    for (const child of childrenOf(this.#shape.links, composite)) this.#walk.visit(child, add);
  }

  #hold(composite: number, gates: Iterable<number>): void {
    this.#ordered.fillWithPredecessors(this.#before, this.#shape.startOf[composite]!);
    this.#held.clear();
    for (const node of this.#inside.nodes) {
      if (this.#ordered.has(node)) continue;
      const waits = this.#before[node]!;
      if (!waits.some((other) => this.#held.has(other))) waits.push(...gates);
      this.#held.add(node);
    }
  }

  #keepApart(composite: number, lock: string): void {
    this.#ordered.fillWithPredecessors(this.#before, this.#shape.startOf[composite]!);
    this.#earlier.fillWithPredecessors(this.#before, composite);
    const awaited = this.#earlier.nodes.filter((node) => !this.#ordered.has(node));
    const locks = new Set(awaited.map((node) => this.#lockOf(node)));
    const needs = new Set([...locks].filter((other) => this.#heldLong.has(other)));
    this.#openAfterRivals({ composite, awaited: Int32Array.from(awaited), needs });
    this.#openAfterStrangers(composite, awaited.filter((node) => node !== composite && this.#lockOf(node) === lock));
  }

  /**
   * Two composites that wait for the same target while they are open, and that need one lock, cannot both be open.
   * The later one waits for the whole of the earlier; what they share has then finished before its scope.
   */
  #openAfterRivals(scope: LockedScope): void {
    const start = this.#shape.startOf[scope.composite]!;
    const awaited = new Set(scope.awaited);
    for (const rival of this.#locked.toReversed()) {
      const cannotMeet = awaited.has(rival.composite) || this.#ordered.has(rival.composite);
      if (cannotMeet || !overlap(scope.needs, rival.needs)) continue;
      if (!rival.awaited.some((node) => awaited.has(node))) continue;
      this.#earlier.fillWithPredecessors(this.#before, rival.composite);
      if (this.#earlier.has(start)) continue;
      this.#before[start]!.push(rival.composite);
      this.#ordered.fillWithPredecessors(this.#before, start);
    }
    this.#locked.push(scope);
  }

  /**
   * What it waits for without containing it, and what takes the same lock, runs before it opens; where that waits for
   * a member in turn, it counts as contained. Outer composites come first, so their contents follow them.
   */
  #openAfterStrangers(composite: number, sameLock: readonly number[]): void {
    for (const node of sameLock.toSorted((a, b) => b - a)) {
      if (this.#inside.has(node)) continue;
      this.#earlier.fillWithPredecessors(this.#before, node);
      const needsMember = this.#earlier.nodes.some((earlier) => this.#inside.has(earlier));
      if (needsMember) this.#contain(node);
      else this.#before[this.#shape.startOf[composite]!]!.push(node);
    }
  }

  #contain(stranger: number): void {
    const start = this.#shape.startOf[stranger]!;
    if (start === NONE) return;
    this.#inside.add(start);
    this.#addContents(stranger);
  }

  #lockOf(node: number): string {
    return this.#shape.owner[node] === node ? this.#shape.plan.targets[node]!.lock : '';
  }
}

function overlap(some: ReadonlySet<string>, others: ReadonlySet<string>): boolean {
  return [...some].some((one) => others.has(one));
}
