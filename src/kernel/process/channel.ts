import type { ChildProcess } from 'node:child_process';
import type { Socket } from 'node:net';

/** The child's end of the channel. */
export const CHANNEL = 3;

/**
 * The pipe between us and the process that we put around a program. Only we hold our end (it is closed in every
 * program that we start), so that its end tells the other side that we are gone. Words go down, lines come up.
 */
export class Channel {
  /** Resolves when the other side is gone. */
  readonly closed: Promise<void>;
  readonly #socket: Socket;
  readonly #lines: string[] = [];
  readonly #waiting = new Set<() => void>();
  #rest = '';
  #isClosed = false;

  constructor(child: ChildProcess) {
    this.#socket = child.stdio[CHANNEL] as Socket;
    this.closed = new Promise((resolve) => {
      this.#socket.once('close', () => {
        this.#isClosed = true;
        this.#wake();
        resolve();
      });
    });
    // A wrapper that is gone is seen by `closed`; what we still wanted to say to it has no addressee.
    this.#socket.on('error', () => undefined);
    this.#socket.on('data', (bytes: Buffer) => this.#take(bytes));
    this.#socket.once('end', () => this.#socket.destroy());
  }

  get isClosed(): boolean {
    return this.#isClosed;
  }

  say(word: string): void {
    if (this.#socket.writable) this.#socket.write(`${word}\n`);
  }

  /** Has the other side do what it does when we are gone. */
  end(): void {
    this.say('END');
    this.#socket.end();
  }

  /** Waits no longer for the other side. */
  abandon(): void {
    this.#socket.destroy();
  }

  /** The first line that fits; `undefined` when the other side is gone without one. */
  async line(fits: (line: string) => boolean): Promise<string | undefined> {
    for (;;) {
      const found = this.#lines.find(fits);
      if (found !== undefined || this.#isClosed) return found;
      await new Promise<void>((resolve) => this.#waiting.add(resolve));
    }
  }

  /** Everything that came, for what has no end of its own. */
  get lines(): readonly string[] {
    return this.#lines;
  }

  #take(bytes: Buffer): void {
    const parts = `${this.#rest}${bytes.toString('latin1')}`.split('\n');
    this.#rest = parts.pop() ?? '';
    // An empty line only tries whether we are still there.
    this.#lines.push(...parts.filter((line) => line !== ''));
    this.#wake();
  }

  #wake(): void {
    for (const resolve of this.#waiting) resolve();
    this.#waiting.clear();
  }
}
