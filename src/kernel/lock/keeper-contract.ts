import type { Schema, SqliteLibraryName, SqlValue, StoreAddress } from '../sql/index.ts';
import type { Loss } from './errors.ts';
import type { Lease } from './lease-contract.ts';

/** One statement that is run with every renewal, to show that the holder lives. */
export interface Beat {
  readonly sql: string;
  readonly params?: readonly SqlValue[];
}

/** What the thread is given; all of it is plain data. */
export interface KeepingOrder {
  readonly address: StoreAddress;
  readonly schema: Schema;
  readonly lease: Lease;
  readonly bootId: string | undefined;
  readonly beats: readonly Beat[];
  readonly journalPath: string;
  /** How long the main thread may be silent, in milliseconds. */
  readonly hungAfterMs: number;
  readonly library: SqliteLibraryName;
  /** The words that both threads share. */
  readonly memory: SharedArrayBuffer;
}

/** Why a lease is no longer kept. */
export type Ending =
  | { readonly kind: 'lost'; readonly loss: Loss }
  | { readonly kind: 'lapsed'; readonly reason: string }
  | { readonly kind: 'hung'; readonly silentMs: number }
  | { readonly kind: 'failed'; readonly reason: string };

/** What the thread says. */
export type KeeperMessage = { readonly kind: 'kept' } | Ending;

/** What the thread is told. */
export const STOP = 'stop';

/** Places in the shared memory. */
const TICKS = 0;
const RENEWALS = 1;
const OVER = 2;
const WORDS = 3;

/** What the two threads tell each other without a message: the one its turns, the other its renewals and its end. */
export class KeeperWords {
  readonly memory: SharedArrayBuffer;
  readonly #words: Int32Array;

  constructor(memory: SharedArrayBuffer = new SharedArrayBuffer(WORDS * Int32Array.BYTES_PER_ELEMENT)) {
    this.memory = memory;
    this.#words = new Int32Array(memory);
  }

  /** How often the main thread had its turn; the number only ever changes while it lives. */
  get ticks(): number {
    return Atomics.load(this.#words, TICKS);
  }

  get renewals(): number {
    return Atomics.load(this.#words, RENEWALS);
  }

  get isOver(): boolean {
    return Atomics.load(this.#words, OVER) !== 0;
  }

  tick(): void {
    Atomics.add(this.#words, TICKS, 1);
  }

  countRenewal(): void {
    Atomics.add(this.#words, RENEWALS, 1);
  }

  end(): void {
    Atomics.store(this.#words, OVER, 1);
  }
}
