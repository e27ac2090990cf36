import { closeSync, constants } from 'node:fs';
import { lstat, mkdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { describeSystemError } from '../errors/index.ts';
import { openDescriptor, statDescriptor, syncDescriptor } from './calls.ts';
import { openRegular, type Opened } from './descriptor.ts';
import { durablePoint } from './durable-point.ts';
import { pathMoved } from './errors.ts';
import { closeDescriptor } from './held.ts';
import type { Place } from './place.ts';
import { whereFoldersSync } from './sync.ts';

const FOLDER = constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NONBLOCK;

interface Standing {
  readonly path: string;
  readonly descriptor: number;
  readonly anchored: boolean;
}

/**
 * One folder that is open. Where it is anchored, its names are used through its descriptor, so that nothing that is
 * done to the folders above leads elsewhere; else through its path, and `guard` tells when that led elsewhere.
 */
export class FolderHandle implements Place {
  readonly path: string;
  readonly descriptor: number;
  readonly anchored: boolean;

  private constructor({ path, descriptor, anchored }: Standing) {
    this.path = path;
    this.descriptor = descriptor;
    this.anchored = anchored;
  }

  /** Follows links: the folder that is trusted. Throws what the system throws. */
  static async open(path: string, { anchored }: { readonly anchored: boolean }): Promise<FolderHandle> {
    return new FolderHandle({ path, anchored, descriptor: await openDescriptor(path, FOLDER) });
  }

  at(name: string): string {
    return join(this.#way(), name);
  }

  /** The folder itself, for what needs it and not a name in it. */
  itself(): string {
    return this.anchored ? `${this.#way()}/.` : this.path;
  }

  sync(): Promise<void> {
    return whereFoldersSync(() => syncDescriptor(this.descriptor));
  }

  /** Throws `symlink-refused` for a link, and what the system throws. */
  async child(name: string): Promise<FolderHandle> {
    const path = join(this.path, name);
    try {
      const descriptor = await this.guardOpening(() => openDescriptor(this.at(name), FOLDER | constants.O_NOFOLLOW), closeSync);
      return new FolderHandle({ path, anchored: this.anchored, descriptor });
    } catch (error) {
      throw (await this.#isLink(name)) ? describeSystemError({ code: 'ELOOP' }, { action: 'open', path }) : error;
    }
  }

  /** As `child`; makes it, durably, where nothing has this name. */
  async ensureChild(name: string, mode: number): Promise<FolderHandle> {
    try {
      durablePoint('folder:before');
      await this.guard(() => mkdir(this.at(name), { mode }));
      durablePoint('folder:after');
      await this.sync();
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    }
    return this.child(name);
  }

  /** A regular file that is not held and not a link; to be closed with `closeDescriptor`. */
  file(name: string, flags: number): Promise<Opened> {
    const opening = { place: this.at(name), path: join(this.path, name), flags, links: 'refuse', anchored: this.anchored } as const;
    return this.guardOpening(() => openRegular(opening), ({ descriptor, stats }) => closeDescriptor(descriptor, stats));
  }

  /** Throws `path-moved` when the path of this folder led to another one before or after the work. */
  async guard<Result>(work: () => Promise<Result>): Promise<Result> {
    await this.#verify();
    try {
      return await work();
    } finally {
      await this.#verify();
    }
  }

  /** As `guard`; closes what was opened when that is not what was meant. */
  async guardOpening<Result>(work: () => Promise<Result>, close: (opened: Result) => void): Promise<Result> {
    await this.#verify();
    const opened = await work();
    try {
      await this.#verify();
      return opened;
    } catch (error) {
      close(opened);
      throw error;
    }
  }

  close(): void {
    closeSync(this.descriptor);
  }

  #way(): string {
    return this.anchored ? `/proc/self/fd/${this.descriptor}` : this.path;
  }

  async #verify(): Promise<void> {
    if (this.anchored) return;
    const [opened, found] = await Promise.all([statDescriptor(this.descriptor), identityAt(this.path)]);
    if (found?.dev !== opened.dev || found.ino !== opened.ino) throw pathMoved({ path: this.path });
  }

  /** For the message alone: the system calls a link in the place of a folder no folder. */
  async #isLink(name: string): Promise<boolean> {
    try {
      return (await lstat(this.at(name))).isSymbolicLink();
    } catch {
      // Gone since: what the system said first is reported.
      return false;
    }
  }
}

async function identityAt(path: string): Promise<{ readonly dev: bigint; readonly ino: bigint } | undefined> {
  try {
    return await stat(path, { bigint: true });
  } catch {
    // Nothing there, or no way to it: it is not the folder that was opened.
    return undefined;
  }
}
