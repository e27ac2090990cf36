import type { FileStamp, HashedFile } from '../../../kernel/files/index.ts';

/** What an output was when the target that made it had ended. */
export interface OutputRecord {
  /** As declared. */
  readonly path: string;
  readonly kind: OutputKind;
  /** Of the file, or of the folder itself; links followed. */
  readonly stamp: FileStamp;
  /** When the looking began, in nanoseconds since 1970. */
  readonly startedNs: bigint;
  /** SHA-256 of the content, in hex; of a folder that of its own entries. Empty where it cannot be told. */
  readonly hash: string;
  /** Of a folder, SHA-256 of the stamps of its own entries; empty while they are too young to be trusted. */
  readonly entriesHash: string;
}

/** `other`: a pipe, a socket, a device, of which only the existence counts. */
export type OutputKind = 'file' | 'folder' | 'other';

/** An `other` is `same` as long as it is there. */
export type OutputState = 'missing' | 'same' | 'changed';

export function fileRecord(path: string, { stamp, hash, startedNs }: HashedFile): OutputRecord {
  return { path, kind: 'file', stamp, startedNs, hash, entriesHash: '' };
}
