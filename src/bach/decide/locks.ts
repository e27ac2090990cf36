import type { ExecutionGraph } from './graph.ts';
import { isComposite } from './graph-target.ts';
import { NodeHeap } from './node-heap.ts';
import { NONE } from './shape.ts';

/** What a composite with a lock still has to wait for before it ends. */
interface Claim {
  /** The targets among it that have a lock. */
  readonly covered: ReadonlySet<number>;
  /** The nodes at which they and the composites among it take their locks. */
  readonly awaited: ReadonlySet<number>;
  /** Their locks, of those that composites hold: a wait for any other is short. */
  readonly needs: ReadonlySet<number>;
  /** Starts of composites that may not open before this one ends. */
  readonly refused: NodeHeap;
}

/** One level of a lock: the free floor, or a composite that holds it and passes it to what it covers. */
interface Hold {
  readonly scope: number;
  readonly covers: (target: number) => boolean;
  /** The target that uses this level, or the composite that holds the next; NONE when it is free. */
  user: number;
  readonly waiting: NodeHeap;
}

interface LockInput {
  readonly graph: ExecutionGraph;
  /** By node: 1 when finished. */
  readonly done: Uint8Array;
  readonly rank: Int32Array;
  /** Called for a waiting node that should try again. */
  readonly wake: (node: number) => void;
}

/**
 * The named locks of one run. A composite opens only when no open composite that it is no part of needs a lock that
 * it needs, too: so no two can wait for each other, whatever the order of their locks.
 */
export class LockTable {
  readonly #input: LockInput;
  readonly #lockOf: Int32Array;
  readonly #holds: Hold[][];
  /** Locks that composites hold. */
  readonly #heldLong = new Set<number>();
  readonly #open = new Map<number, Claim>();
  /** By lock: the open composites that need it. */
  readonly #claimants: Set<number>[];

  constructor(input: LockInput) {
    const { targets } = input.graph.plan;
    const ids = new Map<string, number>([['', NONE]]);
    for (const { lock } of targets) if (!ids.has(lock)) ids.set(lock, ids.size - 1);
    this.#input = input;
    this.#lockOf = Int32Array.from(targets, ({ lock }) => ids.get(lock)!);
    this.#holds = Array.from({ length: ids.size - 1 }, () => [this.#newHold(NONE, () => true)]);
    this.#claimants = Array.from({ length: ids.size - 1 }, () => new Set());
    targets.forEach((target, index) => {
      if (isComposite(target)) this.#heldLong.add(this.#lockOf[index]!);
    });
  }

  /** A target with a lock takes it when it starts, a composite when its scope does. */
  isNeededBy(node: number): boolean {
    const { owner, startOf } = this.#input.graph;
    const target = owner[node]!;
    return this.#lockOf[target] !== NONE && (startOf[target] === NONE || startOf[target] === node);
  }

  /** True when the node has its lock or has none; otherwise it waits and is woken later. */
  take(node: number): boolean {
    const target = this.#input.graph.owner[node]!;
    const lock = this.#lockOf[target]!;
    if (lock === NONE) return true;
    const level = this.#holds[lock]!.findLast((hold) => hold.covers(target))!;
    if (level.user !== NONE) {
      level.waiting.push(node);
      return false;
    }
    return this.#occupyUnlessRefused(node, lock);
  }

  /** Gives back what the target holds, if anything. */
  release(target: number): void {
    const lock = this.#lockOf[target]!;
    if (lock === NONE) return;
    const user = this.#holds[lock]!.find((hold) => hold.user === target)!;
    const claim = this.#open.get(target);
    user.user = claim === undefined ? NONE : this.#close(target, claim);
    this.#offer(lock);
  }

  /**
   * For when nothing runs and all wait: the first waiting node that an open composite needs gets its lock anyway;
   * `lent` when another holds it.
   */
  lend(): { readonly node: number; readonly lent: boolean } {
    const { rank, graph } = this.#input;
    const claims = [...this.#open.values()];
    const places = this.#holds.flatMap((holds) => holds.map((hold) => hold.waiting));
    places.push(...claims.map((claim) => claim.refused));
    const helpful = new NodeHeap(rank);
    for (const node of places.flatMap((place) => place.nodes)) {
      if (claims.some((claim) => claim.awaited.has(node))) helpful.push(node);
    }
    const first = helpful.pop()!;
    for (const place of places) place.extract((node) => node === first);
    const target = graph.owner[first]!;
    const lent = !this.#holds[this.#lockOf[target]!]!.at(-1)!.covers(target);
    this.#occupy(first, this.#claimOf(first));
    return { node: first, lent };
  }

  #occupyUnlessRefused(node: number, lock: number): boolean {
    const claim = this.#claimOf(node);
    const rival = claim === undefined ? undefined : this.#rivalOf(node, claim);
    if (rival === undefined) {
      this.#occupy(node, claim);
      return true;
    }
    rival.refused.push(node);
    this.#offer(lock);
    return false;
  }

  #claimOf(node: number): Claim | undefined {
    const { graph, done, rank } = this.#input;
    const composite = graph.owner[node]!;
    if (composite === node) return undefined;
    const unfinished = new Set([composite]);
    for (const reached of unfinished) {
      for (const earlier of graph.before[reached]!) if (done[earlier] === 0) unfinished.add(earlier);
    }
    const locked = [...unfinished].filter((other) => graph.owner[other] === other && this.#lockOf[other] !== NONE);
    const locks = locked.map((target) => this.#lockOf[target]!).filter((lock) => this.#heldLong.has(lock));
    const awaited = [...unfinished].filter((other) => this.isNeededBy(other));
    return { covered: new Set(locked), awaited: new Set(awaited), needs: new Set(locks), refused: new NodeHeap(rank) };
  }

  /** An open composite that the node is no part of, and that needs a lock of the claim. */
  #rivalOf(node: number, { needs }: Claim): Claim | undefined {
    const composite = this.#input.graph.owner[node]!;
    for (const lock of needs) {
      for (const other of this.#claimants[lock]!) {
        const claim = this.#open.get(other)!;
        if (!claim.covered.has(composite)) return claim;
      }
    }
    return undefined;
  }

  #occupy(node: number, claim: Claim | undefined): void {
    const target = this.#input.graph.owner[node]!;
    const holds = this.#holds[this.#lockOf[target]!]!;
    holds.at(-1)!.user = target;
    if (claim === undefined) return;
    holds.push(this.#newHold(target, (other) => claim.covered.has(other)));
    this.#open.set(target, claim);
    for (const lock of claim.needs) this.#claimants[lock]!.add(target);
  }

  /** Returns who uses the level of the composite now: nobody, unless its lock was lent to a composite still open. */
  #close(target: number, claim: Claim): number {
    const holds = this.#holds[this.#lockOf[target]!]!;
    // Nothing waits inside any more: what the composite covers has finished before it.
    const [ended] = holds.splice(holds.findIndex((hold) => hold.scope === target), 1);
    this.#open.delete(target);
    for (const lock of claim.needs) this.#claimants[lock]!.delete(target);
    for (const node of claim.refused.extract(() => true)) this.#input.wake(node);
    return ended!.user;
  }

  #offer(lock: number): void {
    const next = this.#holds[lock]!.at(-1)!.waiting.pop();
    if (next !== undefined) this.#input.wake(next);
  }

  #newHold(scope: number, covers: (target: number) => boolean): Hold {
    return { scope, covers, user: NONE, waiting: new NodeHeap(this.#input.rank) };
  }
}
