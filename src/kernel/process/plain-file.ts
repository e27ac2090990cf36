import { constants, fstatSync, openSync, statSync, type BigIntStats } from 'node:fs';
import { describeSystemError } from '../errors/index.ts';
import { closeDescriptor, refuseHeld } from '../files/index.ts';
import { startFailure } from './start-failure.ts';

const { O_NOCTTY, O_NONBLOCK } = constants;

/** An open regular file. */
export interface PlainFile {
  readonly descriptor: number;
  /** Leaves the locks alone that this process took in the file since. */
  readonly close: () => void;
}

export interface PlainFileOptions {
  /** What a message calls it. Default: its path. */
  readonly name?: string;
  /** Of `open(2)`. */
  readonly flags: number;
  readonly unfit: 'log-unavailable' | 'input-unavailable';
}

/**
 * Opens a file that somebody named for a program. It is looked at before, since closing it would drop the locks that
 * this process has in it, and after, since it may have been swapped. Throws `file-held`, `unfit`, and as the system does.
 */
export function openPlainFile(path: string, { name = path, flags, unfit }: PlainFileOptions): PlainFile {
  const check = (stats: BigIntStats | undefined): void => {
    refuseHeld(name, stats);
    if (stats === undefined || stats.isFile()) return;
    if (stats.isDirectory()) throw describeSystemError({ code: 'EISDIR' }, { action: 'open', path: name });
    throw startFailure(unfit, { reason: `${name} is a pipe, a socket or a device` }).error;
  };
  check(statSync(path, { bigint: true, throwIfNoEntry: false }));
  // Without O_NONBLOCK a FIFO that was put there meanwhile would be waited for.
  const descriptor = openSync(path, flags | O_NONBLOCK | O_NOCTTY, 0o600);
  const stats = fstatSync(descriptor, { bigint: true });
  const close = (): void => closeDescriptor(descriptor, stats);
  try {
    check(stats);
    return { descriptor, close };
  } catch (error) {
    close();
    throw error;
  }
}
