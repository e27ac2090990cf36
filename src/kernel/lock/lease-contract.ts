import type { Clock } from '../time/index.ts';
import type { Lock } from './lock.ts';

/** What a process knows of the machine it runs on; the wall clock decides nothing about a lease. */
export interface Machine {
  readonly clock: Pick<Clock, 'boot'>;
  /** `bootId()`, which is `undefined` where the system has no such name. */
  readonly bootId: string | undefined;
}

export interface LeaseRequest {
  /** What is leased. */
  readonly name: string;
  /** Who wants it, for people to read. */
  readonly holder: string;
  /** Tells this holder from every other for ever; whoever takes again with it gets the same lease back. */
  readonly token: string;
  /** How long the lease lasts without being renewed, in milliseconds. */
  readonly ttlMs: number;
  readonly machine: Machine;
  /**
   * An operating-system lock, in our hands, that every holder on this machine must have: with it, a lease that was
   * taken under the very same lock file since the machine was started is known to have no holder any more, and is free
   * at once. A holder under another file, as in another container of the machine, is waited for like one elsewhere.
   */
  readonly lock?: Lock | undefined;
}

/** A lease in our hands, for as long as nobody takes it over. It is plain data and may be handed to a thread. */
export interface Lease {
  readonly name: string;
  readonly holder: string;
  readonly token: string;
  /** Grows each time that the lease changes hands; what is written under the lease carries it. */
  readonly epoch: number;
  readonly ttlMs: number;
}

export type Taking =
  | { readonly outcome: 'taken'; readonly lease: Lease }
  | {
      readonly outcome: 'held';
      readonly heldBy: string;
      readonly epoch: number;
      /** How long it lasts if it is not renewed, in milliseconds. */
      readonly remainingMs: number;
    };
