import type { Socket } from 'node:net';
import type { SqlValue } from './contract.ts';
import { postgresClient, type PostgresClient, type PostgresResult } from './postgres-driver.ts';
import { PostgresFault } from './postgres-error.ts';

export interface SessionOptions {
  readonly url: string;
  readonly applicationName: string;
  /** Sent once when the connection stands. */
  readonly settings: string;
}

const GOODBYE_MS = 1000;

/** Connects within the limit, or rejects with a `PostgresFault` or the signal's reason. */
export async function connectSession({ url, applicationName, settings }: SessionOptions, limit: Limit): Promise<PostgresSession> {
  // Loaded here: most programs speak to no server.
  const socket = new (process.getBuiltinModule('node:net').Socket)();
  const session = new PostgresSession(postgresClient({ url, applicationName, socket }), socket);
  try {
    await session.connect(settings, limit);
    return session;
  } catch (error) {
    session.destroy();
    throw error;
  }
}

export interface Limit {
  readonly timeoutMs: number;
  readonly signal?: AbortSignal | undefined;
}

/** One connection. A statement that is not answered in time, or no longer wanted, costs the connection. */
export class PostgresSession {
  readonly #client: PostgresClient;
  readonly #socket: Socket;
  #isBroken = false;

  constructor(client: PostgresClient, socket: Socket) {
    this.#client = client;
    this.#socket = socket;
    // The statement that is under way is told; without a listener the process would end.
    client.on('error', () => this.destroy());
    client.on('end', () => this.destroy());
  }

  /** True once nothing can be sent through it any more. */
  get isBroken(): boolean {
    return this.#isBroken;
  }

  /** Called once, before anything else. */
  async connect(settings: string, limit: Limit): Promise<void> {
    await this.#within(limit, async () => {
      await this.#client.connect();
      await this.#client.query(settings);
    });
  }

  /** Rejects with a `PostgresFault` or the signal's reason. */
  async send(text: string, params: readonly SqlValue[], limit: Limit): Promise<PostgresResult> {
    return this.#within(limit, () => this.#client.query<Record<string, SqlValue>>(text, [...params]));
  }

  /** Statements without parameters, several in one text. */
  async script(text: string, limit: Limit): Promise<void> {
    await this.#within(limit, () => this.#client.query(text));
  }

  /** Says goodbye to the server, without waiting for long. */
  async end(): Promise<void> {
    if (this.#isBroken) return;
    await this.#within({ timeoutMs: GOODBYE_MS }, () => this.#client.end()).catch(() => undefined);
    this.destroy();
  }

  /** Cuts the connection; the server undoes what was not committed as soon as it sees that. */
  destroy(): void {
    this.#isBroken = true;
    this.#socket.destroy();
  }

  async #within<Result>({ timeoutMs, signal }: Limit, work: () => Promise<Result>): Promise<Result> {
    signal?.throwIfAborted();
    let isLate = false;
    const cut = (): void => this.destroy();
    let isOver = false;
    const late = (): void => {
      isLate = !isOver;
      if (isLate) cut();
    };
    // A process that was stopped finds its timers expired before it reads the answer that has come long since.
    const timer = setTimeout(() => setImmediate(late), timeoutMs);
    signal?.addEventListener('abort', cut, { once: true });
    try {
      return await work();
    } catch (error) {
      const fault = new PostgresFault(error, isLate ? `no answer within ${Math.round(timeoutMs)} ms` : undefined);
      if (fault.kind === 'lost') this.destroy();
      signal?.throwIfAborted();
      throw fault;
    } finally {
      isOver = true;
      clearTimeout(timer);
      signal?.removeEventListener('abort', cut);
    }
  }
}
