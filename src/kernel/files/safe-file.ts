import type { BigIntStats } from 'node:fs';
import { readFully, statDescriptor, syncDescriptor, writeOnce } from './calls.ts';
import type { Opened } from './descriptor.ts';
import { describeSystemError } from '../errors/index.ts';
import { closeDescriptor } from './held.ts';

/** An open regular file. Its methods throw `disk-full`, `short-write` and the like, with the path. */
export interface SafeFile {
  readonly path: string;
  /** For a child's output; it is closed by this object alone. */
  readonly descriptor: number;
  stats(): Promise<BigIntStats>;
  /** At most `length` bytes from `offset`; fewer at the end of the file. */
  read(range: { readonly offset: number; readonly length: number }): Promise<Uint8Array>;
  /** One write: at the end where the file was opened to append, else at `offset`. */
  write(data: string | Uint8Array, options?: { readonly offset?: number }): Promise<void>;
  /** Makes durable what was written. When it fails, nothing written since the last one is. */
  sync(): Promise<void>;
  /** Once or twice; not while another method runs. */
  close(): void;
}

export function safeFile(path: string, { descriptor, stats }: Opened): SafeFile {
  let isClosed = false;
  const describing = async <Result>(action: string, work: () => Promise<Result>): Promise<Result> => {
    try {
      return await work();
    } catch (error) {
      throw describeSystemError(error, { action, path });
    }
  };
  return {
    path,
    descriptor,
    stats: () => describing('look at', () => statDescriptor(descriptor)),
    read: ({ offset, length }) =>
      describing('read', async () => {
        const buffer = new Uint8Array(length);
        return buffer.subarray(0, await readFully(descriptor, buffer, offset));
      }),
    write: (data, { offset } = {}) =>
      describing('write', () => writeOnce({ descriptor, path, bytes: Buffer.from(data), position: offset ?? null })),
    sync: () => describing('sync', () => syncDescriptor(descriptor)),
    close() {
      if (isClosed) return;
      isClosed = true;
      closeDescriptor(descriptor, stats);
    },
  };
}
