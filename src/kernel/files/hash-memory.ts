import { stat } from 'node:fs/promises';
import { describeSystemError } from '../errors/index.ts';
import { fileSystemKind, type FileSystemKind } from './file-system.ts';
import { hashFile, isSameStamp, stampOf, type FileStamp, type HashedFile, type HashOptions } from './hash.ts';
import { refuseHeld } from './held.ts';

const MILLISECOND = 1_000_000n;
const SECOND = 1000n * MILLISECOND;

/** A file that was written less than this before it was hashed may be written again without a new stamp. */
const YOUNG: Readonly<Record<FileSystemKind, bigint>> = { local: 20n * MILLISECOND, other: 2n * SECOND };

/**
 * Whether a hash still is the one of a file that now has this stamp: nothing of the stamp changed, and it was not young
 * when the reading began.
 */
export function isTrusted(remembered: HashedFile, now: FileStamp, kind: FileSystemKind): boolean {
  const { stamp, startedNs } = remembered;
  if (!isSameStamp(stamp, now)) return false;
  const young = hasCoarseTimes(stamp) ? YOUNG.other : YOUNG[kind];
  return stamp.mtimeNs + young < startedNs && stamp.ctimeNs + young < startedNs;
}

/** An old local file system may keep whole seconds only; nobody can set this stamp, so it shows. */
function hasCoarseTimes({ ctimeNs }: FileStamp): boolean {
  return ctimeNs % SECOND === 0n;
}

/** Remembers hashes by path, and reads a file again only when the one it knows cannot be trusted. */
export class HashMemory {
  readonly #clock: HashOptions['clock'];
  readonly #known: Map<string, HashedFile>;
  readonly #kinds = new Map<bigint, FileSystemKind>();

  /** `known` are the `entries` of an earlier memory. */
  constructor({ clock, known = [] }: { readonly clock: HashOptions['clock']; readonly known?: Iterable<readonly [string, HashedFile]> }) {
    this.#clock = clock;
    this.#known = new Map(known);
  }

  /** Throws what `hashFile` throws, also `file-held` for a file whose hash it knows. */
  async hash(path: string, { signal }: Pick<HashOptions, 'signal'> = {}): Promise<HashedFile> {
    const known = this.#known.get(path);
    if (known !== undefined && (await this.#isStill(known, path))) return known;
    const hashed = await hashFile(path, { clock: this.#clock, signal });
    this.#known.set(path, hashed);
    return hashed;
  }

  entries(): IterableIterator<[string, HashedFile]> {
    return this.#known.entries();
  }

  async #isStill(known: HashedFile, path: string): Promise<boolean> {
    try {
      const stats = await stat(path, { bigint: true });
      refuseHeld(path, stats);
      return isTrusted(known, stampOf(stats), this.#kindOf(path, stats.dev));
    } catch (error) {
      throw describeSystemError(error, { action: 'read', path });
    }
  }

  #kindOf(path: string, dev: bigint): FileSystemKind {
    const kind = this.#kinds.get(dev) ?? fileSystemKind(path);
    this.#kinds.set(dev, kind);
    return kind;
  }
}
