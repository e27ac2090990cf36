import { constants } from 'node:fs';
import { describeSystemError } from '../errors/index.ts';
import { readFully } from './calls.ts';
import { hasDescriptorPaths, openRegular } from './descriptor.ts';
import { closeDescriptor } from './held.ts';

export interface Tail {
  readonly bytes: Uint8Array;
  /** Where in the file they begin. */
  readonly offset: number;
}

/**
 * The last bytes of a regular file, links followed; all of them where it is shorter.
 * Throws `not-found`, `file-held`, `not-a-file` and the like, with the path.
 *
 * @example
 * const { bytes, offset } = await readTail('/project/.state/run.log', { maxBytes: 65_536 });
 */
export async function readTail(path: string, { maxBytes }: { readonly maxBytes: number }): Promise<Tail> {
  try {
    const opening = { place: path, path, flags: constants.O_RDONLY, links: 'follow', anchored: hasDescriptorPaths() } as const;
    const { descriptor, stats } = await openRegular(opening);
    try {
      const offset = Math.max(0, Number(stats.size) - maxBytes);
      const buffer = new Uint8Array(Math.min(maxBytes, Number(stats.size)));
      return { bytes: buffer.subarray(0, await readFully(descriptor, buffer, offset)), offset };
    } finally {
      closeDescriptor(descriptor, stats);
    }
  } catch (error) {
    throw describeSystemError(error, { action: 'read', path });
  }
}
