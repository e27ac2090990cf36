import type { Clock } from '../time/index.ts';
import type { Schema } from './migrate.ts';

/** A file for SQLite, or the address of a PostgreSQL database with what may stand in one. */
export type StoreAddress = { readonly path: string } | PostgresAddress;

export interface PostgresAddress {
  /** `postgres://user@host:5432/name`; a password in it is never shown. */
  readonly url: string;
  /** What the server's own list of connections shows. Default `drover`. */
  readonly applicationName?: string;
  /** The most connections at a time. Default 4. */
  readonly poolSize?: number;
  /** How long an unreachable server is tried, in milliseconds. Default 10,000. */
  readonly connectTimeoutMs?: number;
  /** How long one statement may take, in milliseconds. Default 10,000. */
  readonly statementTimeoutMs?: number;
}

export type StoreOptions = StoreAddress & OpeningOptions;

export interface OpeningOptions {
  readonly clock: Clock;
  /** Brought up to date before the store is given out. */
  readonly schema: Schema;
  /** How long a call waits for others who are in its way, in milliseconds. */
  readonly busyTimeoutMs: number;
  /** Ends the opening. */
  readonly signal?: AbortSignal;
}
