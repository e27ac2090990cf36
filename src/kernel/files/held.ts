import { statSync, type BigIntStats } from 'node:fs';
import { fileHeld } from './errors.ts';

/** Keeps a file registered until it is released. */
export interface Hold {
  /** Where the file is closed later than this call, `isOver` tells; it is asked when somebody wants the file. */
  release(isOver?: () => boolean): void;
}

interface Entry {
  isOver: () => boolean;
}

/** By device and inode. */
const held = new Map<string, Set<Entry>>();

/**
 * Registers a file in which this process holds POSIX locks (a database, a lock file). They vanish when any descriptor
 * of that file is closed in the process, so that nothing here opens it until the hold is released.
 * Returns `undefined` when there is no such file.
 */
export function holdFile(path: string): Hold | undefined {
  const stats = statSync(path, { bigint: true, throwIfNoEntry: false });
  if (stats === undefined) return undefined;
  const entry: Entry = { isOver: () => false };
  const entries = held.get(keyOf(stats)) ?? new Set();
  held.set(keyOf(stats), entries.add(entry));
  return {
    release(isOver = () => true) {
      entry.isOver = isOver;
      dropWhatIsOver(keyOf(stats));
    },
  };
}

/** Throws `file-held` for a file that is registered; `stats` may be `undefined` where there is no file. */
export function refuseHeld(path: string, stats: BigIntStats | undefined): void {
  if (stats === undefined) return;
  dropWhatIsOver(keyOf(stats));
  if (held.has(keyOf(stats))) throw fileHeld({ path });
}

function dropWhatIsOver(key: string): void {
  const entries = held.get(key) ?? new Set();
  for (const entry of entries) {
    if (entry.isOver()) entries.delete(entry);
  }
  if (entries.size === 0) held.delete(key);
}

function keyOf({ dev, ino }: BigIntStats): string {
  return `${dev}:${ino}`;
}
