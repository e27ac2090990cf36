import type { BigIntStats } from 'node:fs';
import { rmdir, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import { describeSystemError } from '../errors/index.ts';
import { containedPath } from '../paths/index.ts';
import { hasDescriptorPaths } from './descriptor.ts';
import { folderClosed, pathOutside, undecodableName } from './errors.ts';
import { FolderHandle } from './folder-handle.ts';
import { lookAt, moveBetween, openIn, readWhole, type FileUse } from './folder-work.ts';
import { refuseHeld } from './held.ts';
import { listEntries, type FolderEntry } from './list.ts';
import type { ReadOptions } from './read.ts';
import { removeIn } from './remove.ts';
import { replaceIn, type ReplaceOptions } from './replace.ts';
import { safeFile, type SafeFile } from './safe-file.ts';
import { writeNewIn } from './write-new.ts';

/**
 * A folder below which no symbolic link is ever followed, also when somebody swaps one in at that very moment.
 * Paths are relative to it (or absolute below it); each method throws `path-outside`, `symlink-refused`,
 * `undecodable-name`, `file-held`, `path-moved` (only where the system has no `/proc/self/fd`), and what the system
 * refuses, with the path.
 */
export interface SafeFolder {
  readonly path: string;
  /** Throws `not-a-regular-file`, `not-a-file` (a folder). */
  open(path: string, use: FileUse): Promise<SafeFile>;
  /** Throws `not-found`, `file-too-large`. */
  read(path: string, options?: ReadOptions): Promise<Uint8Array>;
  /** As `writeNew`. */
  writeNew(path: string, data: string | Uint8Array, options?: ReplaceOptions): Promise<void>;
  /** As `replaceFile`; a link there is replaced, not followed. */
  replace(path: string, data: string | Uint8Array, options?: ReplaceOptions): Promise<void>;
  /** Moves a file, folder or link durably, over a file that is there. */
  rename(from: string, to: string): Promise<void>;
  /** Makes it durably, and those above; mode 0700 unless told otherwise. */
  ensureFolder(path: string, options?: { readonly mode?: number }): Promise<void>;
  /** Sorted by bytes. */
  list(path?: string): Promise<readonly FolderEntry[]>;
  /** What stands there, a link itself; `undefined` for nothing. */
  look(path: string): Promise<BigIntStats | undefined>;
  /** A file, a link itself, or an empty folder, durably. */
  remove(path: string): Promise<'removed' | 'missing'>;
  /** A folder below as one of its own, to be closed by itself. */
  folder(path: string): Promise<SafeFolder>;
  /** Once what is running has ended. */
  close(): Promise<void>;
}

/**
 * Opens an existing folder that is trusted as it is, links on the way to it included.
 * Throws `not-found`, `not-a-directory`, `permission-denied`, with the path.
 *
 * @example
 * const events = await openFolder('/project/.state/runs/1/events');
 * await events.replace('last.json', text);
 * await events.close();
 */
export function openFolder(path: string): Promise<SafeFolder> {
  return openFolderWith(path, { anchored: hasDescriptorPaths() });
}

/** Exported for the test of systems without `/proc/self/fd`. */
export async function openFolderWith(path: string, options: { readonly anchored: boolean }): Promise<SafeFolder> {
  try {
    return new HandledFolder(await FolderHandle.open(path, options));
  } catch (error) {
    throw describeSystemError(error, { action: 'open', path });
  }
}

interface Task {
  readonly action: string;
  readonly path: string;
}

class HandledFolder implements SafeFolder {
  readonly path: string;
  readonly #root: FolderHandle;
  readonly #running = new Set<Promise<unknown>>();
  #closed: Promise<void> | undefined;

  constructor(root: FolderHandle) {
    this.path = root.path;
    this.#root = root;
  }

  open(path: string, use: FileUse): Promise<SafeFile> {
    return this.#within({ action: 'open', path }, async (folder, name) => safeFile(join(folder.path, name), await openIn(folder, name, use)));
  }

  async read(path: string, { maxBytes = Number.POSITIVE_INFINITY }: ReadOptions = {}): Promise<Uint8Array> {
    const file = await this.open(path, 'read');
    try {
      return await readWhole(file, maxBytes);
    } finally {
      file.close();
    }
  }

  writeNew(path: string, data: string | Uint8Array, { mode = 0o600 }: ReplaceOptions = {}): Promise<void> {
    return this.#within({ action: 'create', path }, (folder, name) => folder.guard(() => writeNewIn(folder, name, { data, mode })));
  }

  replace(path: string, data: string | Uint8Array, { mode = 0o600 }: ReplaceOptions = {}): Promise<void> {
    return this.#within({ action: 'write', path }, (folder, name) =>
      folder.guard(async () => {
        refuseHeld(join(folder.path, name), await lookAt(folder, name));
        await replaceIn(folder, name, { data, mode });
      }),
    );
  }

  rename(from: string, to: string): Promise<void> {
    return this.#within({ action: 'move', path: from }, (source, name) =>
      this.#within({ action: 'write', path: to }, (target, newName) =>
        source.guard(() => target.guard(() => moveBetween({ folder: source, name }, { folder: target, name: newName }))),
      ),
    );
  }

  ensureFolder(path: string, { mode = 0o700 }: { readonly mode?: number } = {}): Promise<void> {
    return this.#run({ action: 'create', path }, async () => {
      const names = namesBelow(this.path, path);
      await this.#walk(names, (folder, name) => folder.ensureChild(name, mode), () => Promise.resolve());
    });
  }

  list(path = '.'): Promise<readonly FolderEntry[]> {
    return this.#run({ action: 'list', path }, () =>
      this.#walk(namesBelow(this.path, path), (folder, name) => folder.child(name), (folder) => folder.guard(() => listEntries(folder.itself()))),
    );
  }

  look(path: string): Promise<BigIntStats | undefined> {
    return this.#within({ action: 'look at', path }, (folder, name) => folder.guard(() => lookAt(folder, name)));
  }

  remove(path: string): Promise<'removed' | 'missing'> {
    return this.#within({ action: 'remove', path }, (folder, name) =>
      folder.guard(async () => {
        const isFolder = (await lookAt(folder, name))?.isDirectory() === true;
        return removeIn(folder, name, isFolder ? rmdir : unlink);
      }),
    );
  }

  folder(path: string): Promise<SafeFolder> {
    return this.#within({ action: 'open', path }, async (folder, name) => new HandledFolder(await folder.child(name)));
  }

  close(): Promise<void> {
    this.#closed ??= Promise.allSettled(this.#running).then(() => this.#root.close());
    return this.#closed;
  }

  /** Does the work in the open folder that holds the last name of the path. */
  #within<Result>(task: Task, work: (folder: FolderHandle, name: string) => Promise<Result>): Promise<Result> {
    return this.#run(task, async () => {
      const names = namesBelow(this.path, task.path);
      const last = names.at(-1);
      if (last === undefined) throw pathOutside({ path: task.path, root: this.path });
      return this.#walk(names.slice(0, -1), (folder, name) => folder.child(name), (folder) => work(folder, last));
    });
  }

  /** One component after the other; each folder stays open until the next one is. */
  async #walk<Result>(
    names: readonly string[],
    step: (folder: FolderHandle, name: string) => Promise<FolderHandle>,
    work: (folder: FolderHandle) => Promise<Result>,
  ): Promise<Result> {
    let folder = this.#root;
    try {
      for (const name of names) {
        const next = await step(folder, name);
        if (folder !== this.#root) folder.close();
        folder = next;
      }
      return await work(folder);
    } finally {
      if (folder !== this.#root) folder.close();
    }
  }

  async #run<Result>({ action, path }: Task, work: () => Promise<Result>): Promise<Result> {
    if (this.#closed !== undefined) throw folderClosed({ path: this.path });
    const running = work();
    this.#running.add(running);
    try {
      return await running;
    } catch (error) {
      throw describeSystemError(error, { action, path: join(this.path, path) });
    } finally {
      this.#running.delete(running);
    }
  }
}

/** Lone surrogates have no bytes: the system would be given others in their place. */
function namesBelow(root: string, path: string): readonly string[] {
  if (Buffer.from(path).toString() !== path) throw undecodableName({ path });
  const found = containedPath(root, path);
  if (!found.inside) throw pathOutside({ path, root });
  return found.relative === '.' ? [] : found.relative.split('/');
}
