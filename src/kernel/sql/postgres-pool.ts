import type { Clock } from '../time/index.ts';
import { databaseClosed } from './errors.ts';
import { Places } from './places.ts';
import { isFault } from './postgres-error.ts';
import { connectSession, type Limit, type PostgresSession, type SessionOptions } from './postgres-session.ts';
import { pause } from './retry.ts';

export interface PoolOptions extends SessionOptions {
  /** The address without its password, for the errors. */
  readonly name: string;
  readonly size: number;
  readonly clock: Pick<Clock, 'mono'>;
  /** How long an unreachable server is tried, in milliseconds. */
  readonly connectTimeoutMs: number;
  /** How long a place is waited for while all connections are in use, in milliseconds. */
  readonly busyTimeoutMs: number;
}

/**
 * One try to connect, and the first answer of a connection that rested, take no longer: what a broken network
 * swallowed is given up and tried anew, so that a server that can be reached again is reached within five seconds.
 */
const CONNECT_MS = 4000;
const PROBE_MS = 2000;
const CONNECT_PAUSES_MS = [20, 50, 100, 200, 400] as const;
const LONGEST_CONNECT_PAUSE_MS = 500;

/** A few connections, made when they are needed and kept. */
export class PostgresPool {
  readonly #options: PoolOptions;
  readonly #places: Places;
  readonly #idle: PostgresSession[] = [];
  #isClosed = false;

  constructor(options: PoolOptions) {
    this.#options = options;
    this.#places = new Places(options);
  }

  /**
   * A connection that answered to `first`, which is how it shows that it lives; the caller gives it back.
   * Rejects with `database-busy`, `database-closed`, the signal's reason, or a `PostgresFault`.
   */
  async take(first: string, signal: AbortSignal | undefined): Promise<PostgresSession> {
    await this.#places.take(signal);
    try {
      return await this.#living(first, signal);
    } catch (error) {
      this.#places.leave();
      throw error;
    }
  }

  giveBack(session: PostgresSession): void {
    if (this.#isClosed) void session.end();
    else if (!session.isBroken) this.#idle.push(session);
    this.#places.leave();
  }

  /** Closes what is not in use; what is given back later is closed then. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await Promise.all(this.#idle.splice(0).map((session) => session.end()));
  }

  async #living(first: string, signal: AbortSignal | undefined): Promise<PostgresSession> {
    const { clock, connectTimeoutMs } = this.#options;
    const deadline = clock.mono() + connectTimeoutMs;
    for (let attempt = 0; ; attempt += 1) {
      if (this.#isClosed) throw databaseClosed({ path: this.#options.name });
      const isNew = this.#idle.length === 0;
      try {
        return await this.#answering(first, signal);
      } catch (error) {
        if (!isFault(error, 'lost') || clock.mono() >= deadline) throw error;
      }
      // What swallowed one connection has the others as well.
      for (const session of this.#idle.splice(0)) session.destroy();
      if (isNew) await pause(CONNECT_PAUSES_MS[attempt] ?? LONGEST_CONNECT_PAUSE_MS, signal);
    }
  }

  async #answering(first: string, signal: AbortSignal | undefined): Promise<PostgresSession> {
    const { connectTimeoutMs } = this.#options;
    const connecting: Limit = { timeoutMs: Math.min(CONNECT_MS, connectTimeoutMs), signal };
    const rested = this.#idle.pop();
    const session = rested ?? (await connectSession(this.#options, connecting));
    try {
      await session.send(first, [], rested === undefined ? connecting : { timeoutMs: Math.min(PROBE_MS, connectTimeoutMs), signal });
      return session;
    } catch (error) {
      session.destroy();
      throw error;
    }
  }
}
