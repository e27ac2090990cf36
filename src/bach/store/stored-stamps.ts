import type { FileStamp, HashedFile } from '../../kernel/files/index.ts';
import type { OutputKind, OutputRecord } from './inputs/index.ts';

/**
 * What is stored of a file, with its six facts as the one text that the database gave: size, mtime, ctime, number, disk
 * and the moment of hashing. They are read when somebody asks and not kept, since of most files they are asked once.
 */
export class StoredFile implements HashedFile {
  readonly hash: string;
  readonly #facts: string;

  constructor(hash: string, facts: string) {
    this.hash = hash;
    this.#facts = facts;
  }

  get stamp(): FileStamp {
    return stampOf(this.#facts);
  }

  get startedNs(): bigint {
    return startOf(this.#facts);
  }
}

/** As `StoredFile`, of an output. */
export class StoredOutput implements OutputRecord {
  readonly path: string;
  readonly kind: OutputKind;
  readonly hash: string;
  readonly entriesHash: string;
  readonly #facts: string;

  constructor({ path, kind, hash, entriesHash, facts }: Omit<OutputRecord, 'stamp' | 'startedNs'> & { readonly facts: string }) {
    this.path = path;
    this.kind = kind;
    this.hash = hash;
    this.entriesHash = entriesHash;
    this.#facts = facts;
  }

  get stamp(): FileStamp {
    return stampOf(this.#facts);
  }

  get startedNs(): bigint {
    return startOf(this.#facts);
  }
}

const INTEGER = /^-?\d+$/;

function stampOf(facts: string): FileStamp {
  const [size, mtimeNs, ctimeNs, ino, dev] = facts.split(' ');
  return { dev: integerOf(dev), ino: integerOf(ino), size: integerOf(size), mtimeNs: integerOf(mtimeNs), ctimeNs: integerOf(ctimeNs) };
}

function startOf(facts: string): bigint {
  return integerOf(facts.slice(facts.lastIndexOf(' ') + 1));
}

/** What is no integer equals no stamp. */
function integerOf(text: string | undefined): bigint {
  return text !== undefined && INTEGER.test(text) ? BigInt(text) : -1n;
}
