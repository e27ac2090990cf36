import { once } from 'node:events';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { onTestFinished } from 'vitest';

/** A network between a store and its server that can be broken. */
export interface Proxy {
  readonly port: number;
  /** How many connections were made through it. */
  readonly connections: number;
  /** From now on nothing passes in either direction, and no connection ends. */
  partition(): void;
  /** New connections pass; those of the time before stay as dead as they were. */
  heal(): void;
  /** When these bytes pass on their way to the server, the answer is swallowed and the connection cut. */
  cutAfter(sent: string): void;
  /** Ends every connection. */
  cut(): void;
}

export async function proxyTo(target: number): Promise<Proxy> {
  const proxy = new BreakableProxy(target);
  onTestFinished(() => proxy.close());
  await proxy.listen();
  return proxy;
}

class BreakableProxy implements Proxy {
  port = 0;
  connections = 0;
  readonly #target: number;
  readonly #server: Server;
  readonly #pairs = new Set<Pair>();
  #isPartitioned = false;
  #fatal: string | undefined;

  constructor(target: number) {
    this.#target = target;
    this.#server = createServer((client) => this.#accept(client));
  }

  async listen(): Promise<void> {
    this.#server.listen(0, '127.0.0.1');
    await once(this.#server, 'listening');
    const address = this.#server.address();
    if (typeof address === 'object' && address !== null) this.port = address.port;
  }

  partition(): void {
    this.#isPartitioned = true;
    for (const pair of this.#pairs) pair.isDead = true;
  }

  heal(): void {
    this.#isPartitioned = false;
  }

  cutAfter(sent: string): void {
    this.#fatal = sent;
  }

  cut(): void {
    for (const pair of this.#pairs) pair.cut();
  }

  close(): void {
    this.cut();
    this.#server.close();
  }

  #accept(client: Socket): void {
    this.connections += 1;
    const server = this.#isPartitioned ? undefined : connect(this.#target, '127.0.0.1');
    const pair = new Pair(client, server);
    pair.isDead = this.#isPartitioned;
    this.#pairs.add(pair);
    client.on('data', (bytes) => {
      if (pair.isDead) return;
      server?.write(bytes);
      if (this.#fatal === undefined || !bytes.includes(this.#fatal)) return;
      this.#fatal = undefined;
      pair.isDead = true;
      // Only when the server has answered is it certain that it did what it was told.
      server?.once('data', () => pair.cut());
    });
    server?.on('data', (bytes) => {
      if (!pair.isDead) client.write(bytes);
    });
    for (const socket of [client, server]) {
      socket?.on('error', () => pair.cut());
      socket?.on('close', () => (pair.isDead ? undefined : pair.cut()));
    }
  }
}

class Pair {
  isDead = false;
  readonly #client: Socket;
  readonly #server: Socket | undefined;

  constructor(client: Socket, server: Socket | undefined) {
    this.#client = client;
    this.#server = server;
  }

  cut(): void {
    this.#client.destroy();
    this.#server?.destroy();
  }
}
