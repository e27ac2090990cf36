/** A set of nodes that is cheap to empty and keeps the order of addition. */
export class NodeSet {
  readonly #markedIn: Int32Array;
  #generation = 1;
  #nodes: number[] = [];

  constructor(size: number) {
    this.#markedIn = new Int32Array(size);
  }

  get nodes(): readonly number[] {
    return this.#nodes;
  }

  has(node: number): boolean {
    return this.#markedIn[node] === this.#generation;
  }

  add(node: number): void {
    if (this.has(node)) return;
    this.#markedIn[node] = this.#generation;
    this.#nodes.push(node);
  }

  clear(): void {
    this.#generation++;
    this.#nodes = [];
  }

  /** Makes it the node with all that comes before it. */
  fillWithPredecessors(before: readonly (readonly number[])[], node: number): void {
    this.clear();
    this.add(node);
    for (let at = 0; at < this.#nodes.length; at++) {
      for (const earlier of before[this.#nodes[at]!]!) this.add(earlier);
    }
  }
}
