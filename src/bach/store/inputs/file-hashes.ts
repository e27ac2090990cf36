import type { FileStamp, HashedFile } from '../../../kernel/files/index.ts';
import { contentOf, hashNow, type Clock, type Content } from './content.ts';
import { Disks } from './disks.ts';

/** By path from the root. */
export type RememberedHashes = ReadonlyMap<string, HashedFile>;

/** Remembers the hashes of files, and reads again only those that it cannot be sure of. */
export class FileHashes {
  readonly #clock: Clock;
  readonly #remembered: RememberedHashes;
  readonly #fresh = new Map<string, HashedFile>();
  readonly #used = new Set<string>();
  readonly #disks = new Disks();

  constructor({ clock, remembered }: { readonly clock: Clock; readonly remembered: RememberedHashes }) {
    this.#clock = clock;
    this.#remembered = remembered;
  }

  /** What was read since, by path from the root: for the next run to remember. */
  get fresh(): RememberedHashes {
    return this.#fresh;
  }

  /** Remembered, and not asked for. */
  get unused(): readonly string[] {
    return [...this.#remembered.keys()].filter((path) => !this.#used.has(path));
  }

  /** The hash of a file, when it is remembered for certain or quickly read; else `read` finds it out. */
  at(path: string, { absolute, stamp }: FileAt): string | undefined {
    this.#used.add(path);
    if (!this.#disks.isKnown(stamp)) return undefined;
    const known = this.#fresh.get(path) ?? this.#remembered.get(path);
    if (known !== undefined && this.#disks.isTrusted(known, stamp)) return known.hash;
    const read = hashNow({ path: absolute, stamp }, this.#clock);
    if (read !== undefined) this.#fresh.set(path, read);
    return read?.hash;
  }

  /** Makes `at` answer for files on the disk of this one. */
  learnDisk({ absolute, stamp }: FileAt): void {
    this.#disks.learn(absolute, stamp);
  }

  async read(path: string, { absolute }: FileAt, signal: AbortSignal | undefined): Promise<Content> {
    const content = await contentOf(absolute, this.#clock, signal);
    if (content.kind === 'hashed') this.#fresh.set(path, content.file);
    return content;
  }

}

export interface FileAt {
  readonly absolute: string;
  /** As the file stands now. */
  readonly stamp: FileStamp;
}
