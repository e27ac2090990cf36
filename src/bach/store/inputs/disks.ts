import { fileSystemKind, isTrusted, type FileStamp, type FileSystemKind, type HashedFile } from '../../../kernel/files/index.ts';

/** Knows of each disk how soon the stamp of a file can be trusted. */
export class Disks {
  readonly #kinds = new Map<bigint, FileSystemKind>();

  isKnown({ dev }: Pick<FileStamp, 'dev'>): boolean {
    return this.#kinds.has(dev);
  }

  /** `path` is absolute, of something on the disk. */
  learn(path: string, { dev }: Pick<FileStamp, 'dev'>): void {
    if (!this.#kinds.has(dev)) this.#kinds.set(dev, kindOf(path));
  }

  /** Whether a hash still is the one of a file with this stamp; false of a disk that nobody learned about. */
  isTrusted(file: HashedFile, now: FileStamp): boolean {
    const kind = this.#kinds.get(now.dev);
    return kind !== undefined && isTrusted(file, now, kind);
  }
}

/** A file system that does not say what it is gets the longer distrust. */
function kindOf(path: string): FileSystemKind {
  try {
    return fileSystemKind(path);
  } catch {
    // It went away meanwhile, or nobody may ask: then it is one that is not known.
    return 'other';
  }
}
