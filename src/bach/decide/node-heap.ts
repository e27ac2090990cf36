/** A set of nodes whose lowest rank comes out first. */
export class NodeHeap {
  readonly #rank: Int32Array;
  #nodes: number[] = [];

  constructor(rank: Int32Array) {
    this.#rank = rank;
  }

  get nodes(): readonly number[] {
    return this.#nodes;
  }

  push(node: number): void {
    let at = this.#nodes.push(node) - 1;
    for (let parent = (at - 1) >> 1; at > 0 && this.#isBefore(at, parent); parent = (at - 1) >> 1) {
      this.#swap(at, parent);
      at = parent;
    }
  }

  pop(): number | undefined {
    const top = this.#nodes[0];
    const last = this.#nodes.pop();
    if (last === undefined || this.#nodes.length === 0) return top;
    this.#nodes[0] = last;
    this.#sink();
    return top;
  }

  /** Takes out all nodes that match, in no order. */
  extract(matches: (node: number) => boolean): number[] {
    const taken = this.#nodes.filter(matches);
    if (taken.length === 0) return taken;
    const kept = this.#nodes.filter((node) => !matches(node));
    this.#nodes = [];
    for (const node of kept) this.push(node);
    return taken;
  }

  #sink(): void {
    for (let at = 0, child = this.#firstChild(0); child > at; child = this.#firstChild(at)) {
      this.#swap(at, child);
      at = child;
    }
  }

  /** The child that belongs above the node, or the node itself. */
  #firstChild(at: number): number {
    let first = at;
    for (let child = 2 * at + 1; child <= 2 * at + 2 && child < this.#nodes.length; child++) {
      if (this.#isBefore(child, first)) first = child;
    }
    return first;
  }

  #isBefore(a: number, b: number): boolean {
    return this.#rank[this.#nodes[a]!]! < this.#rank[this.#nodes[b]!]!;
  }

  #swap(a: number, b: number): void {
    const node = this.#nodes[a]!;
    this.#nodes[a] = this.#nodes[b]!;
    this.#nodes[b] = node;
  }
}
