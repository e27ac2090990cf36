import { statSync } from 'node:fs';
import { join } from 'node:path';
import { createFolderExclusive, ensureFolderDurably, syncFolderNow } from '../../kernel/files/index.ts';
import { claimRunId } from '../../kernel/ids/index.ts';
import type { Lock } from '../../kernel/lock/index.ts';
import { fileNamesOf } from '../model/index.ts';
import { runDirectoryTaken } from './errors.ts';
import { filesBelow, type FolderWalk } from './folder-walk.ts';
import { lockRun } from './run-lock.ts';
import { logsFolder, storedPath, type StatePlace } from './run-store.ts';

/** Entries of a target's run directory that are looked at; more are left out, and that is said. */
const MOST_FILES = 10_000;

/**
 * The folder of one run: its lock, and for each target a log and a directory for what it makes. A run of cached targets
 * makes none of these.
 */
export class RunFolder {
  readonly id: string;
  /** Absolute. */
  readonly path: string;
  readonly #place: StatePlace;
  #lock: Lock | undefined;
  readonly #targets: readonly string[];
  /** Found out when the first file is made: a run of cached targets makes none. */
  #names: ReadonlyMap<string, string> | undefined;

  private constructor(fields: { id: string; path: string; place: StatePlace; targets: readonly string[] }) {
    this.id = fields.id;
    this.path = fields.path;
    this.#place = fields.place;
    this.#targets = fields.targets;
  }

  /** Makes the folder of a new run of these targets. */
  static async claim(place: StatePlace, targets: readonly string[]): Promise<RunFolder> {
    const runs = logsFolder(place);
    await ensureFolderDurably(runs, { root: place.root });
    const { id, folder } = claimRunId(place.clock, runs);
    return new RunFolder({ id, path: folder, place, targets });
  }

  /** Says that the run is alive, until it is closed; to be called before its row says that it goes on. */
  async hold(): Promise<void> {
    syncFolderNow(logsFolder(this.#place));
    this.#lock = await lockRun(this.path, this.#place.clock);
  }

  logPath(target: string): string {
    return join(this.path, `${this.#nameOf(target)}.log`);
  }

  runDirectory(target: string): string {
    return join(this.path, this.#nameOf(target));
  }

  #nameOf(target: string): string {
    this.#names ??= fileNamesOf(this.#targets);
    return this.#names.get(target) ?? target;
  }

  /** Of the file that says that the target is being made. */
  markPath(target: string): string {
    return join(this.path, this.markName(target));
  }

  markName(target: string): string {
    return `${this.#nameOf(target)}.running`;
  }

  /** As the rows hold it. */
  stored(path: string): string {
    return storedPath(this.#place.root, path);
  }

  createRunDirectory(target: string): string {
    const path = this.runDirectory(target);
    // Something that another target put there could lead what this one writes out of the run.
    if (createFolderExclusive(path) === 'exists') throw runDirectoryTaken({ path });
    return path;
  }

  /** What a target left in its run directory. */
  filesOf(target: string): FolderWalk {
    return filesBelow(this.runDirectory(target), MOST_FILES);
  }

  /** Gives the lock free. What was written stays. */
  close(): void {
    try {
      this.#lock?.release({ remove: true });
    } catch {
      // The lock is free all the same; a file that stays behind is held by nobody and says nothing.
    }
  }
}

/** Whether something stands at a declared output's path. What cannot be looked at is not there for us. */
export function outputExists(path: string): boolean {
  try {
    return statSync(path, { throwIfNoEntry: false }) !== undefined;
  } catch {
    return false;
  }
}
