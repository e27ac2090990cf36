/** A file on the disk, whatever its names are. */
export interface FileIdentity {
  readonly dev: bigint;
  readonly ino: bigint;
}

/** What a slot says of its file; the numbers lie in memory that threads share. */
const FREE = 0;
const BEING_WRITTEN = 1;
const HELD = 2;
const BEING_CLOSED = 3;

const SLOTS = 4096;
const STATES_AT = 4;
const THREADS_AT = STATES_AT + SLOTS * 4;
const FILES_AT = THREADS_AT + (SLOTS + 1) * 4;

/** How long a new hold waits for another thread that is just closing the file, in milliseconds, and in steps of. */
const CLOSING_WAIT_MS = 40;
const CLOSING_STEP_MS = 2;

/**
 * The files that the threads of a process hold or are about to close, in memory that they share. Nothing here waits
 * for a lock, so that a thread that is ended anywhere leaves at most a slot behind.
 */
export class HoldTable {
  readonly memory: SharedArrayBuffer;
  /** Slots from this number on were never used. */
  readonly #used: Int32Array;
  readonly #states: Int32Array;
  readonly #threads: Int32Array;
  /** Device and inode of each slot. */
  readonly #files: BigUint64Array;

  constructor(memory: SharedArrayBuffer = new SharedArrayBuffer(FILES_AT + SLOTS * 16)) {
    this.memory = memory;
    this.#used = new Int32Array(memory, 0, 1);
    this.#states = new Int32Array(memory, STATES_AT, SLOTS);
    this.#threads = new Int32Array(memory, THREADS_AT, SLOTS);
    this.#files = new BigUint64Array(memory, FILES_AT, SLOTS * 2);
  }

  /** Returns the slot, or `undefined` when the table is full. Afterwards no thread is closing the file any more. */
  hold(file: FileIdentity, thread: number): number | undefined {
    const slot = this.#fill(file, { state: HELD, thread });
    // Whoever began to close before it could see this hold is waited for: we have no locks yet.
    if (slot !== undefined) this.#waitForClosers(file);
    return slot;
  }

  isHeld(file: FileIdentity): boolean {
    return this.#find(file, HELD) !== undefined;
  }

  /** Calls `close` unless the file is held, in such a way that no hold can begin in between. False when it is held. */
  closeUnlessHeld(file: FileIdentity, thread: number, close: () => void): boolean {
    const slot = this.#fill(file, { state: BEING_CLOSED, thread });
    if (slot === undefined) return false;
    try {
      if (this.isHeld(file)) return false;
      close();
      return true;
    } finally {
      this.free(slot);
    }
  }

  free(slot: number): void {
    Atomics.store(this.#states, slot, FREE);
    Atomics.notify(this.#states, slot);
  }

  /** For a thread that has ended: the system has closed what it had open. */
  freeAllOf(thread: number): void {
    for (let slot = 0; slot < this.#top(); slot += 1) {
      if (Atomics.load(this.#threads, slot) === thread && Atomics.load(this.#states, slot) !== FREE) this.free(slot);
    }
  }

  #fill({ dev, ino }: FileIdentity, { state, thread }: { readonly state: number; readonly thread: number }): number | undefined {
    const slot = this.#claim();
    if (slot === undefined) return undefined;
    Atomics.store(this.#threads, slot, thread);
    Atomics.store(this.#files, slot * 2, BigInt.asUintN(64, dev));
    Atomics.store(this.#files, slot * 2 + 1, BigInt.asUintN(64, ino));
    Atomics.store(this.#states, slot, state);
    return slot;
  }

  #claim(): number | undefined {
    for (let slot = 0; slot < SLOTS; slot += 1) {
      if (Atomics.compareExchange(this.#states, slot, FREE, BEING_WRITTEN) !== FREE) continue;
      for (let top = this.#top(); top <= slot; top = this.#top()) Atomics.compareExchange(this.#used, 0, top, slot + 1);
      return slot;
    }
    return undefined;
  }

  #find({ dev, ino }: FileIdentity, state: number): number | undefined {
    for (let slot = 0; slot < this.#top(); slot += 1) {
      if (Atomics.load(this.#states, slot) !== state) continue;
      const isSame =
        Atomics.load(this.#files, slot * 2) === BigInt.asUintN(64, dev) && Atomics.load(this.#files, slot * 2 + 1) === BigInt.asUintN(64, ino);
      if (isSame) return slot;
    }
    return undefined;
  }

  #waitForClosers(file: FileIdentity): void {
    for (let waited = 0; waited < CLOSING_WAIT_MS; waited += CLOSING_STEP_MS) {
      const slot = this.#find(file, BEING_CLOSED);
      if (slot === undefined) return;
      Atomics.wait(this.#states, slot, BEING_CLOSED, CLOSING_STEP_MS);
    }
  }

  #top(): number {
    return Atomics.load(this.#used, 0);
  }
}
