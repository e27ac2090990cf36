import type { Links } from './links.ts';

interface ClosureShape {
  readonly links: Links;
  /** By target: its scope start, or -1. */
  readonly startOf: Int32Array;
  /** By target: the barrier after a pipeline's first step, or -1. */
  readonly barrierOf: Int32Array;
}

/** Walks closures (a target with all it depends on and all its steps and members), each node once per generation. */
export class ClosureWalk {
  readonly #shape: ClosureShape;
  readonly #seen: Int32Array;
  readonly #path: Int32Array;
  readonly #next: Int32Array;
  #generation = 1;

  constructor(shape: ClosureShape) {
    const size = shape.startOf.length;
    this.#shape = shape;
    this.#seen = new Int32Array(size);
    this.#path = new Int32Array(size);
    this.#next = new Int32Array(size);
  }

  /** Forgets what was seen. */
  restart(): void {
    this.#generation++;
  }

  /**
   * Calls `leave` for each unseen node: dependencies, a composite's scope start, its children with a barrier
   * between two of a pipeline, itself.
   */
  visit(root: number, leave: (node: number) => void): void {
    const { first, to } = this.#shape.links;
    let depth = this.#push(root, 0);
    while (depth > 0) {
      const target = this.#path[depth - 1]!;
      const at = this.#next[depth - 1]!++;
      const end = first[target + 1]!;
      if (this.#shape.startOf[target]! >= 0) this.#leaveBetween(target, at, leave);
      if (at < end) depth = this.#push(to[at]!, depth);
      if (at >= end) {
        depth--;
        leave(target);
      }
    }
  }

  #leaveBetween(target: number, at: number, leave: (node: number) => void): void {
    const { startOf, barrierOf, links } = this.#shape;
    const children = at - links.firstChild[target]!;
    if (children === 0) leave(startOf[target]!);
    const isBetween = children > 0 && at < links.first[target + 1]!;
    if (isBetween && barrierOf[target]! >= 0) leave(barrierOf[target]! + children - 1);
  }

  #push(target: number, depth: number): number {
    if (this.#seen[target] === this.#generation) return depth;
    this.#seen[target] = this.#generation;
    this.#path[depth] = target;
    this.#next[depth] = this.#shape.links.first[target]!;
    return depth + 1;
  }
}
