import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describeSystemError } from '../../kernel/errors/index.ts';
import { mayBeAlive } from './run-lock.ts';
import type { RunFolder } from './run-folder.ts';
import type { RunStore } from './run-store.ts';

/**
 * Tells whether another run makes the same target at the same time: what one of them finds of the outputs may be what
 * the other has only begun to write. Each says so by a file in its folder, from before the command until after it.
 */
export class OtherRuns {
  readonly #store: RunStore;
  readonly #folder: RunFolder;
  readonly #root: string;
  /** Runs that were killed before we began, and changed nothing since. */
  readonly #dead: ReadonlySet<string>;

  constructor({ store, folder, root }: { readonly store: RunStore; readonly folder: RunFolder; readonly root: string }) {
    this.#store = store;
    this.#folder = folder;
    this.#root = root;
    this.#dead = new Set(store.unendedRuns().flatMap(({ id, logFolder }) => (mayBeAlive(resolve(root, logFolder)) ? [] : [id])));
  }

  begin(target: string): void {
    const path = this.#folder.markPath(target);
    try {
      writeFileSync(path, '', { flag: 'wx', mode: 0o600 });
    } catch (error) {
      throw describeSystemError(error, { action: 'create', path });
    }
  }

  /** To be called before the outputs are looked at. */
  end(target: string): void {
    rmSync(this.#folder.markPath(target), { force: true });
  }

  /** To be asked after the outputs were looked at; one that was killed meanwhile counts. */
  make(target: string): boolean {
    const others = this.#store.unendedRuns().filter(({ id }) => id !== this.#folder.id && !this.#dead.has(id));
    const name = this.#folder.markName(target);
    return others.some(({ logFolder }) => existsSync(join(resolve(this.#root, logFolder), name)));
  }
}
