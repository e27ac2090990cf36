export interface Components {
  /** The component of each node. */
  readonly of: Int32Array;
  readonly count: number;
}

const UNSEEN = -1;

/**
 * Strongly connected components (Tarjan), on explicit stacks. A graph is free of cycles longer than one node
 * when there are as many components as nodes.
 */
export function components(links: readonly (readonly number[])[]): Components {
  const search = new Search(links);
  for (let node = 0; node < links.length; node++) search.from(node);
  return { of: search.component, count: search.count };
}

class Search {
  readonly component: Int32Array;
  count = 0;
  readonly #links: readonly (readonly number[])[];
  readonly #entered: Int32Array;
  readonly #lowest: Int32Array;
  readonly #next: Int32Array;
  readonly #path: number[] = [];
  readonly #unassigned: number[] = [];
  #clock = 0;

  constructor(links: readonly (readonly number[])[]) {
    this.#links = links;
    this.component = new Int32Array(links.length).fill(UNSEEN);
    this.#entered = new Int32Array(links.length).fill(UNSEEN);
    this.#lowest = new Int32Array(links.length);
    this.#next = new Int32Array(links.length);
  }

  from(root: number): void {
    this.#enter(root);
    for (let node = this.#path.at(-1); node !== undefined; node = this.#path.at(-1)) this.#advance(node);
  }

  #enter(node: number): void {
    if (this.#entered[node] !== UNSEEN) return;
    this.#entered[node] = this.#clock;
    this.#lowest[node] = this.#clock;
    this.#clock++;
    this.#path.push(node);
    this.#unassigned.push(node);
  }

  #advance(node: number): void {
    const link = this.#links[node]![this.#next[node]!];
    if (link === undefined) return this.#leave(node);
    this.#next[node]!++;
    this.#enter(link);
    if (this.component[link] === UNSEEN) this.#lower(node, this.#entered[link]!);
  }

  #leave(node: number): void {
    this.#path.pop();
    const parent = this.#path.at(-1);
    if (parent !== undefined) this.#lower(parent, this.#lowest[node]!);
    if (this.#lowest[node] !== this.#entered[node]) return;
    for (let member = UNSEEN; member !== node; ) {
      member = this.#unassigned.pop()!;
      this.component[member] = this.count;
    }
    this.count++;
  }

  #lower(node: number, value: number): void {
    this.#lowest[node] = Math.min(this.#lowest[node]!, value);
  }
}
