import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { expect } from 'vitest';
import type { Schema, Sql } from '../../../src/kernel/sql/index.ts';

/** Where a daemon can be told to stop itself. */
export type Border = 'taken' | 'kept' | 'before-write' | 'in-transaction' | 'after-write';

export interface DaemonOrder {
  readonly holder: string;
  readonly address: { readonly path: string } | { readonly url: string };
  readonly schema: Schema;
  readonly ttlMs: number;
  readonly bootId: string;
  readonly workerFile: string;
  readonly journalPath: string;
  readonly lockPath?: string;
  readonly stopAt?: Border | undefined;
}

/** What a daemon says; `epoch` and `code` where they matter. */
export interface DaemonWord {
  readonly word: 'ready' | 'locked' | 'held' | 'wrote' | 'refused' | 'stopping';
  readonly holder: string;
  readonly epoch: number;
  readonly code: string;
}

/** Daemons that were started together; all that they said, in the order in which it came. */
export class Daemons {
  readonly words: DaemonWord[] = [];
  readonly #children = new Map<string, ChildProcess>();
  readonly #waiting = new Set<() => void>();

  start(program: string, order: DaemonOrder): void {
    const child = spawn(process.execPath, [program, JSON.stringify(order)], { stdio: ['ignore', 'pipe', 'inherit'] });
    this.#children.set(order.holder, child);
    createInterface(child.stdout).on('line', (line) => {
      this.words.push(JSON.parse(line) as DaemonWord);
      for (const look of this.#waiting) look();
    });
  }

  /** Resolves with the first word from the `from`-th on that is looked for. */
  said(isIt: (word: DaemonWord) => boolean, from = 0): Promise<DaemonWord> {
    return new Promise((resolve) => {
      const look = (): void => {
        const found = this.words.slice(from).find(isIt);
        if (found === undefined) return;
        this.#waiting.delete(look);
        resolve(found);
      };
      this.#waiting.add(look);
      look();
    });
  }

  pidOf(holder: string): number {
    return this.#children.get(holder)?.pid ?? 0;
  }

  send(holder: string, signal: NodeJS.Signals): void {
    this.#children.get(holder)?.kill(signal);
  }

  async kill(holder: string): Promise<void> {
    const child = this.#children.get(holder);
    this.#children.delete(holder);
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
    const closed = once(child, 'close');
    child.kill('SIGKILL');
    await closed;
  }

  async end(): Promise<void> {
    await Promise.all([...this.#children.keys()].map((holder) => this.kill(holder)));
  }
}

/** Each epoch has one writer, and no epoch writes once the next one has. */
export async function expectFenced(sql: Sql): Promise<void> {
  const order = sql.dialect === 'sqlite' ? 'rowid' : 'seen';
  const rows = await sql.query(`SELECT text, epoch FROM notes ORDER BY ${order}`);
  const epochs = rows.map(({ epoch }) => Number(epoch));
  expect(epochs).toEqual(epochs.toSorted((a, b) => a - b));
  const writers = new Set(rows.map(({ text, epoch }) => `${epoch} ${text}`));
  expect(writers.size).toBe(new Set(epochs).size);
}
